"""What is drafted and written at a board and cannot be sent, since nobody has signed in or the form is too old."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

from pbem.web.unsent import LONGEST_ADDRESS
from tests.web.test_boards import begun, sends
from tests.web.visiting import fills, has_password, link_in, mails, shown
from tests.web.visiting import sends as sends_form

if TYPE_CHECKING:
    import httpx

    from tests.web.club import Club


def then(answer: httpx.Response) -> str:
    """Where somebody who is led to the ways to sign in comes back to."""
    assert answer.status_code == 303, answer.status_code
    led = urlsplit(answer.headers["location"])
    assert led.path == "/sign-in"
    return parse_qs(led.query)["then"][0]


def test_a_move_of_a_guest_is_kept_until_he_has_signed_in(club: Club) -> None:
    number, (first, _) = begun(club)
    has_password(club, first, "a good word")
    guest = club.guest()
    fields = {"turn": "B3", "event": "0", "comment": "Good luck & have fun!"}
    back = then(sends_form(guest, f"/boards/{number}/move", fields))
    assert back == f"/boards/{number}?turn=B3&comment=Good+luck+%26+have+fun%21"
    way = f"/sign-in?then={quote(back)}"
    assert "what you have drafted there is kept" in guest.opens(way).text
    answer = fills(guest, way, "/sign-in/password", userid=first, password="a good word")
    assert answer.headers["location"] == back
    page = guest.opens(back)
    assert page.all("//textarea[@id='comment']") == ["Good luck & have fun!"]
    assert sends(page, guest, "Play B3").status_code == 303
    assert "1. B3" in guest.opens(f"/boards/{number}").text


def test_by_a_link_in_a_mail_one_comes_back_to_the_same_draft(club: Club) -> None:
    number, (first, _) = begun(club)
    guest = club.guest()
    back = then(sends_form(guest, f"/boards/{number}/move", {"turn": "B3"}))
    fills(guest, f"/sign-in?then={quote(back)}", "/sign-in", who=first)
    link = link_in(mails(club, f"{first}@example.org")[-1])
    answer = fills(guest, link, link)
    assert answer.headers["location"] == f"/boards/{number}?turn=B3"


def test_a_link_to_a_draft_that_is_too_long_for_a_mail_leads_to_its_board(club: Club) -> None:
    number, (first, _) = begun(club)
    guest, back = club.guest(), f"/boards/{number}?turn={'B3' * 200}"
    fills(guest, f"/sign-in?then={quote(back)}", "/sign-in", who=first)
    assert parse_qs(urlsplit(link_in(mails(club, f"{first}@example.org")[-1])).query)["then"] == [f"/boards/{number}"]


def test_a_chat_and_a_move_to_be_queued_are_kept_too(club: Club) -> None:
    number, (_, second) = begun(club)
    guest, act = club.guest(), f"/boards/{number}/act"
    for fields, kept in (
        ({"verb": "chat", "comment": "Hello"}, "//textarea[@id='chat']"),
        ({"verb": "queue", "move": "Hello"}, "//input[@id='queue']/@value"),
    ):
        back = then(sends_form(guest, act, fields))
        assert club.browser(second).opens(back).all(kept) == ["Hello"]


def test_of_words_that_no_address_can_hold_the_draft_alone_is_kept(club: Club) -> None:
    number, _ = begun(club)
    guest = club.guest()
    for words in ("x" * LONGEST_ADDRESS, "\N{SNOWMAN}" * 300):
        back = then(sends_form(guest, f"/boards/{number}/move", {"turn": "B3", "comment": words}))
        assert back == f"/boards/{number}?turn=B3"
    assert (
        then(sends_form(guest, f"/boards/{number}/act", {"verb": "chat", "comment": "x" * 4000})) == f"/boards/{number}"
    )


def test_a_guest_who_asks_to_sign_in_comes_back_to_what_he_tried_out(club: Club) -> None:
    number, _ = begun(club)
    page = club.guest().opens(f"/boards/{number}?turn=b3/&pick=D")
    (way,) = page.all("//section[@aria-labelledby='draft-title']//a[starts-with(@href, '/sign-in')]/@href")
    assert parse_qs(urlsplit(way).query)["then"] == [f"/boards/{number}?turn=B3%2F&pick=D"]


def test_what_a_form_that_is_too_old_says_stands_on_the_page_again(club: Club) -> None:
    number, (first, _) = begun(club)
    browser = club.browser(first)
    fields = {"turn": "B3", "comment": "Have fun", "token": "of another session"}
    page = shown(sends_form(browser, f"/boards/{number}/move", fields), 403)
    assert page.find("//*[@role='alert']")
    assert page.all("//textarea[@id='comment']") == ["Have fun"]
    assert club.board(number).event_number == 0
    assert sends(page, browser, "Play B3").status_code == 303
