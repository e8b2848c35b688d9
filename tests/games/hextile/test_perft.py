"""The number of ways on from the beginning, tile by tile; every later generator must come to the same numbers."""

import pytest

from pbem.games.hextile.position import Position
from tests.games.hextile.playing import after, naively_legal, placements, start

COUNTS = {
    "mambo": (6, 108, 2424, 63468),
    "mambo mamba": (6, 108, 2724, 86736),
    "mambo mamba auto=limited loops=2": (6, 108, 2424, 63720),
    "mambo mamboa": (6, 108, 2424, 63468),
    "mambo mambogo": (6, 108, 2724, 86736),
    "lambo": (18, 432, 6156),
    "lambo anywhere": (18, 432, 12636),
    "lambo eat_enemy": (18, 432, 6156),
    "lambo must_contain": (18, 432, 6156),
    "palago": (18, 432, 6156),
    "palago size=4": (18, 432, 6156, 0),
    "superbo": (18, 812, 16388),
    "superbo adjacent_pair": (18, 812, 15348),
    "superbo anywhere": (18, 812, 35700),
    "superbo any_colour": (36, 1616, 41984),
    "superbo single": (18, 404, 11148),
    "superbo kill_own": (18, 812, 16388),
    "superbo num_tiles=2": (18, 546, 4792, 0),
}
"""After one tile, two, three …; a turn of two tiles is two steps."""

SLOWLY = 3_000
"""Positions up to which the slow generator is asked, too."""


def perft(position: Position, depth: int) -> int:
    steps = placements(position)
    return len(steps) if depth == 1 else sum(perft(position.play(step), depth - 1) for step in steps)


def slow_perft(position: Position, depth: int) -> int:
    steps = naively_legal(position) if position.outcome is None else []
    return len(steps) if depth == 1 else sum(slow_perft(position.after(step), depth - 1) for step in steps)


@pytest.mark.parametrize("variant", COUNTS)
def test_so_many_ways_lead_on(variant: str) -> None:
    counts = COUNTS[variant]
    assert tuple(perft(start(variant), depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("variant", COUNTS)
def test_the_slow_generator_comes_to_the_same(variant: str) -> None:
    cheap = [count for count in COUNTS[variant] if 0 < count < SLOWLY]
    assert [slow_perft(start(variant), depth) for depth in range(1, len(cheap) + 1)] == cheap


def test_as_many_ways_lead_on_in_the_middle_of_a_game() -> None:
    assert perft(after("C2"), 2) == 912
