"""The operator's page, and what somebody may try at it who is not the operator."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import insert

from pbem.bootstrap import status
from pbem.domain.credentials import OPERATOR_LINK_FOR, OPERATOR_SESSION_FOR, hashed
from pbem.storage.engine import writing
from pbem.storage.models import LetterRow
from pbem.storage.operators import add_link
from pbem.web.admin import MOST, WITHIN, Tries
from tests.support.web_site import WebClient, WebPage, WebSite
from tests.web.markup import faults_of
from tests.web.visiting import rows, sends, token, with_cookie

SECRET = "a-secret-of-a-link"
LINK = f"/admin/sign-in/{SECRET}"
OPEN = "What needs attention"
SECOND = timedelta(seconds=1)


@pytest.fixture
def behind_tls(sqlite_url: str, tmp_path: Path) -> Iterator[WebSite]:
    with WebSite(sqlite_url, tmp_path, web_url="https://pbem.example") as site:
        yield site


def has_link(site: WebSite, secret: str = SECRET) -> None:
    """Do what `pbem admin sign-in` does."""
    with writing(site.server.engine) as connection:
        add_link(connection, hashed(secret), "root (boss)", site.now)


def signs_in(site: WebSite, secret: str = SECRET) -> WebClient:
    """An operator who has used a link."""
    has_link(site, secret)
    browser = site.guest()
    answer = sends(browser, f"/admin/sign-in/{secret}", {})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    return browser


def is_open(browser: WebClient) -> bool:
    """Return True if the page is shown; else check that nothing of it is."""
    answer = browser.asks("/admin")
    assert (answer.status_code == 200) == (OPEN in answer.text)
    assert answer.status_code in (200, 403)
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code == 200


def secret_of(browser: WebClient) -> str:
    return browser.client.cookies["operator"]


def with_secret(site: WebSite, secret: str) -> WebClient:
    return site.browser_with({"operator": secret})


def test_a_link_shows_a_button_that_opens_the_page(site: WebSite) -> None:
    has_link(site)
    browser = site.guest()
    page = browser.opens(LINK)
    assert page.all("//main//button") == ["Sign in"]
    assert not is_open(browser)
    assert sends(browser, LINK, {}).status_code == 303
    page = browser.opens("/admin")
    assert "Nothing. All is well." in page.text
    assert "You are signed in as root (boss)" in page.text
    assert page.table("Of the whole server")[0] == ["Letters waiting for an answer", "0", ""]


def test_the_most_urgent_is_said_first_with_the_command_that_helps(site: WebSite) -> None:
    browser, come = signs_in(site), site.now - timedelta(days=1)
    common = {"sender": "a@example.org", "recipients": [], "raw": b"", "attempts": 0, "next_attempt_at": come}
    with writing(site.server.engine) as connection:
        values = [{**common, "received_at": come, "state": state} for state in ("shunted", "waiting", "waiting")]
        connection.execute(insert(LetterRow), values)
    page = browser.opens("/admin")
    first, second = page.all("//ul[@class='attention']/li")
    assert first.startswith("Urgent: 2 letters wait to be answered.")
    assert second.startswith("1 letter could not be handled and was set aside. Since Sat 28 Feb 2026")
    assert page.all("//ul[@class='attention']//code") == ["pbem admin letters", "pbem admin shunted list"]
    assert page.table("Of the whole server")[0] == ["Letters waiting for an answer", "2", "1 day"]
    assert [each for each in faults_of(page) if "table" not in each] == []  # these need not be scrolled


def test_what_may_be_misread_is_said(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, come = signs_in(site), site.now - timedelta(minutes=1)
    monkeypatch.setattr(status, "MOST_COUNTED", 2)
    common = {"sender": "a@example.org", "recipients": [], "raw": b"", "attempts": 1, "next_attempt_at": come}
    with writing(site.server.engine) as connection:
        connection.execute(insert(LetterRow), [{**common, "received_at": come, "state": "done"}] * 2)
    page = browser.opens("/admin")
    assert page.all("//dl/dd")[:2] == ["2 or more", "2 or more"]
    assert "As of Sun 1 Mar 2026, 12:00 UTC" in page.text
    assert "do everything here by mail" not in page.text


def test_who_has_not_signed_in_there_sees_nothing_of_it(site: WebSite) -> None:
    site.joins("alice")
    for browser in (site.guest(), site.browser("alice"), with_secret(site, "x"), with_secret(site, SECRET)):
        has_link(site, f"another {id(browser)}")
        assert not is_open(browser)
        assert "pbem admin sign-in" in browser.asks("/admin").text


def test_a_link_is_good_once_even_for_two_at_once(site: WebSite) -> None:
    signs_in(site)
    other = site.guest()
    assert other.asks(LINK).status_code == 403
    answer = sends(other, LINK, {})
    assert answer.status_code == 403
    assert "it has been used" in WebPage(answer).text
    assert not is_open(other)
    assert rows(site, "SELECT kind FROM operator_keys") == [("session",)]


def test_a_link_is_not_good_for_long(site: WebSite) -> None:
    has_link(site)
    site.now += OPERATOR_LINK_FOR - SECOND
    assert site.guest().asks(LINK).status_code == 200
    site.now += SECOND
    assert sends(site.guest(), LINK, {}).status_code == 403


def test_the_secret_of_a_link_is_no_session_nor_that_of_a_session_a_link(site: WebSite) -> None:
    has_link(site)
    assert not is_open(with_secret(site, SECRET))
    secret = secret_of(signs_in(site, "another"))
    assert sends(site.guest(), f"/admin/sign-in/{secret}", {}).status_code == 403
    assert is_open(with_secret(site, secret))


def test_a_session_ends_after_half_a_day_however_often_it_is_used(site: WebSite) -> None:
    browser = signs_in(site)
    site.now += OPERATOR_SESSION_FOR - SECOND
    assert is_open(browser)
    site.now += SECOND
    assert not is_open(browser)


def cookie(answer: httpx.Response) -> set[str]:
    """The name of the cookie that is set, and what is said of it."""
    name, _, more = answer.headers["set-cookie"].partition("=")
    return {name, *(part.strip() for part in more.split(";")[1:])}


def test_the_cookie_goes_to_that_page_alone_and_no_script_reads_it(site: WebSite) -> None:
    has_link(site)
    assert {"operator", "HttpOnly", "Path=/admin", "SameSite=strict"} <= cookie(sends(site.guest(), LINK, {}))


def test_behind_tls_it_goes_over_tls_alone(behind_tls: WebSite) -> None:
    has_link(behind_tls)
    answer = sends(behind_tls.guest(), LINK, {}, origin="https://pbem.example")
    assert {"__Secure-operator", "HttpOnly", "Path=/admin", "SameSite=strict", "Secure"} <= cookie(answer)


@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
)
def test_no_other_site_signs_somebody_in_or_out(site: WebSite, headers: dict[str, str]) -> None:
    has_link(site)
    assert site.guest().asks(LINK, "POST", data={}, headers=headers).status_code == 403
    browser = signs_in(site, "another")
    shown = browser.opens("/admin").all("//form[@action='/admin/sign-out']//input[@name='token']/@value")[0]
    assert browser.asks("/admin/sign-out", "POST", data={"token": shown}, headers=headers).status_code == 403
    assert is_open(browser)


def test_signing_out_wants_the_token_of_that_session(site: WebSite) -> None:
    site.joins("alice")
    browser, other = signs_in(site), signs_in(site, "another")
    (of_other,) = other.opens("/admin").all("//form[@action='/admin/sign-out']//input[@name='token']/@value")
    for forged in ("", "0" * 64, "\u00e9", of_other, token(site.browser("alice"))):
        assert sends(browser, "/admin/sign-out", {"token": forged}).status_code == 403
    assert is_open(browser)
    (own,) = browser.opens("/admin").all("//form[@action='/admin/sign-out']//input[@name='token']/@value")
    secret = secret_of(browser)
    assert sends(browser, "/admin/sign-out", {"token": own}).headers["location"] == "/admin"
    assert not is_open(browser)
    assert not is_open(with_secret(site, secret))
    assert is_open(other)


def test_looking_changes_nothing_and_no_other_method_does_anything(site: WebSite) -> None:
    has_link(site)
    browser = signs_in(site, "another")
    assert site.guest().asks(LINK, "HEAD").status_code == 200
    for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
        assert browser.asks("/admin/sign-out", method).status_code == 405
        if method not in ("GET", "HEAD"):
            assert browser.asks("/admin", method).status_code == 405
    assert is_open(browser)
    assert rows(site, "SELECT count(*) FROM operator_keys") == [(2,)]


def test_who_guesses_has_to_wait_and_nobody_else_has(site: WebSite) -> None:
    for number in range(MOST):
        assert sends(site.guest(), f"/admin/sign-in/guess{number}", {}).status_code == 403
    has_link(site)
    for answer in (sends(site.guest(), LINK, {}), site.guest().asks(LINK)):
        assert answer.status_code == 429
        assert "try again in an hour" in WebPage(answer).text
    site.now += WITHIN
    has_link(site, "a new one")
    assert sends(site.guest(), "/admin/sign-in/a new one", {}).status_code == 303


def test_a_player_s_session_is_none_of_an_operator_nor_the_other_way_round(site: WebSite) -> None:
    site.joins("alice")
    alice = site.browser("alice")
    assert not is_open(with_secret(site, alice.client.cookies["session"]))
    assert with_cookie(site, secret_of(signs_in(site))).asks("/settings").status_code == 303


def test_the_page_holds_back_what_all_pages_do_and_names_no_player(site: WebSite) -> None:
    site.joins("zoekling")
    browser = signs_in(site)
    answer = browser.asks("/admin")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "etag" not in answer.headers
    for secret in (
        "zoekling",
        "a key for the tests",
        SECRET,
        secret_of(browser),
        str(site.server.settings.database_url),
    ):
        assert secret not in answer.text


def test_what_is_stored_opens_nothing(site: WebSite) -> None:
    browser = signs_in(site)
    (kept,) = rows(site, "SELECT secret_hash FROM operator_keys")
    assert secret_of(browser) != kept[0]
    assert not is_open(with_secret(site, kept[0]))


def test_only_so_many_hosts_are_remembered(site: WebSite) -> None:
    tries = Tries(most=1)
    for number in range(10_001):
        tries.note(f"host{number}", site.now)
    assert tries.may("host0", site.now)
    assert not tries.may("host1", site.now)
