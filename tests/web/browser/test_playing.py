"""Playing on the page of a board in the ways that people have."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.support.browser import NO_SCRIPT, PHONE, Visitor
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat, waits_until

MOST_TABS = 120
TAP = 24
"""The least breadth and height, in CSS pixels, of what is tapped (WCAG 2.2, 2.5.8)."""


def test_a_move_by_mail_appears_in_the_browsers_that_have_the_board_open(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "lisa", "leo")
    leo, guest = table.visitors[1], come()
    guest.goes(table.path)
    expect(leo.page.locator("#draft-title")).to_have_text("Try a move")
    table.people[0].answers(table.mails[0], "B3")
    leo.has_turn()
    for visitor in (leo, guest):
        visitor.sees("1. B3")


def test_a_move_is_made_with_the_keyboard_alone(server: RunningServer, come: Come) -> None:
    mover, other = seat(server, come, "superbo", "kim", "kay").visitors
    keys = mover.page.keyboard
    tabs_to(mover, "svg a.place, svg a")
    keys.press("Enter")
    expect(mover.page.locator(".turning")).to_be_attached()
    first = mover.page.locator("#place").inner_text()
    keys.press("ArrowRight")
    expect(mover.page.locator("#place")).not_to_have_text(first)
    laid = mover.page.locator("#place").inner_text().split()[-1]
    tabs_to(mover, ".turning a:not(.hidden), #place")
    keys.press("Enter")
    expect(mover.page.locator(".turning")).to_have_count(0)
    expect(mover.page.locator("form[action$='/move'] button.main")).to_be_visible()
    tabs_to(mover, "form[action$='/move'] button.main")
    keys.press("Enter")
    mover.sees(f"1. {laid}")
    other.has_turn()


def test_keys_turn_a_tile_unless_they_scroll_what_has_the_keyboard(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "kira", "kurt")
    table.goes_on("B3", "C4,K5")
    page = table.visitors[0].page
    page.locator("#board svg a.place").first.click()
    laid = page.locator("#place")
    first = laid.inner_text()
    moves = page.locator(".scroll:has(table.moves)")
    moves.evaluate("list => { list.style.maxHeight = '2.5rem'; list.scrollTop = 0; list.focus(); }")
    page.keyboard.press("ArrowDown")
    waits_until(page, lambda: bool(moves.evaluate("list => list.scrollTop") > 0))
    page.locator(".turning a:not(.hidden)").focus()
    page.keyboard.press("r")
    expect(laid).to_have_text(first)
    page.keyboard.press("ArrowDown")
    expect(laid).not_to_have_text(first)


def test_the_wheel_turns_a_tile_and_with_ctrl_zooms_the_board_which_is_dragged_then(
    server: RunningServer, come: Come
) -> None:
    page = seat(server, come, "superbo", "wanda", "willy").visitors[0].page
    page.locator("#board svg a.place").first.click()
    laid, frame = page.locator("#place"), page.locator(".frame")
    first = laid.inner_text()
    page.locator(".turning a:not(.hidden)").hover()
    page.mouse.wheel(0, 100)
    expect(laid).not_to_have_text(first)
    drawing, small = frame.locator("> svg"), box_of(frame.locator("> svg"))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    expect(frame).to_have_class(re.compile("zoomed"))
    large, corner = box_of(drawing), box_of(frame)
    assert large["width"] > 2 * small["width"]
    page.mouse.move(corner["x"] + 30, corner["y"] + 30)
    page.mouse.down()
    page.mouse.move(corner["x"] + 70, corner["y"] + 50, steps=4)
    page.mouse.up()
    moved = box_of(drawing)
    assert (round(moved["x"] - large["x"]), round(moved["y"] - large["y"])) == (40, 20)


def box_of(found: Locator) -> FloatRect:
    """The place of something on the screen."""
    box = found.bounding_box()
    assert box is not None
    return box


def tabs_to(visitor: Visitor, selector: str) -> None:
    """Press the tabulator until the focus is where it is to be, and can be seen."""
    for _ in range(MOST_TABS):
        if visitor.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not get to {selector}")


def test_a_move_is_made_with_a_thumb_on_a_phone(server: RunningServer, come: Come) -> None:
    mover, other = seat(server, come, "superbo", "tom", "tina", **PHONE).visitors
    spaces = mover.page.locator("#board svg a.place")
    for box in [space.bounding_box() for space in spaces.all()]:
        assert box is not None
        assert min(box["width"], box["height"]) >= TAP
    spaces.first.tap()
    expect(mover.page.locator(".turning")).to_be_attached()
    expect(mover.page.locator("#place")).to_be_in_viewport(ratio=1)
    mover.page.locator("#place").tap()
    other.has_turn()


def test_words_go_with_the_tile_that_completes_a_turn(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "wim", "wolf")
    table.goes_on("B3")
    mover, other = table.visitors[1], table.visitors[0]
    mover.page.locator("svg a.place:not(.closed)").first.click()
    expect(mover.page.get_by_role("link", name="Lay this tile")).to_be_visible()  # the first of two
    assert mover.page.locator(".with-words").count() == 0
    mover.page.locator(".confirm .lays").click()
    expect(mover.page.locator(".turning")).to_have_count(0)
    mover.page.locator("svg a.place:not(.closed)").first.click()
    expect(mover.page.get_by_role("link", name="Play this move")).to_be_visible()
    mover.page.locator(".turning a:not(.hidden)").click()
    turned = mover.page.locator(".turning a:not(.hidden)").get_attribute("data-step")
    mover.page.get_by_role("link", name="Write something with it").click()
    mover.plays("Two tiles, one word.")
    mover.sees("Two tiles, one word.")
    assert turned is not None
    mover.sees(turned)
    other.has_turn()


def test_a_move_is_made_without_a_script(server: RunningServer, come: Come) -> None:
    mover, other = seat(server, come, "superbo", "noa", "ned", **NO_SCRIPT).visitors
    mover.place("B").click()
    mover.page.locator(".choices a[data-step='B3']").click()
    mover.plays("by hand")
    mover.sees("1. B3")
    other.goes(mover.page.url)
    other.has_turn()


def test_a_tile_that_turns_shows_what_would_be_laid_by_itself(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "ugo", "una")
    table.goes_on("B3", "C4,K5")
    mover = table.visitors[0]
    mover.clicks(mover.place("H"))
    seen = mover.page.locator("svg .turning .by-itself:visible")
    expect(seen).to_have_count(1)
    for told in ("brings J1", "brings J6"):
        expect(mover.page.locator("#by-itself")).to_have_text(told)
        mover.page.locator("svg .turning a:visible .tile").click()
    expect(seen).to_have_count(1)


PLACES = """() => Object.fromEntries([...document.querySelectorAll(".tiles > g:not(.ghost)")].map((each) => {
  const { a, e, f } = each.getScreenCTM();
  return [each.getAttribute("transform"), [a, e + scrollX, f + scrollY]];
}))"""


@pytest.mark.parametrize(
    "profile",
    [{"viewport": {"width": 1280, "height": 800}}, {**PHONE, "viewport": {"width": 390, "height": 844}}],
    ids=["screen", "phone"],
)
def test_laid_tiles_stay_where_they_are_within_a_turn(
    server: RunningServer, come: Come, profile: dict[str, Any]
) -> None:
    table = seat(server, come, "superbo", "stan", "sten", **profile)
    table.goes_on("B3", "C4,K5", "G2,H7")
    page = table.visitors[1].page
    places = [page.evaluate(PLACES)]
    for _ in range(2):
        page.locator("svg a.place:not(.closed)").last.click()
        expect(page.locator(".turning")).to_be_attached()
        places.append(page.evaluate(PLACES))
        completes = page.locator(".with-words")
        (completes if completes.is_visible() else page.locator("#place")).click()
        expect(page.locator(".turning")).to_have_count(0)
        places.append(page.evaluate(PLACES))
    expect(page.locator("#send")).to_be_visible()
    assert len(places[0]) == 7
    for before, after in itertools.pairwise(places):
        for tile, at in before.items():
            assert after[tile] == pytest.approx(at, abs=1), tile


def test_going_back_takes_a_step_back(server: RunningServer, come: Come) -> None:
    mover = seat(server, come, "superbo", "bea", "ben").visitors[0]
    start = mover.page.url
    mover.clicks(mover.place("B"))
    mover.clicks(mover.page.locator(".choices a[data-step='B3']"))
    mover.page.go_back()
    expect(mover.page.locator(".turning")).to_be_attached()
    mover.page.go_back()
    expect(mover.page).to_have_url(start)
    expect(mover.page.locator(".turning")).to_have_count(0)


def test_a_guest_tries_moves_and_sends_none(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "gus", "gil")
    guest = come()
    guest.goes(table.path)
    guest.lays("B3")
    expect(guest.page.locator("form[action$='/move']")).to_have_count(0)
    guest.page.locator("main").get_by_role("link", name=re.compile("Sign in")).first.click()
    guest.is_at("/sign-in")
