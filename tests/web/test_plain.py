"""Words that come by the web are made plain, whichever form or program brings them."""

from __future__ import annotations

import pytest

from pbem.domain.letters import Evidence
from tests.support.web_site import WebClient, WebSite
from tests.web.api.requests import make, post
from tests.web.visiting import fills, has_password, mails, rows, sends, shown, token, who

BOB = "bob@example.org"
ODD = "be\x1b[31mfore \u202e\u200b\x02{}\x03 \ufb01sh\x07"
"""Text that steers terminals, is invisible, or is like the marks of our own templates."""
PLAIN = "be[31mfore {} fish"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob", "carol")
    return site.browser("alice")


def newest(site: WebSite) -> str:
    subject, body = mails(site, BOB)[-1]
    return f"{subject}\n{body}".replace("\r\n", "\n")


@pytest.mark.parametrize("number", [0, 99])
def test_words_with_a_typed_command(site: WebSite, alice: WebClient, number: int) -> None:
    shown(fills(alice, "/command", "/command", line="mess\x1bage to b\u202eob", words=ODD.format(number)))
    assert PLAIN.format(number) in newest(site)


@pytest.mark.parametrize("number", [0, 99])
def test_words_of_a_program(site: WebSite, alice: WebClient, number: int) -> None:
    answer = post(site.guest(), make(alice), f"message to bob\n{ODD.format(number)}")
    assert answer.status_code == 200
    assert PLAIN.format(number) in newest(site)


def test_a_broadcast_is_stored_plain(site: WebSite, alice: WebClient) -> None:
    assert post(site.guest(), make(alice), f"broadcast\n{ODD.format(99)}").status_code == 200
    assert rows(site, "SELECT text FROM broadcasts") == [(PLAIN.format(99),)]


def test_words_with_a_challenge_a_move_and_a_chat(site: WebSite, alice: WebClient) -> None:
    fills(alice, "/challenge", "/challenge", game="superbo", to="b\u200bob", words=ODD.format(1))
    assert PLAIN.format(1) in newest(site)
    (number,) = site.numbers
    mine = token(alice)
    sends(alice, f"/boards/{number}/move", {"token": mine, "turn": "a1", "comment": ODD.format(2), "event": "0"})
    assert PLAIN.format(2) in newest(site)
    said = f"{ODD.format(3)}\r\nin two lines"
    sends(alice, f"/boards/{number}/act", {"token": mine, "verb": "chat", "comment": said})
    assert f"{PLAIN.format(3)}\nin two lines" in newest(site)


def test_a_name_that_signs_up_is_what_it_looks_like(site: WebSite) -> None:
    answer = sends(site.guest(), "/sign-up", {"userid": "z\u200b\uff4fe", "address": "zoe@example.org", "password": ""})
    shown(answer)
    assert rows(site, "SELECT userid FROM players") == [("zoe",)]


def test_a_password_is_folded_alike_by_mail_and_by_forms(site: WebSite) -> None:
    """Chosen with a ligature, as a letter would bring it, it is the same without."""
    site.joins("alice")
    browser = site.browser("alice")
    sends(browser, "/settings", {"token": token(browser), "deed": "password", "password": "\ufb01sh\u2460"})
    (stored,) = rows(site, "SELECT password_hash FROM confirmations WHERE password_hash IS NOT NULL")
    with site.server.unit_of_work() as uow:
        assert site.server.parts.make_context(uow, site.now, Evidence(answer_to="")).passwords.verify(
            "fish1", stored[0]
        )


@pytest.mark.parametrize("typed", ["\ufb01sh\u2460", "fish1", "\uff46ish1"])
def test_who_signs_in_may_type_a_password_either_way(site: WebSite, typed: str) -> None:
    site.joins("alice")
    has_password(site, "alice", "fish1")
    browser = site.guest()
    fills(browser, "/sign-in", "/sign-in/password", userid="alice", password=typed)
    assert who(browser) == "alice"
