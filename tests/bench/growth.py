"""What one placement costs as the board grows: ``python -m tests.bench.growth [games] [seed]``.

The time of ``play`` alone, in ms, on average over random games, by the tiles that lie after it. It may grow
no faster than the tiles do.
"""

from __future__ import annotations

import random
import sys
import time
from statistics import mean
from typing import TYPE_CHECKING

from pbem.games.hextile.lambo import LAMBO
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.superbo import SUPERBO

if TYPE_CHECKING:
    from pbem.games.hextile.family import HexTileGame

LARGE = (
    (MAMBO, ("no_kill", "size=400")),
    (MAMBO, ("mamba", "loops=20", "size=400")),
    (MAMBO, ("mambogo", "size=400")),
    (LAMBO, ("must_contain", "size=400")),
    (LAMBO, ("eat_enemy=20", "size=400")),
    (SUPERBO, ("kill_own", "kill_size=100", "num_tiles=200")),
)
"""Games that nearly always use up a large supply."""

STEP = 50
"""Tiles to a column."""


def measure(game: HexTileGame, options: tuple[str, ...], games: int, seed: int) -> dict[int, list[float]]:
    """Seconds of each placement, by how many times `STEP` tiles lay after it."""
    chance = random.Random(seed)  # noqa: S311  not a secret
    took: dict[int, list[float]] = {}
    for _ in range(games):
        position = game.begin(game.read_options(options), players=2)
        while position.outcome is None:
            step = chance.choice(position.legal())
            began = time.perf_counter()
            position = position.play(step)
            took.setdefault(len(position.layout.tiles) // STEP, []).append(time.perf_counter() - began)
    return took


def main(games: int = 3, seed: int = 1) -> None:
    """Print one line a game."""
    heads = "".join(f"{f'{STEP * column}+':>7}" for column in range(9))
    sys.stdout.write(f"{'ms a placement':44}{heads}\n")
    for game, options in LARGE:
        took = measure(game, options, games, seed)
        cells = "".join(f"{1000 * mean(took[column]):7.2f}" if column in took else f"{'':7}" for column in range(9))
        sys.stdout.write(f"{' '.join((game.name, *options)):44}{cells}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
