"""Tiles and pieces are dragged to where they are to go, with a mouse or a finger."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, expect

from tests.conversations.mamba import BOTH, begin
from tests.support.browser import PHONE, Visitor
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import fresh, seat

LONGER_THAN_A_SWIPE = 400
"""Milliseconds."""


def middle(found: Locator) -> tuple[float, float]:
    """The place of its middle on the screen."""
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drags(visitor: Visitor, what: Locator, to: Locator | tuple[float, float]) -> None:
    """Drag something with the mouse."""
    mouse = visitor.page.mouse
    mouse.move(*middle(what))
    mouse.down()
    x, y = to if isinstance(to, tuple) else middle(to)
    mouse.move(x + 5, y + 5, steps=5)
    expect(visitor.page.locator(".dragged")).to_be_visible()
    mouse.move(x, y)
    mouse.up()
    expect(visitor.page.locator(".dragged")).to_have_count(0)


def slides(visitor: Visitor, *way: Sequence[float]) -> None:
    """Drag something with a finger, not as fast as to swipe."""
    hand = visitor.context.new_cdp_session(visitor.page)
    for kind, (x, y) in zip(("touchStart", *("touchMove",) * (len(way) - 1)), way, strict=True):
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        visitor.page.wait_for_timeout(LONGER_THAN_A_SWIPE / len(way))
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(visitor.page.locator(".dragged")).to_have_count(0)


def tried(visitor: Visitor) -> Locator:
    """The tile that is tried out on the chosen space."""
    return visitor.page.locator(".turning a:not(.hidden) .tile")


def drafted(visitor: Visitor, turn: str) -> None:
    """Wait until this turn is drafted."""
    expect(visitor.page.locator(".drafted strong")).to_have_text(turn)


def states(visitor: Visitor, places: Sequence[str]) -> dict[str, list[str]]:
    """The states that can be laid on some spaces."""
    found = {}
    for place in places:
        visitor.clicks(visitor.place(place))
        steps = [each.get_attribute("data-step") or "" for each in visitor.page.locator(".choices a").all()]
        found[place] = [step.removeprefix(place) for step in steps]
        visitor.page.keyboard.press("Escape")
        expect(visitor.page.locator(".turning")).to_have_count(0)
    return found


def test_a_tile_is_dragged_from_the_palette_and_from_space_to_space(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "dora", "dirk")
    table.goes_on("B3", "C4,K5")
    mover = table.visitors[0]
    fits = states(mover, "AGH")
    state, there = next((fits[one][0], other) for one in "G" for other in "AH" if fits[one][0] in fits[other])
    mover.clicks(mover.place("G"))
    drags(mover, mover.page.locator(f".choices a[data-step=G{state}]"), mover.place("G"))
    drafted(mover, f"G{state}")
    mover.page.locator(".back a").first.click()
    mover.clicks(mover.place("G"))
    drags(mover, tried(mover), mover.place(there))
    drafted(mover, f"{there}{state}")


def test_the_tile_laid_last_is_dragged_to_another_space(server: RunningServer, come: Come) -> None:
    mover = seat(server, come, "superbo", "dana", "dolf").visitors[0]
    fits = states(mover, "ABCDEF")
    there, state = next((place, state) for place in "ACDEF" for state in fits[place] if state in fits["B"])
    mover.lays(f"B{state}")
    address = mover.page.url
    for nowhere in (mover.page.locator(".tiles > g:not(.ghost)").first, (5.0, 5.0)):
        drags(mover, mover.page.locator(".tiles .ghost"), nowhere)
        expect(mover.page.locator(".misfit")).to_be_visible(visible=not isinstance(nowhere, tuple))
        assert mover.page.url == address
    # The space to which it goes has another label while the tile lies on B: the labels say where it would be then.
    lying = mover.page.locator(".tiles .ghost")
    space = mover.page.locator(f"svg .label [data-label={there}]")
    drags(mover, lying, space)
    drafted(mover, f"{there}{state}")


def test_what_does_not_fit_goes_back_and_the_page_says_why(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "dina", "dago")
    table.goes_on("B3", "C4,K5")
    mover = table.visitors[0]
    fits = states(mover, "AGH")
    there, state = next((to, each) for to in "GH" for each in fits["A"] if each not in fits[to])
    mover.clicks(mover.place("A"))
    address = mover.page.url
    drags(mover, mover.page.locator(f".choices a[data-step=A{state}]"), mover.place(there))
    told = mover.page.locator(".misfit")
    expect(told).to_contain_text(f"{there}{state}")
    assert mover.page.url == address
    expect(mover.page.locator(".drafted")).to_have_count(0)
    mover.page.locator("h1").click()
    expect(told).to_be_hidden()


def test_a_finger_drags_a_tile_and_still_turns_it_with_a_swipe(server: RunningServer, come: Come) -> None:
    mover = seat(server, come, "superbo", "desi", "dago", **PHONE).visitors[0]
    fits = states(mover, "ABCDEF")
    there = next(place for place in "ACDEF" if fits["B"][0] in fits[place])
    mover.place("B").tap()
    expect(mover.page.locator(".turning")).to_be_attached()
    (fromx, fromy), (x, y) = middle(tried(mover)), middle(mover.place(there))
    slides(mover, (fromx, fromy), (fromx, fromy + 20), (x, y - 10), (x, y))
    drafted(mover, f"{there}{fits['B'][0]}")
    mover.page.locator(".confirm .leaves").tap()
    mover.place("B").tap()
    picture = mover.page.locator(".choices a").first
    step = picture.get_attribute("data-step")
    (fromx, fromy), (x, y) = middle(picture), middle(mover.place("B"))
    slides(mover, (fromx, fromy), (fromx, fromy - 20), (x, y + 10), (x, y))
    drafted(mover, step or "")


def test_a_piece_is_dragged_to_a_cell(server: RunningServer, come: Come) -> None:
    opal, odo = fresh("opal", "odo")
    table = begin(server, opal, odo)
    table.play(*BOTH)
    visitor = come()
    visitor.goes(f"/boards/{table.number}")
    start = visitor.page.url
    piece = visitor.place("f5").locator(".piece")
    drags(visitor, piece, visitor.page.locator("svg [data-cell=a1]"))
    expect(visitor.page.locator(".misfit")).to_have_text("This piece cannot go there now.")
    assert visitor.page.url == start
    drags(visitor, piece, visitor.page.locator("svg [data-cell=e4]"))
    expect(visitor.page.locator(".either a")).to_have_count(2)
    expect(visitor.page).to_have_url(re.compile("pick=f5&to=e4"))
