"""Searches against trying everything by the rules, and broken off and gone on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pbem.games.hextile.grid import Colour
from pbem.games.hextile.lambo import TILE
from pbem.games.hextile.position import Position
from tests.proofs.__main__ import position_after
from tests.proofs.check import turns
from tests.proofs.solver import Search

SMALL = 1 << 10
"""Entries of a table in which much is replaced."""


def ending(variant: str, seed: int, left: int) -> Position:
    """A position by lot with so few tiles left."""
    lots, position = Random(f"{variant} {seed}"), position_after(f"{variant} size=12", ())
    for _ in range(3):
        going_on = [after for after in turns(position) if after.outcome is None]
        position = lots.choice(going_on)
    return replace(position, supply={TILE: left})


def winner_by_rules(position: Position) -> int:
    """The worth for the first seat with best play: 1, 0 or -1."""
    if position.outcome is not None:
        winners = position.outcome.winners
        return 0 if not winners else 1 if winners == (0,) else -1
    sign = 1 if position.to_act == 0 else -1
    best = -1
    for after in turns(position):
        best = max(best, sign * winner_by_rules(after))
        if best == 1:
            break
    return sign * best


def winner_by_search(position: Position) -> int:
    light, dark = (settled(Search(position, colour, SMALL)) for colour in position.colours)
    assert not (light and dark)
    return 1 if light else -1 if dark else 0


def settled(search: Search) -> bool:
    while search.progress.won is None:
        search.go_on(50)
    assert search.progress.won is not None
    return search.progress.won


@pytest.mark.parametrize(
    ("variant", "left", "seeds"),
    [
        ("palago", 1, {0: 0, 25: -1}),
        ("palago", 2, {0: 0, 10: -1}),
        ("palago", 3, {10: -1}),
        ("lambo", 1, {0: 1, 3: 0, 1: -1}),
        ("lambo", 2, {38: 0, 0: -1}),
        ("lambo", 3, {0: 1, 1: -1}),
    ],
)
def test_before_the_end_it_finds_the_same_winner_as_trying_everything(
    variant: str, left: int, seeds: dict[int, int]
) -> None:
    for seed, winner in seeds.items():
        position = ending(variant, seed, left)
        assert winner_by_rules(position) == winner
        assert winner_by_search(position) == winner


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", ["palago", "lambo"])
def test_four_tiles_before_the_end_it_does_so_too(variant: str) -> None:
    for seed in range(6):
        position = ending(variant, seed, 4)
        assert winner_by_search(position) == winner_by_rules(position)


def test_a_search_that_was_killed_goes_on_where_it_was_kept(tmp_path: Path) -> None:
    kept, position = tmp_path / "searches" / "one.table", position_after("palago size=12", ["A1", "J3,M3"])
    whole = Search(position, Colour.O, SMALL)
    result, pieces = settled(whole), 0
    assert whole.progress.positions > 20
    while True:
        again = Search(position, Colour.O, SMALL)
        if kept.exists():
            again.load(kept)
        if again.progress.won is not None:
            break
        again.go_on(8)
        again.save(kept)
        kept.with_suffix(".part").write_bytes(b"half of a table")  # killed while it wrote the next
        pieces += 1
    assert pieces > 2
    assert again.progress.won == result
    assert again.progress.positions >= 8 * (pieces - 1)


def test_a_file_of_another_search_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "one.table"
    Search(position_after("palago", ["A1"]), Colour.O, SMALL).save(kept)
    with pytest.raises(ValueError, match=r"one\.table"):
        Search(position_after("palago", ["A1"]), Colour.WHITE, SMALL).load(kept)
