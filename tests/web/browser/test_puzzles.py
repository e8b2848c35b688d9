"""A puzzle is solved with the mouse and the keys."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from pbem.bootstrap.parts import stored_puzzles
from tests.web.browser.conftest import Come

PUZZLE = next(each for each in stored_puzzles().values() if each.game == "mambo" and each.wins_in == 2)


def test_a_puzzle_is_solved_on_its_board(come: Come) -> None:
    visitor = come()
    visitor.goes(f"/puzzles?game=mambo&theme=two&difficulty={PUZZLE.difficulty}")
    page, move = visitor.page, PUZZLE.lines[0][0]
    page.get_by_role("link", name=re.compile(rf"{PUZZLE.game.title()} {PUZZLE.number}$")).click()
    page.locator(f"#board svg a.place:has([data-label='{move.rstrip('0123456789')}'])").first.click()
    page.locator(f".choices a[data-step='{move}']").click()
    expect(page.locator("#turn")).to_have_value(move)
    page.locator("p.send").get_by_role("button", name="Check it").click()
    expect(page.locator("#draft-title")).to_have_text("Solved")
    expect(page.locator("ol.tried li")).to_have_count(len(PUZZLE.lines[0]))
