"""The private note on the page of a board."""

from __future__ import annotations

import httpx

from tests.support.web_site import WebClient, WebPage, WebSite
from tests.web.boards.drafting import begun
from tests.web.visiting import mails, sends, token

NOTE = "//textarea[@name='note']"


def saves(browser: WebClient, number: int, note: str, seen: int | None = None) -> httpx.Response:
    """Save a note on the page of a board; ``seen`` is the revision that it has shown, if it is not the present one."""
    (button,) = browser.opens(f"/boards/{number}").all("//button[starts-with(@value, 'note ')]/@value")
    verb = button if seen is None else f"note {seen}"
    return sends(browser, f"/boards/{number}/act", {"token": token(browser), "verb": verb, "note": note})


def test_a_note_is_saved_changed_and_deleted_with_one_button(site: WebSite) -> None:
    number, (first, _) = begun(site)
    page, browser = f"/boards/{number}", site.browser(first)
    sent = mails(site, f"{first}@example.org")
    assert browser.opens(page).all(f"//details[not(@open)]{NOTE}") == [""]
    assert saves(browser, number, "Corner\r\n\r\n is <weak>").status_code == 303
    assert browser.opens(page).all(f"//details[@open]{NOTE}") == ["Corner is <weak>"]
    saves(browser, number, "Edge")
    assert browser.opens(page).all(NOTE) == ["Edge"]
    saves(browser, number, "  ")
    assert browser.opens(page).all(NOTE) == [""]
    assert mails(site, f"{first}@example.org") == sent


def test_a_note_is_shown_to_its_owner_alone_and_guests_have_none(site: WebSite) -> None:
    number, (first, second) = begun(site)
    page = f"/boards/{number}"
    saves(site.browser(first), number, "Zwetschgen")
    assert "Zwetschgen" in site.browser(first).opens(f"{page}?move=0").source
    assert "Zwetschgen" not in site.browser(second).opens(page).source
    assert "Zwetschgen" not in site.guest().opens(page).source
    assert site.guest().opens(page).find(NOTE) == []
    assert "Zwetschgen" not in site.guest().asks(f"/api/boards/{number}").text


def test_a_note_that_was_changed_elsewhere_is_not_overwritten_and_no_word_is_lost(site: WebSite) -> None:
    number, (first, _) = begun(site)
    page, browser = f"/boards/{number}", site.browser(first)
    saves(browser, number, "One")
    answer = saves(browser, number, "Two", 0)
    assert answer.status_code == 409
    assert "Your note on board" in answer.text
    shown = WebPage(answer)
    assert shown.all(NOTE) == ["One Two"], "neither is lost when it is sent again"
    assert browser.opens(page).all(NOTE) == ["One"]
    shows = dict(zip(shown.all("//textarea/@name"), shown.find("//textarea"), strict=True))
    saves(browser, number, shows["note"].text or "")
    assert browser.opens(page).all(NOTE) == ["One Two"]


def test_words_kept_while_signing_in_stand_below_a_note_that_was_saved_meanwhile(site: WebSite) -> None:
    number, (first, _) = begun(site)
    guest, browser = site.guest(), site.browser(first)
    saves(browser, number, "One\nTwo")
    sends(guest, f"/boards/{number}/act", {"verb": "note 0", "note": "One\nThree"})
    browser.client.cookies.update(guest.client.cookies)
    assert browser.opens(f"/boards/{number}").all(NOTE) == ["One Two Three"]


def test_a_note_that_is_too_long_is_refused(site: WebSite) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    answer = saves(browser, number, "x" * 4001)
    assert "A note has at most 4,000 characters" in answer.text
