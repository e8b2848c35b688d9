"""Seconds of processor time that a robot thinks about a turn: ``python -m tests.bench.robot_turns robot5 [variants]``.

For each variant a game against itself; compiled if the extra ``robots`` is installed, else plainly. Each turn is
thought about anew, as the server does.
"""

from __future__ import annotations

import argparse
import time
from statistics import mean

from pbem.bootstrap import find_games
from pbem.bots.boards import LEVELS
from pbem.bots.compiling import IS_COMPILED
from pbem.bots.thinking import think
from tests.matches.programme import GAMES


def turns_of(variant: str, level: str, most: int) -> list[float]:
    """The seconds of each turn of a game, of at most so many turns."""
    name, *words = variant.split()
    game = find_games()[name]
    position, seconds = game.begin(game.read_options(words), 2), list[float]()
    think(game, position, playouts=LEVELS[level].playouts_in(position), seed=0)  # loads what is compiled
    while position.outcome is None and len(seconds) < most:
        begun = time.process_time()
        thought = think(game, position, playouts=LEVELS[level].playouts_in(position), seed=len(seconds))
        seconds.append(time.process_time() - begun)
        position = game.read_input(position, thought.candidates[0].moves[0]).position
    return seconds


def main(level: str, variants: list[str], most: int) -> None:
    """Measure, and print a table."""
    print(f"{level}, {'compiled' if IS_COMPILED else 'plain Python'}")
    print(f"{'':20}turns   mean   most")
    for variant in variants:
        seconds = turns_of(variant, level, most)
        print(f"{variant:20}{len(seconds):5} {mean(seconds):6.2f} {max(seconds):6.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.robot_turns", description=__doc__)
    parser.add_argument("level", choices=LEVELS)
    parser.add_argument("variants", nargs="?", default=",".join(GAMES), help="games with options, commas between them")
    parser.add_argument("--turns", type=int, default=60, help="the most of a game")
    asked = parser.parse_args()
    main(asked.level, asked.variants.split(","), asked.turns)
