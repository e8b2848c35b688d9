"""Moves and words at a board that cannot be sent, because the visitor has not signed in or the form is too old."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest

from pbem.web.boards.page import LONGEST_COOKIE
from tests.support.web_site import WebSite
from tests.web.boards.drafting import begun, sends
from tests.web.visiting import fills, has_password, link_in, mails, shown, token
from tests.web.visiting import sends as sends_form


def then(answer: httpx.Response) -> str:
    """The page to which a visitor returns after signing in."""
    assert answer.status_code == 303, answer.status_code
    led = urlsplit(answer.headers["location"])
    assert led.path == "/sign-in"
    return parse_qs(led.query)["then"][0]


def test_a_move_of_a_guest_is_kept_until_he_has_signed_in(site: WebSite) -> None:
    number, (first, _) = begun(site)
    has_password(site, first, "a good word")
    guest = site.guest()
    fields = {"turn": "B3", "event": "0", "comment": "Good luck & have fun!"}
    back = then(sends_form(guest, f"/boards/{number}/move", fields))
    assert back == f"/boards/{number}?turn=B3"
    way = f"/sign-in?then={quote(back)}"
    told = guest.opens(way).text
    assert "Your draft and what you wrote there are kept, but have not been sent yet." in told
    assert "Your text is kept in this browser only, for an hour." in told
    answer = fills(guest, way, "/sign-in/password", userid=first, password="a good word")
    assert answer.headers["location"] == back
    page = guest.opens(back)
    assert page.all("//textarea[@id='comment']") == ["Good luck & have fun!"]
    assert sends(page, guest, "Play B3").status_code == 303
    page = guest.opens(f"/boards/{number}")
    assert "1. B3" in page.text
    assert "Good luck" not in page.source.partition('class="said"')[0], "it has been sent"
    assert "unsent" not in guest.client.cookies


def test_by_a_link_in_a_mail_one_comes_back_to_the_same_draft(site: WebSite) -> None:
    number, (first, _) = begun(site)
    guest = site.guest()
    back = then(sends_form(guest, f"/boards/{number}/move", {"turn": "B3"}))
    fills(guest, f"/sign-in?then={quote(back)}", "/sign-in", who=first)
    link = link_in(mails(site, f"{first}@example.org")[-1])
    answer = fills(guest, link, link)
    assert answer.headers["location"] == f"/boards/{number}?turn=B3"


def test_a_link_to_a_draft_that_is_too_long_for_a_mail_leads_to_its_board(site: WebSite) -> None:
    number, (first, _) = begun(site)
    guest, back = site.guest(), f"/boards/{number}?turn={'B3' * 200}"
    page = shown(fills(guest, f"/sign-in?then={quote(back)}", "/sign-in", who=first))
    assert "Your draft is too long for the link" in page.text
    assert parse_qs(urlsplit(link_in(mails(site, f"{first}@example.org")[-1])).query)["then"] == [f"/boards/{number}"]


def test_a_chat_and_a_move_to_be_queued_are_kept_too(site: WebSite) -> None:
    number, (_, second) = begun(site)
    has_password(site, second, "a good word")
    act = f"/boards/{number}/act"
    for fields, kept in (
        ({"verb": "chat", "comment": "Hello"}, "//textarea[@id='chat']"),
        ({"verb": "queue", "move": "Hello"}, "//details[@open]//input[@id='queue']/@value"),
        ({"verb": "plan", "plan": "Hello"}, "//details[@open]//textarea[@id='plan']"),
    ):
        guest = site.guest()
        back = then(sends_form(guest, act, fields))
        way = f"/sign-in?then={quote(back)}"
        assert "What you wrote there is kept" in guest.opens(way).text
        assert guest.opens(back).all(kept) in ([], [""]), "they are for who signs in"
        fills(guest, way, "/sign-in/password", userid=second, password="a good word")
        assert guest.opens(back).all(kept) == ["Hello"]
        assert guest.opens(f"/boards/{number}?turn=B3").all(kept) == ["Hello"]


def test_words_are_kept_as_long_as_a_field_takes(site: WebSite) -> None:
    number, (first, _) = begun(site)
    has_password(site, first, "a good word")
    guest, words = site.guest(), " ".join(f"слово {each % 90}" for each in range(400))
    sends_form(guest, f"/boards/{number}/move", {"turn": "B3", "comment": words[:4000]})
    fills(guest, "/sign-in", "/sign-in/password", userid=first, password="a good word")
    assert guest.opens(f"/boards/{number}?turn=B3").all("//textarea[@id='comment']") == [words[:4000].strip()]


def test_of_words_that_no_cookie_can_hold_is_said_that_they_are_lost_and_the_draft_is_kept(site: WebSite) -> None:
    number, _ = begun(site)
    words = "".join(chr(0x4E00 + each * 7919 % 20000) for each in range(LONGEST_COOKIE))
    guest = site.guest()
    answer = sends_form(guest, f"/boards/{number}/move", {"turn": "B3", "comment": words})
    assert then(answer) == f"/boards/{number}?turn=B3"
    page = guest.opens(answer.headers["location"])
    assert "Your draft there is kept" in page.text
    assert page.all("//p[@role='alert']") == [
        "Your text is too long to be kept. Go back and copy it before you sign in."
    ]


def test_an_address_that_anybody_may_have_mailed_fills_in_no_words(site: WebSite) -> None:
    number, players = begun(site)
    for userid in players:
        page = site.browser(userid).opens(f"/boards/{number}?turn=B3&comment=I+lose&chat=I+lose&queue=C4")
        assert not any(page.all("//textarea"))
        assert not any(page.all("//input[@id='queue']/@value"))


def test_of_a_board_in_another_size_nothing_is_said_to_be_kept(site: WebSite) -> None:
    number, _ = begun(site)
    page = site.guest().opens(f"/sign-in?then=/boards/{number}%3Flarge%3Dyes")
    assert "After signing in, you return to the board." in page.text
    assert "kept" not in page.text


@pytest.mark.parametrize("kept", ["x", "{}.", "{}.!!", "{}.eJw", "{}.YWJj"])
def test_a_cookie_that_is_none_of_ours_fills_in_nothing(site: WebSite, kept: str) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    browser.client.cookies["unsent"] = kept.format(number)
    assert browser.opens(f"/boards/{number}?turn=B3").all("//textarea[@id='comment']") == [""]


def test_who_signs_out_leaves_no_words_behind(site: WebSite) -> None:
    number, (first, second) = begun(site)
    for userid in (first, second):
        has_password(site, userid, "a good word")
    guest = site.guest()
    sends_form(guest, f"/boards/{number}/act", {"verb": "chat", "comment": "Hello"})
    fills(guest, "/sign-in", "/sign-in/password", userid=first, password="a good word")
    sends_form(guest, "/sign-out", {"token": token(guest)})
    fills(guest, "/sign-in", "/sign-in/password", userid=second, password="a good word")
    assert guest.opens(f"/boards/{number}").all("//textarea[@id='chat']") == [""]


def test_a_guest_who_asks_to_sign_in_comes_back_to_what_he_tried_out(site: WebSite) -> None:
    number, _ = begun(site)
    page = site.guest().opens(f"/boards/{number}?turn=b3/&pick=D")
    (way,) = page.all("//section[@aria-labelledby='draft-title']//a[starts-with(@href, '/sign-in')]/@href")
    assert parse_qs(urlsplit(way).query)["then"] == [f"/boards/{number}?turn=B3+%2F+&pick=D"]


def test_what_a_form_that_is_too_old_says_stands_on_the_page_again(site: WebSite) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    fields = {"turn": "B3", "comment": "Have fun", "token": "of another session"}
    page = shown(sends_form(browser, f"/boards/{number}/move", fields), 403)
    assert page.find("//*[@role='alert']")
    assert page.all("//textarea[@id='comment']") == ["Have fun"]
    assert site.board(number).event_number == 0
    assert sends(page, browser, "Play B3").status_code == 303
