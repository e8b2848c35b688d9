"""Signing up, and confirming addresses by the links that are mailed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.commands.accounts import SignUp
from pbem.domain.letters import Evidence
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import SIGNUPS_PER_DAY
from pbem.usecases.signup import LONGEST_PASSWORD
from tests.support.web_site import WebClient, WebSite
from tests.web.visiting import (
    ALICE,
    answers,
    fills,
    mails,
    newest_link,
    presses,
    sends,
    shown,
    token,
    who,
)


def test_signing_up_is_confirmed_by_the_link_in_the_mail_and_signs_in(site: WebSite) -> None:
    answer = fills(site.guest(), "/sign-up", "/sign-up", userid="Zoe", address="zoe@example.org", password="secret")
    assert "zoe@example.org asks" in shown(answer).text
    link, browser = newest_link(site, "zoe@example.org"), site.guest()
    assert "Zoe" in browser.opens(link).text
    assert who(browser) is None
    assert presses(browser, link).headers["location"] == "/"
    assert who(browser) == "Zoe"
    assert mails(site, "zoe@example.org")[-1][0] == "Welcome to pbem, Zoe"
    again = site.guest()
    assert presses_in_vain(again, link) == 403
    assert who(again) is None


def test_a_link_that_was_used_says_that_the_address_is_confirmed(site: WebSite) -> None:
    fills(site.guest(), "/sign-up", "/sign-up", userid="Zoe", address="zoe@example.org", password="secret")
    link, browser = newest_link(site, "zoe@example.org"), site.guest()
    presses(browser, link)
    page = browser.opens(link, 403)
    assert page.all("//h1") == ["Already confirmed"]
    assert "You are signed in as Zoe" in page.text
    assert "/sign-in" in site.guest().opens(link, 403).all("//main//a/@href")


def test_a_link_that_is_none_leads_to_what_asks_again(site: WebSite) -> None:
    page = site.guest().opens("/confirm/garbage", 403)
    assert "no longer works" in page.text
    assert page.all("//main//a/@href") == ["/sign-up", "/sign-in", "/"]
    site.joins("alice")
    assert "/settings/account" in site.browser("alice").opens("/confirm/garbage", 403).all("//main//a/@href")


def test_who_has_not_confirmed_is_mailed_no_link_and_told_what_to_do(site: WebSite) -> None:
    fills(site.guest(), "/sign-up", "/sign-up", userid="Zoe", address="zoe@example.org", password="secret")
    before = len(mails(site, "zoe@example.org"))
    page = shown(fills(site.guest(), "/sign-in", "/sign-in", who="zoe"))
    assert "has not been confirmed yet" in page.text
    assert "/sign-up" in page.all("//main//a/@href")
    assert len(mails(site, "zoe@example.org")) == before


@pytest.mark.parametrize(
    ("by_mail", "same_browser", "says", "keeps"),
    [
        (False, True, None, True),
        (False, False, None, False),
        (False, False, "drop", False),
        (False, False, "keep", True),
        (True, False, None, False),
        (True, False, "keep", True),
    ],
)
def test_a_password_that_somebody_else_may_have_chosen_is_kept_only_if_it_is_said_to_be_her_own(
    site: WebSite, *, by_mail: bool, same_browser: bool, says: str | None, keeps: bool
) -> None:
    first = site.guest()
    if by_mail:
        command = SignUp("Zoe", "secret", ("zoe@example.org",))
        told = site.server.executor.retry_on_conflict(
            lambda context: {"signup": dispatch(command, context)},
            clock=lambda: site.now,
            evidence=Evidence("zoe@example.org"),
        )
        assert told
    else:
        fills(first, "/sign-up", "/sign-up", userid="Zoe", address="zoe@example.org", password="secret")
    assert "password was chosen" in " ".join(mails(site, "zoe@example.org")[-1][1].split())
    link, browser = newest_link(site, "zoe@example.org"), first if same_browser else site.guest()
    assert bool(browser.opens(link).find('//input[@name="password"]')) is not same_browser
    sends(browser, link, {} if says is None else {"password": says})
    assert who(browser) == "Zoe"
    other = site.guest()
    fills(other, "/sign-in", "/sign-in/password", userid="Zoe", password="secret")
    assert who(other) == ("Zoe" if keeps else None)


def test_a_signup_without_a_password_asks_nothing_about_one(site: WebSite) -> None:
    fills(site.guest(), "/sign-up", "/sign-up", userid="Zoe", address="zoe@example.org", password="")
    assert "assword" not in mails(site, "zoe@example.org")[-1][1]
    assert not site.guest().opens(newest_link(site, "zoe@example.org")).find('//input[@name="password"]')


def presses_in_vain(browser: WebClient, link: str) -> int:
    return sends(browser, link, {}).status_code


def test_a_second_address_is_confirmed_by_the_link_and_signs_nobody_in(site: WebSite) -> None:
    site.joins("alice")
    alice = site.browser("alice")
    sends(alice, "/settings", {"token": token(alice), "deed": "add", "addresses": "alice@home.example"})
    assert not mails(site, "alice@home.example")
    answers(site, ALICE, "yes")
    guest = site.guest()
    presses(guest, newest_link(site, "alice@home.example"))
    assert who(guest) is None
    assert "alice@home.example" in alice.opens("/settings/account").text
    assert "not confirmed" not in alice.opens("/settings").text


def test_what_is_wrong_about_a_signup_is_said_and_the_password_is_not(site: WebSite) -> None:
    site.joins("alice")
    answer = fills(site.guest(), "/sign-up", "/sign-up", userid="alice", address="x@example.org", password="secret")
    page = shown(answer, 409)
    assert page.all('//*[@role="alert"]')
    assert page.all('//input[@name="userid"]/@value') == ["alice"]
    assert "secret" not in page.source


@pytest.mark.parametrize("password", ["x y", "it's", "pass:word"])
def test_a_password_that_no_command_could_have_is_refused(site: WebSite, password: str) -> None:
    answer = fills(site.guest(), "/sign-up", "/sign-up", userid="bert", address="b@example.org", password=password)
    page = shown(answer, 409)
    rule = f"A password has at most {LONGEST_PASSWORD} characters, and no blanks, quotes or colons."
    assert page.all("//*[@role='alert']/p") == [f"Please choose another password. {rule}"]


@pytest.mark.parametrize("path", ["/sign-up", "/settings/account"])
def test_a_field_for_a_password_says_what_it_brings_and_no_rule(site: WebSite, path: str) -> None:
    site.joins("alice")
    page = (site.browser("alice") if path.startswith("/settings") else site.guest()).opens(path)
    (field,) = page.find("//input[@autocomplete='new-password']")
    (hint,) = page.all(f"//*[@id='{field.get('aria-describedby')}']")
    assert hint.endswith(".")
    assert "128" not in page.text


def test_a_host_asks_a_few_strangers_a_day_whether_they_want_an_account(site: WebSite) -> None:
    for number in range(SIGNUPS_PER_DAY):
        address = f"stranger@host{number}.example"
        fills(site.guest(), "/sign-up", "/sign-up", userid=f"x{number}newcomer", address=address)
        assert len(mails(site, address)) == 1
    refused = fills(site.guest(), "/sign-up", "/sign-up", userid="onemore", address="stranger@more.example")
    assert "no more will be sent" in shown(refused, 409).text
    assert not mails(site, "stranger@more.example")
    site.joins("alice")
    assert fills(site.guest(), "/sign-in", "/sign-in", who="alice").status_code == 200
    assert len(mails(site, "alice@example.org")) == 1
    site.waits(timedelta(days=1))
    fills(site.guest(), "/sign-up", "/sign-up", userid="onemore", address="stranger@more.example")
    assert len(mails(site, "stranger@more.example")) == 1
