"""Boards of Mamba in browsers: what can be chosen is seen, and every way to choose it works."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.conversations.mamba import ANSWERS, BOTH, OPENINGS, TO_A_TURN, begin
from tests.support.browser import DARK, NO_SCRIPT, PHONE, Visitor
from tests.support.colours import contrast
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import fresh, seat
from tests.web.markup import named

SEEN = 3
"""The contrast of what is to be seen (WCAG 2.2, 1.4.11 and 2.4.13)."""

SCREEN: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture(scope="module")
def both(server: RunningServer) -> str:
    """A board where f5 of opal can lay where it can move, too."""
    table = begin(server, *fresh("opal", "odo"))
    table.play(*BOTH)
    return f"/boards/{table.number}"


@pytest.fixture(scope="module")
def decision(server: RunningServer) -> str:
    """A board where perla has to decide what is cut."""
    table = begin(server, *fresh("piet", "pola", "perla"))
    table.play(*OPENINGS[3])
    return f"/boards/{table.number}"


def middle(found: Locator) -> tuple[float, float]:
    """The place of its middle on the screen."""
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def picture(visitor: Visitor) -> Image.Image:
    """The board as it is painted."""
    return Image.open(BytesIO(visitor.page.locator(".drawing svg").screenshot(scale="css"))).convert("RGB")


def pixels(painted: Image.Image) -> list[str]:
    """The colours of a picture, row by row."""
    digits = painted.tobytes().hex()
    return [f"#{digits[start : start + 6]}" for start in range(0, len(digits), 6)]


def seen_changes(before: Image.Image, after: Image.Image) -> int:
    """The number of pixels that have changed visibly."""
    pairs = Counter(zip(pixels(before), pixels(after), strict=True))
    return sum(count for pair, count in pairs.items() if contrast(*pair) >= SEEN)


@pytest.mark.parametrize("profile", [{}, DARK], ids=["light", "dark"])
def test_the_cell_that_has_the_keyboard_is_seen(come: Come, both: str, profile: dict[str, Any]) -> None:
    visitor = come(**SCREEN | profile)
    for path, cell in ((both, "c2"), (f"{both}?pick=f5", "e4"), (f"{both}?pick=f5", "d5"), (f"{both}?pick=f5", "f5")):
        visitor.goes(path)
        before = picture(visitor)
        visitor.place(cell).focus()
        assert seen_changes(before, picture(visitor)) > 200, (path, cell)


def sides(visitor: Visitor, cell: str) -> set[str]:
    """The colours in the middle of the four sides of a cell, a little within it."""
    box = visitor.page.locator(f'.drawing [data-cell="{cell}"] .ground').bounding_box()
    drawing = visitor.page.locator(".drawing svg").bounding_box()
    assert box is not None
    assert drawing is not None
    painted, (x, y) = picture(visitor), (box["x"] - drawing["x"], box["y"] - drawing["y"])
    near, far = 0.04 * box["width"], 0.96 * box["width"]
    half = box["width"] / 3  # beside the piece
    spots = ((half, near), (half, far), (near, half), (far, half))
    colours = pixels(painted)
    return {colours[round(y + down) * painted.width + round(x + right)] for right, down in spots}


@pytest.mark.parametrize("profile", [{}, DARK], ids=["light", "dark"])
def test_the_frame_of_what_can_be_chosen_is_whole(
    come: Come, both: str, decision: str, profile: dict[str, Any]
) -> None:
    visitor, accent = come(**SCREEN | profile), named("light")["accent"]  # squares are light in the dark, too
    visitor.goes(decision)
    for answer in ANSWERS[3]:
        assert sides(visitor, answer.removeprefix("cut ")) == {accent}
    assert accent not in sides(visitor, "g4")
    visitor.goes(f"{both}?pick=f5")
    assert sides(visitor, "f5") == {accent}


def test_the_way_through_the_game_is_above_the_fold(come: Come, both: str, decision: str) -> None:
    visitor = come(**SCREEN)
    for path in (both, decision):
        visitor.goes(path)
        box = visitor.page.locator("nav.steps").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= SCREEN["viewport"]["height"]


def clicks(visitor: Visitor, cell: str) -> None:
    visitor.place(cell).click()


def taps(visitor: Visitor, cell: str) -> None:
    visitor.place(cell).tap()


def enters(visitor: Visitor, cell: str) -> None:
    visitor.place(cell).focus()
    visitor.page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("profile", "chooses"),
    [({}, clicks), (PHONE, taps), ({}, enters), (NO_SCRIPT, clicks)],
    ids=["mouse", "touch", "keyboard", "without a script"],
)
@pytest.mark.parametrize(
    ("name", "step"), [("Move to e4", "move f5-e4"), ("Lay a piece on e4", "lay f5>e4")], ids=["move", "lay"]
)
def test_a_piece_moves_or_lays_where_it_can_do_both(
    come: Come, both: str, profile: dict[str, Any], chooses: Callable[[Visitor, str], None], name: str, step: str
) -> None:
    visitor = come(**profile)
    visitor.goes(both)
    chooses(visitor, "f5")
    expect(visitor.page.locator("svg .picked[data-cell=f5]")).to_be_visible()
    chooses(visitor, "e4")
    asked = visitor.page.locator(".either a")
    expect(asked).to_have_count(2)
    expect(visitor.page.locator("svg a.asked [data-cell=e4]")).to_be_visible()
    if chooses is enters:
        expect(asked.first).to_be_focused()
        if name.startswith("Move"):
            visitor.page.keyboard.press("Tab")
        visitor.page.keyboard.press("Enter")
    else:
        visitor.follows(name)
    expect(visitor.page.locator(".drafted strong")).to_have_text(step)


def test_arrow_keys_lead_over_all_cells_and_the_board_is_one_stop_of_the_tabulator(come: Come, both: str) -> None:
    visitor = come()
    visitor.goes(both)
    page, keys = visitor.page, visitor.page.keyboard
    cells = page.locator("svg.mamba [data-cell]")
    assert cells.count() == 81
    assert page.locator("svg.mamba :is(a, g)[tabindex='0']").count() == 1
    assert page.locator("svg.mamba > :is(a, g):is([aria-label=''], :not([aria-label]):has(.ground))").count() == 0
    visitor.place("f5").focus()
    held = "document.activeElement.dataset.cell || document.activeElement.firstElementChild.dataset.cell"
    steps = {"ArrowUp": (0, -1), "ArrowRight": (1, 0), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0)}
    for key in (*steps, *["ArrowLeft"] * 3, *["ArrowUp"] * 2):
        before = middle(page.locator("svg :focus"))
        keys.press(key)
        after, (across, down) = middle(page.locator("svg :focus")), steps[key]
        size = page.locator("svg.mamba [data-cell=f5] .ground").bounding_box()
        assert size is not None
        assert after == pytest.approx((before[0] + across * size["width"], before[1] + down * size["height"]), abs=2)
    assert page.locator("svg.mamba :is(a, g)[tabindex='0']").count() == 1
    assert page.evaluate(held)
    visitor.place("f5").focus()
    keys.press("Enter")
    expect(page.locator("svg .picked[data-cell=f5]")).to_be_visible()
    expect(page.locator("svg a:focus [data-cell=f5]")).to_have_count(1)


def test_escape_takes_the_question_back_and_then_the_piece(come: Come, both: str) -> None:
    visitor = come()
    visitor.goes(f"{both}?pick=f5&to=e4")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".either")).to_have_count(0)
    expect(visitor.page.locator("svg .picked")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("svg .picked")).to_have_count(0)


def test_a_decision_within_ones_own_turn_is_made_on_the_board(server: RunningServer, come: Come) -> None:
    userids = fresh("quentin", "quarta", "quid", "quo")
    table = begin(server, *userids)
    table.play(*TO_A_TURN[:-1])
    visitor = come()
    visitor.signs_in(userids[0], then=f"/boards/{table.number}")
    for cell in ("e2", "c2"):
        visitor.clicks(visitor.place(cell))
    visitor.sees("c2 and c4 can turn; you choose which is treated next.")
    expect(visitor.page.locator("svg a.answer")).to_have_count(2)
    for _ in range(2):
        visitor.clicks(visitor.place("c4"))
    expect(visitor.page.locator(".drafted strong")).to_have_text("move e2-c2 turn c4")
    visitor.plays()
    visitor.sees(f"It's {userids[1]}'s move.")


def test_teams_of_two_play_on_the_larger_board(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "mamba -inorder -size=11 -teams -rounds=1", "rune", "rudi", "ruth", "ralf")
    for visitor, ways in zip(table.visitors, ("e3 e5", "c5 d5", "e9 e7", "i5 h5"), strict=True):
        visitor.has_turn()
        for cell in ways.split():
            visitor.clicks(visitor.place(cell))
        visitor.plays()
    for visitor in table.visitors:
        visitor.sees(re.compile("The game is a tie|won"))
