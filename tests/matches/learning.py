"""Learning the worth of patterns from games that the search plays against itself: ``python -m tests.matches.learning``.

``play`` adds games to `PLAYED`, one a line, and goes on where it was broken off; ``fit`` fits the table of
`pbem.bots.hextile.patterns` to them. The first games are played without a table, later ones with the one that is there.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from pbem.bots import hextile, kernel
from pbem.bots.boards import MOST_STEPS
from pbem.bots.compiling import zeros
from pbem.bots.hextile.patterns import KINDS, LOOPED, TABLE, list_patterns
from pbem.bots.thinking import think
from pbem.bots.tree import Settings
from tests.bots.endgames import begun
from tests.matches.versions import random_turn

np: Any = import_module("numpy") if find_spec("numpy") else None
"""It comes with the extra robots, and only what is done here needs it, not what is told about it."""
VARIANT = "mambo"
PLAYED = Path(__file__).parents[2] / "build" / "learning" / f"{VARIANT}.jsonl"

_PLAYOUTS = 96
"""For a turn."""
_WITHOUT_TABLE = 335
"""Games that are played without one."""
_MOST_OPENING = 8
"""Fewer random turns begin a game."""
_AT_RANDOM = 0.05
"""Of later turns, so many are random, too."""
_PENALTY = 5.0
"""Of the squares of the numbers: without it, rare patterns would get large ones."""
_ROUNDS, _RATE = 300, 0.05
"""Of the descent (Kingma and Ba, "Adam", 2015)."""
_HELD_BACK = 0.15
"""Of the positions, to see what others have taught."""


def play(number: int) -> dict[str, Any]:
    """One game: its turns, its winner, and what each turn seemed worth to whoever played it; -1 if it was random."""
    game, position = begun(VARIANT)
    lots, turns, worths = Random(f"{VARIANT} {number}"), list[str](), list[float]()
    opening = lots.randrange(_MOST_OPENING)
    settings = Settings(learned=1, alike=0) if number >= _WITHOUT_TABLE else Settings(learned=0)
    while position.outcome is None:
        if len(turns) < opening or lots.random() < _AT_RANDOM:
            turns.append(random_turn(game, position, lots))
            worths.append(-1)
        else:
            seed = lots.getrandbits(30)
            best = think(game, position, playouts=_PLAYOUTS, seed=seed, settings=settings).candidates[0]
            turns.append(best.moves[0])
            worths.append(round(best.worth, 3))
        position = game.read_input(position, turns[-1]).position
    winners = position.outcome.winners
    return {"number": number, "turns": turns, "worths": worths, "winner": winners[0] if winners else -1}


def played() -> list[dict[str, Any]]:
    """The games that were played."""
    return [json.loads(line) for line in PLAYED.read_text().splitlines()] if PLAYED.exists() else []


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions as sums of numbers of a table."""

    places: Any
    """Those of all numbers, position by position."""
    of: Any
    """The position to which each belongs."""
    worths: Any
    """The worth of each position to the player to act, between what the search said and how the game ended."""

    def expected(self, table: Any) -> Any:
        """The worth of each by a table."""
        return 1 / (1 + np.exp(-np.bincount(self.of, table[self.places], len(self.worths))))

    def error(self, table: Any, which: Any) -> float:
        """The mean squared error of a table for some of them."""
        return float(np.mean((self.expected(table) - self.worths)[which] ** 2))


def positions_in(games: list[dict[str, Any]]) -> Positions:
    """The positions of some games."""
    game, first = begun(VARIANT)
    room, places, counts, worths = zeros(MOST_STEPS), list[int](), list[int](), list[float]()
    for each in games:
        position = first
        for text, seen in zip(each["turns"], each["worths"], strict=True):
            board, _ = kernel.from_position(position)
            counts.append(int(list_patterns(board, room)))
            places.extend(_turned(int(place)) for place in room[: counts[-1]])
            came = 1 / 2 if each["winner"] < 0 else float(each["winner"] == kernel.to_act(board))
            worths.append(came if seen < 0 else (came + seen) / 2)
            position = game.read_input(position, text).position
    return Positions(np.array(places), np.repeat(np.arange(len(counts)), counts), np.array(worths))


def _turned(place: int) -> int:
    """The pattern that stands for all that are alike by a rotation or reflection."""
    if place >= LOOPED:
        return place
    one, two, three = sorted((place // KINDS**2, place // KINDS % KINDS, place % KINDS))
    return (one * KINDS + two) * KINDS + three


def fit(positions: Positions) -> list[int]:
    """The table that says best what positions are worth, in thousandths."""
    kept = np.arange(len(positions.worths)) < (1 - _HELD_BACK) * len(positions.worths)
    table, mean, square = np.zeros(TABLE), np.zeros(TABLE), np.zeros(TABLE)
    for done in range(1, _ROUNDS + 1):
        off = np.where(kept, positions.expected(table) - positions.worths, 0)
        slope = np.bincount(positions.places, off[positions.of], TABLE) + _PENALTY * table
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        table -= _RATE * (mean / (1 - 0.9**done)) / (np.sqrt(square / (1 - 0.99**done)) + 1e-8)
    spread = np.mean((positions.worths[~kept] - np.mean(positions.worths)) ** 2)
    errors = f"{positions.error(table, kept):.4f}, {positions.error(table, ~kept):.4f} where held back"
    print(f"{len(positions.worths)} positions, squared error {errors}, {spread:.4f} without a table")
    return [round(1000 * float(table[_turned(place)])) for place in range(TABLE)]


def main(what: str, games: int) -> None:
    """Play what is missing of so many games, or fit the table to those that were played."""
    if what == "fit":
        table = fit(positions_in(played()[:games]))
        with resources.as_file(resources.files(hextile) / "patterns.json") as file:
            file.write_text(json.dumps(table) + "\n")
        return
    PLAYED.parent.mkdir(parents=True, exist_ok=True)
    for number in range(len(played()), games):
        with PLAYED.open("a", encoding="utf-8") as file:
            print(json.dumps(play(number)), file=file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.matches.learning", description=__doc__)
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    main(asked.what, asked.games)
