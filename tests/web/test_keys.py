"""What lets somebody in ends with a new password, the loss of an address and signing out everywhere."""

from __future__ import annotations

import pytest

from pbem.commands.internal import FreezePlayer, SetAddresses
from pbem.domain.credentials import ConfirmationKind
from pbem.domain.mails import Notice
from pbem.usecases.confirmations import new_question
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from tests.web.api.requests import make, post
from tests.web.club import Browser, Club
from tests.web.visiting import answers, fills, link_in, mails, rows, sends, shown, token, who

ALICE, NEW = "alice@example.org", "new@example.com"


@pytest.fixture
def alice(club: Club) -> Browser:
    club.joins("alice", "bob")
    return club.browser("alice")


def sets_password(club: Club, browser: Browser) -> None:
    sends(browser, "/settings", {"token": token(browser), "deed": "password", "password": "better"})
    answers(club, ALICE, "yes")


def moves_house(club: Club, browser: Browser) -> None:
    sends(browser, "/settings", {"token": token(browser), "deed": "addresses", "addresses": NEW})
    answers(club, ALICE, "yes")
    answers(club, NEW, "yes")


def goes_everywhere(_: Club, browser: Browser) -> None:
    sends(browser, "/sign-out", {"token": token(browser), "where": "everywhere"})


WAYS = (sets_password, moves_house, goes_everywhere)


def asks_link(club: Club) -> str:
    fills(club.guest(), "/sign-in", "/sign-in", who="alice")
    return link_in(mails(club, ALICE)[-1])


@pytest.mark.parametrize("way", WAYS)
def test_tokens_end(club: Club, alice: Browser, way: object) -> None:
    secret, his = make(alice), make(club.browser("bob"))
    assert callable(way)
    way(club, alice)
    assert post(club.guest(), secret, "set").status_code == 401
    assert post(club.guest(), his, "set").status_code == 200


@pytest.mark.parametrize("way", WAYS)
def test_other_sessions_end(club: Club, alice: Browser, way: object) -> None:
    other, bob = club.browser("alice"), club.browser("bob")
    assert callable(way)
    way(club, alice)
    assert [who(each) for each in (other, bob)] == [None, "bob"]
    assert who(alice) == (None if way is goes_everywhere else "alice")


@pytest.mark.parametrize("way", WAYS)
def test_a_link_that_was_mailed_before_signs_nobody_in(club: Club, alice: Browser, way: object) -> None:
    link = asks_link(club)
    assert callable(way)
    way(club, alice)
    thief = club.guest()
    assert thief.asks(link).status_code == 403
    assert sends(thief, link, {}).status_code == 403
    assert who(thief) is None


@pytest.mark.parametrize("kind", [ConfirmationKind.RESET, ConfirmationKind.ACCOUNT])
def test_who_reads_a_mailbox_that_was_given_up_answers_nothing(
    club: Club, alice: Browser, kind: ConfirmationKind
) -> None:
    """Not even in the name of the new address, which anybody can write into a letter."""
    asked = []

    def ask(context: Context) -> list[Notice]:
        line = "signoff" if kind is ConfirmationKind.ACCOUNT else None
        asked.append(new_question(kind, context.speaker.known, None, context, line=line))
        return []

    club.does("alice", ask)
    moves_house(club, alice)
    told = answers(club, NEW, "password stolen" if kind is ConfirmationKind.RESET else "yes", asked[0])
    assert [each.name for each in told] == ["error"]
    assert rows(club, "SELECT standing, password_hash FROM players WHERE userid = 'alice'") == [("active", None)]


def test_one_more_address_ends_nothing(club: Club, alice: Browser) -> None:
    secret, link = make(alice), asks_link(club)
    sends(alice, "/settings", {"token": token(alice), "deed": "add", "addresses": NEW})
    answers(club, ALICE, "yes")
    answers(club, NEW, "yes")
    assert post(club.guest(), secret, "set").status_code == 200
    assert club.guest().asks(link).status_code == 200
    assert "the loss of an address and signing out everywhere revoke" in alice.opens("/settings/tokens").text


def test_addresses_that_the_operator_has_changed_end_everything(club: Club, alice: Browser) -> None:
    secret, link = make(alice), asks_link(club)
    club.does(None, lambda context: dispatch(SetAddresses("alice", addresses=(NEW,)), context))
    assert post(club.guest(), secret, "set").status_code == 401
    assert club.guest().asks(link).status_code == 403
    assert who(alice) is None


def test_the_mails_say_so(club: Club, alice: Browser) -> None:
    sets_password(club, alice)
    assert "tokens of programs are revoked" in " ".join(mails(club, ALICE)[-1][1].split())
    moves_house(club, alice)
    assert "tokens of programs are revoked" in " ".join(mails(club, NEW)[-1][1].split())


def test_a_new_token_is_told_by_mail_without_its_secret(club: Club, alice: Browser) -> None:
    secret = make(alice, "my robot")
    subject, body = mails(club, ALICE)[-1]
    assert subject == "A token for programs of alice"
    assert '"my robot"' in body
    assert secret not in body


def test_who_is_frozen_makes_no_token(club: Club, alice: Browser) -> None:
    club.does(None, lambda context: dispatch(FreezePlayer("alice"), context))
    page = alice.opens("/settings/tokens")
    mine = page.all("//input[@name='token']/@value")[0]
    assert "frozen" in shown(sends(alice, "/settings/tokens", {"token": mine, "name": "x"}), 409).text
    assert rows(club, "SELECT count(*) FROM tokens") == [(0,)]
