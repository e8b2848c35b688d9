"""Forms that are sent over a slow connection, by people who press their buttons twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.web.browser.playing import Held, fresh, seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import RunningServer
    from tests.web.browser.conftest import Come


def presses_twice(page: Page, button: str) -> None:
    """Press a button, and again before the answer comes, and wait until the browser has asked for what it wants."""
    pressed = page.get_by_role("main").get_by_role("button", name=button, exact=True)
    pressed.scroll_into_view_if_needed()
    box = pressed.bounding_box()
    assert box is not None
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(300)


def test_a_challenge_whose_button_is_pressed_twice_begins_one_board(server: RunningServer, come: Come) -> None:
    nora, nils = fresh("nora", "nils")
    server.player(nora)
    server.player(nils)
    visitor = come()
    visitor.signs_in(nora, then="/challenge")
    visitor.writes(to=nils)
    held = Held(visitor.page, r"/challenge$")
    presses_twice(visitor.page, "Challenge")
    held.come()
    assert len(held.routes) == 1
    held.routes[0].continue_()
    visitor.sees(nils)
    visitor.page.unroute_all()
    visitor.goes("/")
    expect(visitor.page.locator("table.list").first.locator("tbody tr")).to_have_count(1)


def test_words_are_said_once_and_can_be_said_again(server: RunningServer, come: Come) -> None:
    visitor = seat(server, come, "superbo", "nell", "noel").visitors[0]
    page = visitor.page
    held = Held(page, r"/act$")
    visitor.writes(chat="Hello!")
    presses_twice(page, "Send it")
    held.come()
    assert len(held.routes) == 1
    held.routes[0].abort("aborted")  # whoever stops it stays on the page
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")  # or comes back to it
    presses_twice(page, "Send it")
    assert len(held.routes) == 2
    held.routes[1].abort("aborted")
    visitor.writes(chat="Hello, you!")
    presses_twice(page, "Send it")
    assert len(held.routes) == 3
    held.routes[2].continue_()
    expect(page.locator(".remark")).to_contain_text("Hello, you!")
    for _ in range(2):
        visitor.writes(chat="And again")
        presses_twice(page, "Send it")
        held.routes[-1].continue_()
        expect(page.locator(".said")).to_contain_text("And again")
    assert len(held.routes) == 5
