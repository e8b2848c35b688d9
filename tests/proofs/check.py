"""Check proofs by the rules of the games alone, without anything of the search that found them.

``python -m tests.proofs.check [file ...]``: every answer is tried by the rules, and all lines are played. Without files
these are all that are kept. A proof that is not complete ends the program with the line at which something is missing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.errors import PlayerError
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.lambo import LAMBO, PALAGO
from pbem.games.hextile.position import Placement, Position, Step
from pbem.games.hextile.symmetry import canonical
from tests.proofs.tree import Line, Proof, to_proof

KEPT = Path(__file__).parent / "kept"
GAMES: dict[str, HexTileGame] = {game.name: game for game in (LAMBO, PALAGO)}
_KILLERS = 12
"""Winning turns that are tried first."""


class NotProven(Exception):
    """A position of a proof that is not shown to be won, with the turns that led there."""


class Checker:
    """Plays a proof by the rules."""

    def __init__(self, proof: Proof) -> None:
        self.proof, self.tried = proof, 0
        name, *words = proof.variant.split()
        self._game = GAMES[name]
        self._start = self._game.begin(self._game.read_options(words), 2, 0)
        for turn in proof.turns:
            self._start = self._game.read_input(self._start, turn).position
        self._winner = self._game.sides(self._start).index(proof.wins)
        self._proven, self._killers = set[str](), list[tuple[Step, ...]]()

    def check(self) -> None:
        """Play everything.

        Raises:
            NotProven: something is missing.
            PlayerError: a line breaks the rules.
        """
        if self._start.to_act == self._winner:
            (line,) = self.proof.lines
            self._check_turn(self._start, line, ())
        else:
            self._check_answers(self._start, self.proof.lines, ())

    def _check_turn(self, position: Position, line: Line, way: tuple[str, ...]) -> None:
        """Show that a position is won in which the winner is to move."""
        after = self._game.read_input(position, line.turn).position
        way = (*way, line.turn)
        if after.outcome is None:
            self._check_answers(after, line.then, way)
        elif after.outcome.winners != (self._winner,):
            raise NotProven(*way)

    def _check_answers(self, position: Position, lines: Sequence[Line], way: tuple[str, ...]) -> None:
        """Show that a position is won in which the other is to move."""
        for line in lines:
            after = self._game.read_input(position, line.answer).position
            self._check_turn(after, line, (*way, line.answer))
            self._proven.add(canonical(after).key)
        for after in turns(position):
            self.tried += 1
            if after.outcome is not None:
                won = after.outcome.winners == (self._winner,)
            else:
                won = self._wins_by_killer(after) or canonical(after).key in self._proven or self._wins_at_once(after)
            if not won:
                raise NotProven(*way, ",".join(tile.text for tile in after.last_turn))

    def _wins_by_killer(self, position: Position) -> bool:
        """Return True if a turn wins at once that did so before."""
        for place, killer in enumerate(self._killers):
            if self._wins(position, killer):
                self._killers.insert(0, self._killers.pop(place))
                return True
        return False

    def _wins(self, position: Position, steps: Sequence[Step]) -> bool:
        if any(isinstance(step, Placement) and step.cell in position.layout.tiles for step in steps):
            return False
        try:
            for step in steps:
                position = position.play(step)
        except PlayerError:
            return False
        return position.outcome is not None and position.outcome.winners == (self._winner,)

    def _wins_at_once(self, position: Position) -> bool:
        """Return True if some turn wins at once."""
        for steps, after in turns_with_steps(position):
            if after.outcome is not None and after.outcome.winners == (self._winner,):
                self._killers = [steps, *self._killers[: _KILLERS - 1]]
                return True
        return False


def turns_with_steps(position: Position) -> Iterator[tuple[tuple[Step, ...], Position]]:
    """Every turn and the position after it; of two orders of the same tiles one, unless the first decides."""
    seen = set[frozenset[Step]]()
    for first in position.legal():
        between = position.play(first)
        if not between.mid_turn:
            yield (first,), between
            continue
        for second in between.legal():
            if (pair := frozenset((first, second))) not in seen:
                seen.add(pair)
                yield (first, second), between.play(second)


def turns(position: Position) -> Iterator[Position]:
    """The positions after every turn."""
    return (after for _, after in turns_with_steps(position))


def main(files: Sequence[Path]) -> None:
    """Check proofs, and print a line for each."""
    for path in files:
        began, proof = time.monotonic(), to_proof(path.read_text())
        checker = Checker(proof)
        checker.check()
        print(
            f"{proof.variant} {' '.join(proof.turns)}: {proof.wins} wins. {len(proof):,} turns and "
            f"{checker.tried:,} answers checked in {time.monotonic() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]] or sorted(KEPT.glob("*.txt")))
