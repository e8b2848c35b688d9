"""Forms that are sent over a slow connection, by people who press their buttons twice."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import HeldRequests, fresh, seat, waits_until


def presses_twice(held: HeldRequests, button: str) -> None:
    """Press a button, and once more when the browser has asked, but before the answer comes; it asks but once."""
    page, asked = held.page, len(held.routes)
    page.wait_for_load_state("load")  # before, its script may not run yet
    pressed = page.get_by_role("main").get_by_role("button", name=button, exact=True)
    pressed.scroll_into_view_if_needed()
    box = pressed.bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)
    waits_until(page, lambda: len(held.routes) > asked)
    page.mouse.click(*middle)
    page.wait_for_timeout(300)
    assert len(held.routes) == asked + 1


def test_a_challenge_whose_button_is_pressed_twice_begins_one_board(server: RunningServer, come: Come) -> None:
    nora, nils = fresh("nora", "nils")
    server.player(nora)
    server.player(nils)
    visitor = come()
    visitor.signs_in(nora, then="/challenge")
    visitor.writes(to=nils)
    visitor.page.locator("#to").blur()
    expect(visitor.page.locator("#go")).to_have_text(f"Challenge {nils}")
    held = HeldRequests(visitor.page, r"/challenge$")
    presses_twice(held, f"Challenge {nils}")
    held.routes[0].continue_()
    visitor.sees(nils)
    visitor.page.unroute_all()
    visitor.goes("/")
    expect(visitor.page.locator("section:is([aria-labelledby=mine], [aria-labelledby=others]) li")).to_have_count(1)


def test_words_are_said_once_and_can_be_said_again(server: RunningServer, come: Come) -> None:
    visitor = seat(server, come, "superbo", "nell", "noel").visitors[0]
    page = visitor.page
    held = HeldRequests(page, r"/act$")
    visitor.writes(chat="Hello!")
    presses_twice(held, "Send")
    held.routes[0].abort("aborted")  # whoever stops it stays on the page
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")  # or comes back to it
    presses_twice(held, "Send")
    held.routes[1].abort("aborted")
    visitor.writes(chat="Hello, you!")
    presses_twice(held, "Send")
    held.routes[2].continue_()
    expect(page.locator(".remark")).to_contain_text("Hello, you!")
    for times in (1, 2):
        visitor.writes(chat="And again")
        presses_twice(held, "Send")
        held.routes[-1].continue_()
        expect(page.locator(".remark").filter(has_text="And again")).to_have_count(times)
