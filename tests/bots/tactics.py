"""Positions in which one has to see what comes, found by trying everything: ``python -m tests.bots.tactics``.

In some the player to act wins by force in one, two or three turns; in others the other player wins at once after most
turns, but not after all. Robots play games against themselves, and the positions at their ends are searched. What was
found goes to `STORED` game by game, so that a search that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from pbem.bots import kernel
from pbem.bots.finding import Solver, TooMuch
from pbem.bots.forcing import Foresight
from pbem.bots.puzzles import after
from pbem.bots.thinking import think
from pbem.games.game import Position
from tests.bots.endgames import GAMES, begun

STORED = Path(__file__).with_name("tactics.jsonl")

DEFEND = 0
"""The task to leave the other no win at once; other tasks are to win in so many turns."""

WANTED = {
    "mambo": {1: 10, 2: 40, 3: 20, DEFEND: 30},
    "mambo mambogo": {1: 34, 2: 36, 3: 3, DEFEND: 27},
    "lambo": {1: 40, DEFEND: 60},
    "superbo": {1: 53, DEFEND: 47},
    "mamba rounds=12": {1: 50, DEFEND: 50},
}
"""The number of positions of each variant by task. With turns of several steps, a win in two takes too long to prove;
games of Mamba by weak players end by the number of pieces."""

_PLAYOUTS = 48
"""For a turn of the games in which positions are found."""
_LAST = 5
"""Positions that are looked at, from the end of a game."""
_MOST_TRIED = 60_000
"""Steps that may be tried to find a win."""
_MOST_TO_CHECK = 20_000_000
"""Steps that may be tried to see what a turn has done."""
_SAMPLE = 12
"""Turns that are tried first where the other threatens to win: most of them must lose."""


@dataclass(frozen=True, slots=True)
class Tactic:
    """A position with a task."""

    variant: str
    turns: str
    """The turns before it, parted by ``|``."""
    task: int
    """`DEFEND`, or in how many turns the player to act wins."""

    @property
    def position(self) -> Position[Any]:
        """The position."""
        game, position = begun(self.variant)
        return after(game, position, self.turns.split("|"))

    def is_solved_by(self, move: str) -> bool:
        """Return True if a turn does what is asked."""
        position = self.position
        game, seat = GAMES[self.variant.split()[0]], position.to_act
        there = decided(game.read_input(position, move).position)
        if there.outcome is not None:
            return seat in there.outcome.winners or (self.task == DEFEND and not there.outcome.winners)
        if self.task == DEFEND:
            return not Foresight(*kernel.from_position(there)).winning_turn(1, _MOST_TO_CHECK)
        return self.task > 1 and Solver(there, _MOST_TO_CHECK, seat=seat).wins_after((), self.task - 1)


def decided(position: Position[Any]) -> Position[Any]:
    """A position after whatever has to be decided there, as boards of integers decide it."""
    while position.decision is not None:
        position = position.play(position.legal()[0])
    return position


def stored() -> list[Tactic]:
    """The positions that were found."""
    lines = STORED.read_text().splitlines() if STORED.exists() else []
    return [Tactic(**json.loads(line)) for line in lines]


def find(variant: str, seed: int) -> Iterator[Tactic]:
    """Positions that are still wanted of a variant; of each game at most one for each task."""
    game, first = begun(variant)
    known = {each.turns: each.task for each in stored() if each.variant == variant}
    made = Counter(known.values())
    while any(made[task] < count for task, count in WANTED[variant].items()):
        seed += 1
        lots, turns, position = Random(f"{variant} {seed}"), list[str](), first
        while position.outcome is None:
            thought = think(game, position, playouts=_PLAYOUTS, seed=lots.getrandbits(30))
            turns.append(thought.candidates[0].moves[0])
            position = game.read_input(position, turns[-1]).position
        new = set[int]()
        for count in range(len(turns) - 1, max(1, len(turns) - _LAST), -1):
            lacking = {task for task, wanted in WANTED[variant].items() if made[task] < wanted} - new
            task = _task_at(after(game, first, turns[:count]), lacking, lots)
            if task in lacking and "|".join(turns[:count]) not in known:
                new.add(task)
                made[task] += 1
                yield Tactic(variant, "|".join(turns[:count]), task)


def _task_at(position: Position[Any], lacking: set[int], lots: Random) -> int | None:
    """The task that a position sets, if it sets one that is lacking."""
    if position.decision is not None:
        return None
    foresight = Foresight(*kernel.from_position(position))
    for turns in range(1, max((*lacking, 1)) + 1):
        if line := foresight.winning_turn(turns, _MOST_TRIED):
            return turns if _asks_nothing(position, line) else None
    return DEFEND if DEFEND in lacking and _is_to_defend(position, lots) else None


def _asks_nothing(position: Position[Any], line: Sequence[int]) -> bool:
    """Return True if nobody has to decide anything in a turn, so that it can be played at once."""
    board, _ = kernel.from_position(position)
    for number in line:
        if position.decision is not None:
            return False
        position = position.play(kernel.to_step(board, number))
    return position.decision is None


def _is_to_defend(position: Position[Any], lots: Random) -> bool:
    """Return True if the other wins at once after most turns of a sample, and after some turn does not."""
    solver = Solver(position, _MOST_TO_CHECK, seat=1 - (position.to_act or 0))
    try:
        turns = solver.turns()
        sample = lots.sample(turns, min(_SAMPLE, len(turns)))
        if sum(solver.wins_after(turn, 1) for turn in sample) <= len(sample) // 2:
            return False
        return any(not solver.is_over_after(turn) and not solver.wins_after(turn, 1) for turn in turns)
    except TooMuch:
        return False


def main(seed: int, variants: Sequence[str]) -> None:
    """Find what is lacking."""
    for variant in variants or WANTED:
        for tactic in find(variant, seed):
            with STORED.open("a", encoding="utf-8") as file:
                print(json.dumps(asdict(tactic)), file=file)
            sys.stderr.write(f"{tactic.variant} {tactic.task}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bots.tactics", description=__doc__)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("variants", nargs="*", help="those that are wanted; all if left out")
    asked = parser.parse_args()
    main(asked.seed, asked.variants)
