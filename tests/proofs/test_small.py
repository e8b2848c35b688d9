"""Few tiles: the search step by step against trying everything by the rules."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from pbem.games.hextile.position import Position
from tests.bots.endgames import worth
from tests.matches.openings import PAIRS
from tests.proofs.__main__ import position_after
from tests.proofs.small import StepSearch, results, table, winner
from tests.proofs.solver import Search

PAGE = (Path(__file__).parents[2] / "docs" / "palago.md").read_text()
WORTHS = {"first": 1, "draw": 1 / 2, "second": 0}
ENDLESS = float("inf")


def by_lot(variant: str, seed: int, left: int) -> Position:
    """A position of a game by lot, perhaps in the middle of a turn, with at most so many tiles left."""
    lots, position = Random(f"{variant} {seed}"), position_after(variant, ())
    while sum(position.supply.values()) > left:
        position = lots.choice([after for after in map(position.play, position.legal()) if after.outcome is None])
    return position


def worth_to_first(position: Position) -> float:
    """The worth for the first seat, by trying everything."""
    return worth(position) if position.to_act == 0 else 1 - worth(position)


@pytest.mark.parametrize(
    ("variant", "left"),
    [("mambo size=8", 2), ("superbo num_tiles=5", 1), ("lambo size=8", 2), ("palago size=8", 2)],
)
def test_it_finds_what_trying_everything_by_the_rules_finds(variant: str, left: int) -> None:
    for seed in range(6):
        position = by_lot(variant, seed, left)
        assert WORTHS[winner(position, ENDLESS)[0]] == worth_to_first(position)


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", ["mambo size=4", "superbo num_tiles=2", "lambo size=4", "palago size=4"])
def test_whole_games_with_the_fewest_tiles_are_worth_what_trying_everything_finds(variant: str) -> None:
    position = position_after(variant, ())
    assert WORTHS[winner(position, ENDLESS)[0]] == worth_to_first(position)


def test_a_search_that_stops_goes_on() -> None:
    position = position_after("palago size=4", ())
    whole, tree = StepSearch(position, 0, size=1 << 10), StepSearch(position, 0, size=1 << 10)
    whole.go_on(10_000)
    while tree.won is None:
        tree.go_on(20)
    assert tree.won == whole.won
    assert winner(position, time.monotonic())[0] == "open"


def test_the_page_has_the_table_of_what_was_found() -> None:
    assert len(results()) > 8
    assert table() in PAGE


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", ["lambo", "palago"])
def test_both_searches_find_the_same_winners(variant: str) -> None:
    """By whole turns from each pair of the start tile and Light's first one, and step by step from the start."""
    known = {each["tiles"]: each["winner"] for each in results() if each["game"] == variant}
    for tiles in range(4, 8):
        won = set[str]()
        for first, *_ in PAIRS:
            position = position_after(f"{variant} size={tiles}", [first])
            light, dark = (settled(Search(position, colour, 1 << 18)) for colour in position.colours)
            won.add("first" if light else "second" if dark else "draw")
        assert known[tiles] == min(won, key=["first", "draw", "second"].index)


def settled(search: Search) -> bool | None:
    while search.progress.won is None:
        search.go_on(10_000)
    return search.progress.won
