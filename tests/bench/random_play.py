"""Random games against the table of the rules: ``python -m tests.bench.random_play [games] [seed]``.

The random turn: first a legal first placement, evenly; then a legal second, evenly. A cell more than 3.5
standard errors away from the table is marked and makes the command fail.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

from pbem.games.game import Ending
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.lambo import LAMBO, PALAGO
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO

COLUMNS = ("turns", "tiles laid", "first wins %", "draws %", "decided early %")

ROUNDED = (0.05, 0.05, 0.1, 0.1, 0.5)
"""The error that rounding may bring to the table: tenths, shares of 500 games, and whole numbers."""

SHARES = (False, False, True, True, True)

MOST_ERRORS = 3.5
"""Standard errors beyond which a cell is taken for wrong."""

SEED = 3

SAMPLE = 500
"""Games behind each line of the table."""


@dataclass(frozen=True, slots=True)
class BenchLine:
    """One line of the table in the rules; the last figure is missing where nothing can be decided early."""

    name: str
    game: HexTileGame
    options: tuple[str, ...]
    expected: tuple[float | None, ...]


TABLE = (
    BenchLine("Mambo", MAMBO, (), (21.9, 25.3, 51.8, 1.4, 91)),
    BenchLine("Mamba", MAMBO, ("mamba",), (18.9, 48, 48.2, 6.0, 1)),
    BenchLine("Mamba, 2 loops", MAMBO, ("mamba", "loops=2", "auto=limited"), (38.6, 45.8, 47.6, 4.4, 15)),
    BenchLine("Mambogo", MAMBO, ("mambogo",), (19.0, 48, 36.8, 19.8, None)),
    BenchLine("Mambogo, smallest", MAMBO, ("mambogo", "tiebreak=smallest"), (19.0, 48, 45.4, 5.0, None)),
    BenchLine("Lambo", LAMBO, (), (21.6, 43.0, 48.4, 4.8, 33)),
    BenchLine("Lambo, eat_enemy", LAMBO, ("eat_enemy=2",), (23.7, 47.5, 35.4, 23.8, 7)),
    BenchLine("Lambo, must_contain", LAMBO, ("must_contain",), (23.8, 47.5, 40.8, 24.0, 4)),
    BenchLine("Palago", PALAGO, (), (21.6, 43.0, 17.2, 67.4, 33)),
    BenchLine("Superbo", SUPERBO, (), (25.1, 61.3, 51.0, 7.0, 10)),
    BenchLine("Superbo, kill_own", SUPERBO, ("kill_own",), (21.4, 52.1, 46.4, 5.0, 45)),
    BenchLine("Superbo, single", SUPERBO, ("single",), (46.1, 61.2, 58.2, 4.8, 13)),
)


def play_randomly(start: Position, chance: random.Random) -> Position:
    """Play one game to its end, all legal steps listed before each."""
    position = start
    while position.outcome is None:
        position = position.play(chance.choice(position.legal()))
    return position


def _figures(end: Position) -> tuple[float, ...]:
    outcome = end.outcome
    assert outcome is not None
    early = outcome.ending is not Ending.SUPPLY_EMPTY
    shares = (outcome.winners == (0,), not outcome.winners, early)
    return (end.ply, len(end.layout.tiles), *(100.0 * share for share in shares))


def _cell(sample: Sequence[float], expected: float | None, rounding: float, is_share: bool) -> tuple[str, bool]:
    """A measured figure beside the expected one, and whether it is too far away."""
    measured = mean(sample)
    if expected is None:
        return f"{measured:6.1f}    -   ", measured > 0
    # a share of a few games may not occur at all in a small sample, which then tells nothing of its spread
    spread = sqrt(expected * (100 - expected)) if is_share else stdev(sample)
    error = spread / sqrt(len(sample))
    is_off = abs(measured - expected) > MOST_ERRORS * error + rounding
    return f"{measured:6.1f} {expected:5.1f}{'!' if is_off else ' '} ", is_off


def compare(line: BenchLine, games: int, seed: int) -> bool:
    """Print one line of the table, measured and expected; tell whether some cell is off."""
    chance = random.Random(seed)
    start = line.game.begin(line.game.read_options(line.options), players=2)
    began = time.perf_counter()
    ends = [play_randomly(start, chance) for _ in range(games)]
    took = (time.perf_counter() - began) / games
    columns = zip(*map(_figures, ends), strict=True)
    cells = [_cell(*column) for column in zip(columns, line.expected, ROUNDED, SHARES, strict=True)]
    sys.stdout.write(f"{line.name:20}" + "".join(text for text, _ in cells) + f"{1000 * took:6.1f} ms\n")
    return any(is_off for _, is_off in cells)


def main(games: int = SAMPLE, seed: int = SEED) -> int:
    """Print measured and expected figures side by side; 1 if some cell is off."""
    began = time.perf_counter()
    sum(range(10**7))
    sys.stdout.write(f"sum(range(10**7)) takes {time.perf_counter() - began:.2f} s here\n")
    sys.stdout.write(f"{'':20}" + "".join(f"{column:^14}" for column in COLUMNS) + "a game\n")
    off = [compare(line, games, seed) for line in TABLE]
    return int(any(off))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
