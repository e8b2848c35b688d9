"""The cost of one placement as the board grows: ``python -m tests.bench.growth [games] [seed]``.

In ms, on average over random games, by the tiles that lie after it: to play it, and behind the stroke to list
all that are legal before. It may grow no faster than the tiles do.
"""

from __future__ import annotations

import random
import sys
import time
from statistics import mean

from pbem.games.hextile import HexTileGame
from pbem.games.hextile.lambo import LAMBO
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.superbo import SUPERBO

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


def measure(game: HexTileGame, options: tuple[str, ...], games: int, seed: int) -> dict[int, list[tuple[float, float]]]:
    """Seconds to play each placement and to list it, by how many times `STEP` tiles lay after it."""
    chance = random.Random(seed)
    took: dict[int, list[tuple[float, float]]] = {}
    for _ in range(games):
        position = game.begin(game.read_options(options), players=2)
        while position.outcome is None:
            began = time.perf_counter()
            steps = position.legal()
            listed = time.perf_counter()
            position = position.play(chance.choice(steps))
            played = time.perf_counter()
            took.setdefault(len(position.layout.tiles) // STEP, []).append((played - listed, listed - began))
    return took


def main(games: int = 3, seed: int = 1) -> None:
    """Print one line a game."""
    heads = "".join(f"{f'{STEP * column}+':>11}" for column in range(9))
    sys.stdout.write(f"{'ms to play / to list':44}{heads}\n")
    for game, options in LARGE:
        took = measure(game, options, games, seed)
        cells = [_cell(took[column]) if column in took else "" for column in range(9)]
        sys.stdout.write(f"{' '.join((game.name, *options)):44}{''.join(f'{cell:>11}' for cell in cells)}\n")


def _cell(took: list[tuple[float, float]]) -> str:
    return "/".join(f"{1000 * mean(seconds):.2f}" for seconds in zip(*took, strict=True))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
