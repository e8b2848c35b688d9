"""Cookies and links that let somebody in end with a new password, a lost address and signing out everywhere."""

from __future__ import annotations

import pytest

from pbem.commands.internal import FreezePlayer, SetAddresses
from pbem.domain.credentials import ConfirmationKind
from pbem.domain.mails import Notice
from pbem.usecases.confirmations import new_question
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from tests.support.web_site import WebClient, WebSite
from tests.web.api.requests import make, post
from tests.web.visiting import answers, fills, link_in, mails, rows, sends, shown, token, who

ALICE, NEW = "alice@example.org", "new@example.com"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob")
    return site.browser("alice")


def sets_password(site: WebSite, browser: WebClient) -> None:
    sends(browser, "/settings", {"token": token(browser), "deed": "password", "password": "better"})
    answers(site, ALICE, "yes")


def moves_house(site: WebSite, browser: WebClient) -> None:
    sends(browser, "/settings", {"token": token(browser), "deed": "addresses", "addresses": NEW})
    answers(site, ALICE, "yes")
    answers(site, NEW, "yes")


def goes_everywhere(_: WebSite, browser: WebClient) -> None:
    sends(browser, "/sign-out", {"token": token(browser), "where": "everywhere"})


WAYS = (sets_password, moves_house, goes_everywhere)


def asks_link(site: WebSite) -> str:
    fills(site.guest(), "/sign-in", "/sign-in", who="alice")
    return link_in(mails(site, ALICE)[-1])


@pytest.mark.parametrize("way", WAYS)
def test_tokens_end(site: WebSite, alice: WebClient, way: object) -> None:
    secret, theirs = make(alice), make(site.browser("bob"))
    assert callable(way)
    way(site, alice)
    assert post(site.guest(), secret, "set").status_code == 401
    assert post(site.guest(), theirs, "set").status_code == 200


@pytest.mark.parametrize("way", WAYS)
def test_other_sessions_end(site: WebSite, alice: WebClient, way: object) -> None:
    other, bob = site.browser("alice"), site.browser("bob")
    assert callable(way)
    way(site, alice)
    assert [who(each) for each in (other, bob)] == [None, "bob"]
    assert who(alice) == (None if way is goes_everywhere else "alice")


@pytest.mark.parametrize("way", WAYS)
def test_a_link_that_was_mailed_before_signs_nobody_in(site: WebSite, alice: WebClient, way: object) -> None:
    link = asks_link(site)
    assert callable(way)
    way(site, alice)
    thief = site.guest()
    assert thief.asks(link).status_code == 403
    assert sends(thief, link, {}).status_code == 403
    assert who(thief) is None


@pytest.mark.parametrize("kind", [ConfirmationKind.RESET, ConfirmationKind.ACCOUNT])
def test_who_reads_a_mailbox_that_was_given_up_answers_nothing(
    site: WebSite, alice: WebClient, kind: ConfirmationKind
) -> None:
    """Not even in the name of the new address, which anybody can write into a letter."""
    asked = []

    def ask(context: Context) -> list[Notice]:
        line = "signoff" if kind is ConfirmationKind.ACCOUNT else None
        asked.append(new_question(kind, context.speaker.known, None, context, line=line))
        return []

    site.does("alice", ask)
    moves_house(site, alice)
    told = answers(site, NEW, "password stolen" if kind is ConfirmationKind.RESET else "yes", asked[0])
    assert [each.name for each in told] == ["error"]
    assert rows(site, "SELECT standing, password_hash FROM players WHERE userid = 'alice'") == [("active", None)]


def test_one_more_address_ends_nothing(site: WebSite, alice: WebClient) -> None:
    secret, link = make(alice), asks_link(site)
    sends(alice, "/settings", {"token": token(alice), "deed": "add", "addresses": NEW})
    answers(site, ALICE, "yes")
    answers(site, NEW, "yes")
    assert post(site.guest(), secret, "set").status_code == 200
    assert site.guest().asks(link).status_code == 200
    assert (
        "All tokens are revoked when you set a new password, lose an address or sign out everywhere."
        in alice.opens("/settings/tokens").text
    )


def test_addresses_that_the_operator_has_changed_end_everything(site: WebSite, alice: WebClient) -> None:
    secret, link = make(alice), asks_link(site)
    site.does(None, lambda context: dispatch(SetAddresses("alice", addresses=(NEW,)), context))
    assert post(site.guest(), secret, "set").status_code == 401
    assert site.guest().asks(link).status_code == 403
    assert who(alice) is None


def test_the_mails_say_so(site: WebSite, alice: WebClient) -> None:
    sets_password(site, alice)
    assert "Tokens of programs" in " ".join(mails(site, ALICE)[-1][1].split())
    moves_house(site, alice)
    assert "Tokens of programs" in " ".join(mails(site, NEW)[-1][1].split())


def test_a_new_token_is_told_by_mail_without_its_secret(site: WebSite, alice: WebClient) -> None:
    secret = make(alice, "my robot")
    subject, body = mails(site, ALICE)[-1]
    assert subject == "A token for programs of alice"
    assert '"my robot"' in body
    assert secret not in body


def test_who_is_frozen_makes_no_token(site: WebSite, alice: WebClient) -> None:
    site.does(None, lambda context: dispatch(FreezePlayer("alice"), context))
    page = alice.opens("/settings/tokens")
    mine = page.all("//input[@name='token']/@value")[0]
    assert "frozen" in shown(sends(alice, "/settings/tokens", {"token": mine, "name": "x"}), 409).text
    assert rows(site, "SELECT count(*) FROM tokens") == [(0,)]
