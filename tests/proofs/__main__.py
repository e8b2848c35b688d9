"""Look for a proof that a colour wins from a position of Lambo or Palago, a piece at a time.

``python -m tests.proofs palago A2 --wins dark --hours 2``: after the first turn A2, does Dark win? What was found goes
to `SEARCHES` every few minutes; the same command goes on with it, also after the process was killed. Once it is won,
the proof goes to the folder of proofs that `tests.proofs.check` checks.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pbem.games.hextile import HexTileGame
from pbem.games.hextile.grid import Colour
from pbem.games.hextile.lambo import LAMBO, PALAGO
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from tests.proofs.check import KEPT
from tests.proofs.solver import Progress, Search
from tests.proofs.tree import Extraction, Proof, to_text

SEARCHES = Path(__file__).parents[2] / "build" / "proofs"
COLOURS = {"dark": Colour.O, "light": Colour.WHITE}
GAMES: dict[str, HexTileGame] = {game.name: game for game in (LAMBO, MAMBO, PALAGO, SUPERBO)}
SECONDS_BETWEEN = 180
PIECE = 2_000
"""Positions that are looked at between two glances at the clock."""


def position_after(variant: str, turns: Sequence[str]) -> Position:
    """The position after some turns of a game, with options in words."""
    name, *words = variant.split()
    game = GAMES[name]
    position = game.begin(game.read_options(words), 2, 0)
    for turn in turns:
        position = game.read_input(position, turn).position
    return position


def name_of(variant: str, turns: Sequence[str], wins: str) -> str:
    """The name of the files of a search."""
    return "-".join([*variant.split(), *turns, wins]).replace(",", "_")


def main(words: Sequence[str]) -> None:
    """Search until it is settled or the time is up."""
    asked = _parser().parse_args(words)
    position, name = position_after(asked.variant, asked.turns), name_of(asked.variant, asked.turns, asked.wins)
    found, path = Search(position, COLOURS[asked.wins], asked.size), SEARCHES / f"{name}.table"
    if path.exists():
        found.load(path)
    end, saved = time.monotonic() + 3600 * asked.hours, time.monotonic()
    while found.progress.won is None and time.monotonic() < end:
        found.go_on(PIECE)
        if time.monotonic() - saved > SECONDS_BETWEEN:
            print(line(found.progress), flush=True)
            found.save(path)
            saved = time.monotonic()
    found.save(path)
    print(line(found.progress), flush=True)
    if found.progress.won:
        lines = Extraction(found).lines(position)
        proof = Proof(asked.variant, tuple(asked.turns), asked.wins.capitalize(), lines)
        (KEPT / f"{name}.txt").write_text(to_text(proof))


def line(progress: Progress) -> str:
    """The state of a search in words."""
    result = {True: "won", False: "not won", None: "open"}[progress.won]
    return (
        f"{result}: {progress.positions:,} positions in {progress.seconds:,.0f} s, {progress.deepest} turns deep, "
        f"proof {progress.proof} disproof {progress.disproof}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs", description=__doc__)
    parser.add_argument("variant", help="palago or lambo, and options, dashes left out")
    parser.add_argument("turns", nargs="*", help="turns up to the position: A2 F2,M3")
    parser.add_argument("--wins", choices=COLOURS, default="dark", help="the colour that is to win")
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--size", type=int, default=1 << 23, help="entries of the table, 24 bytes each; a power of 2")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
