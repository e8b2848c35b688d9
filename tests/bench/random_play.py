"""Random games against the table of the rules: ``python -m tests.bench.random_play [games] [seed]``.

The random turn: first a legal first placement, evenly; then a legal second, evenly.
"""

from __future__ import annotations

import random
import sys
import time
from statistics import mean
from typing import TYPE_CHECKING

from pbem.games.game import Ending
from pbem.games.hextile.superbo import SUPERBO

if TYPE_CHECKING:
    from pbem.games.hextile.position import Position

EXPECTED = {
    "turns": 25.1,
    "tiles laid": 61.3,
    "first wins %": 51.0,
    "draws %": 7.0,
    "decided early %": 10.0,
}


def play_randomly(chance: random.Random) -> Position:
    """Play one game to its end."""
    position = SUPERBO.begin({}, players=2)
    while position.outcome is None:
        position = position.play(chance.choice(position.legal()))
    return position


def measure(games: int, seed: int) -> dict[str, float]:
    """The figures of the table over so many games."""
    chance = random.Random(seed)  # noqa: S311  not a secret
    ends = [play_randomly(chance) for _ in range(games)]
    outcomes = [end.outcome for end in ends if end.outcome is not None]
    return {
        "turns": mean(end.ply for end in ends),
        "tiles laid": mean(len(end.layout.tiles) for end in ends),
        "first wins %": 100 * mean(outcome.winners == (0,) for outcome in outcomes),
        "draws %": 100 * mean(not outcome.winners for outcome in outcomes),
        "decided early %": 100 * mean(outcome.ending is Ending.KILLED for outcome in outcomes),
    }


def main(games: int = 500, seed: int = 1) -> None:
    """Print measured and expected figures side by side."""
    began = time.perf_counter()
    measured = measure(games, seed)
    seconds = time.perf_counter() - began
    for figure, expected in EXPECTED.items():
        sys.stdout.write(f"{figure:16} {measured[figure]:6.1f}   table {expected:6.1f}\n")
    sys.stdout.write(f"{games} games, {1000 * seconds / games:.1f} ms a game\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
