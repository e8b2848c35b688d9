"""Random games in a second: ``python -m tests.bench.playouts [seconds]``.

Full rules, from a new game, in one process; compiled if the extra ``robots`` is installed, else plainly. Berg's Mamba
is broken off after the turns that a search plays, and judged. The first call, with everything that is loaded or
compiled by then, is timed apart.
"""

from __future__ import annotations

import sys
import time
from dataclasses import astuple

from pbem.bootstrap import find_games
from pbem.bots import kernel
from pbem.bots.boards import SEATS, take_back
from pbem.bots.compiling import IS_COMPILED, floats
from pbem.bots.tree import Settings

VARIANTS = {
    "mambo": 20_000,
    "mambo mamba": None,
    "mambo mamboa": None,
    "mambo mambogo": None,
    "lambo": 20_000,
    "superbo": 8_000,
    "palago": None,
    "mamba": None,
}
"""The variants, and the games a second that the compiler has to reach."""


def main(seconds: float) -> None:
    """Measure all, and print a table."""
    print("compiled" if IS_COMPILED else "plain Python")
    print(f"{'':20}first call   a second   wanted")
    for variant, wanted in VARIANTS.items():
        first, rate = measure(variant, seconds)
        print(f"{variant:20}{first:8.2f} s {rate:10,.0f} {(wanted if IS_COMPILED else 60) or '':>8}")


def measure(variant: str, seconds: float) -> tuple[float, float]:
    """Seconds of the first game, and games a second after it."""
    name, *words = variant.split()
    game = find_games()[name]
    board, log = kernel.from_position(game.begin(game.read_options(words), 2))
    settings, worths = floats(len(astuple(Settings()))), floats(int(board[SEATS]))
    for place, value in enumerate(astuple(Settings(wins=False))):
        settings[place] = float(value)

    def play(count: int) -> float:
        begun = time.perf_counter()
        for _ in range(count):
            kernel.finish(board, log, worths, settings)
            take_back(board, log, 0)
        return time.perf_counter() - begun

    first, count = play(1), 1
    while (taken := play(count)) < seconds:
        count *= 2
    return first, count / taken


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
