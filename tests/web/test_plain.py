"""Words that come by the web are made plain, whichever form or program brings them."""

from __future__ import annotations

import pytest

from pbem.domain.letters import Evidence
from tests.web.api.requests import make, post
from tests.web.club import Browser, Club
from tests.web.visiting import fills, has_password, mails, rows, sends, shown, token, who

BOB = "bob@example.org"
ODD = "be\x1b[31mfore \u202e\u200b\x02{}\x03 \ufb01sh\x07"
"""What steers terminals, is not seen, or is like the marks of our own templates."""
PLAIN = "be[31mfore {} fish"


@pytest.fixture
def alice(club: Club) -> Browser:
    club.joins("alice", "bob", "carol")
    return club.browser("alice")


def newest(club: Club) -> str:
    subject, body = mails(club, BOB)[-1]
    return f"{subject}\n{body}".replace("\r\n", "\n")


@pytest.mark.parametrize("number", [0, 99])
def test_words_with_a_typed_command(club: Club, alice: Browser, number: int) -> None:
    shown(fills(alice, "/command", "/command", line="mess\x1bage to b\u202eob", words=ODD.format(number)))
    assert PLAIN.format(number) in newest(club)


@pytest.mark.parametrize("number", [0, 99])
def test_words_of_a_program(club: Club, alice: Browser, number: int) -> None:
    answer = post(club.guest(), make(alice), f"message to bob\n{ODD.format(number)}")
    assert answer.status_code == 200
    assert PLAIN.format(number) in newest(club)


def test_a_broadcast_is_stored_plain(club: Club, alice: Browser) -> None:
    assert post(club.guest(), make(alice), f"broadcast\n{ODD.format(99)}").status_code == 200
    assert rows(club, "SELECT text FROM broadcasts") == [(PLAIN.format(99),)]


def test_words_with_a_challenge_a_move_and_a_chat(club: Club, alice: Browser) -> None:
    fills(alice, "/challenge", "/challenge", game="superbo", to="b\u200bob", words=ODD.format(1))
    assert PLAIN.format(1) in newest(club)
    (number,) = club.numbers
    mine = token(alice)
    sends(alice, f"/boards/{number}/move", {"token": mine, "turn": "a1", "comment": ODD.format(2), "event": "0"})
    assert PLAIN.format(2) in newest(club)
    said = f"{ODD.format(3)}\r\nin two lines"
    sends(alice, f"/boards/{number}/act", {"token": mine, "verb": "chat", "comment": said})
    assert f"{PLAIN.format(3)}\nin two lines" in newest(club)


def test_a_name_that_signs_up_is_what_it_looks_like(club: Club) -> None:
    answer = sends(club.guest(), "/sign-up", {"userid": "z\u200b\uff4fe", "address": "zoe@example.org", "password": ""})
    shown(answer)
    assert rows(club, "SELECT userid FROM players") == [("zoe",)]


def test_a_password_is_folded_alike_by_mail_and_by_forms(club: Club) -> None:
    """Chosen with a ligature, as a letter would bring it, it is the same without."""
    club.joins("alice")
    browser = club.browser("alice")
    sends(browser, "/settings", {"token": token(browser), "deed": "password", "password": "\ufb01sh\u2460"})
    (stored,) = rows(club, "SELECT password_hash FROM confirmations WHERE password_hash IS NOT NULL")
    with club.server.unit_of_work() as uow:
        assert club.server.parts.make_context(uow, club.now, Evidence(answer_to="")).passwords.verify(
            "fish1", stored[0]
        )


@pytest.mark.parametrize("typed", ["\ufb01sh\u2460", "fish1", "\uff46ish1"])
def test_who_signs_in_may_type_a_password_either_way(club: Club, typed: str) -> None:
    club.joins("alice")
    has_password(club, "alice", "fish1")
    browser = club.guest()
    fills(browser, "/sign-in", "/sign-in/password", userid="alice", password=typed)
    assert who(browser) == "alice"
