"""Refusals of inputs: one class a reason, with the facts that its template words.

``step`` is the step as typed, or as it would be, and ``which`` its place in the line, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import islice
from typing import Annotated

from pbem.errors import Ambiguous, NotAllowed
from pbem.games.game import LONGEST_QUOTE, IllegalMove, UnreadableMove
from pbem.games.mamba.steps import Lay, Move, Pass, Typed

MOST_REASONS = 5
"""Refusals that are told of one line."""


class BadStep(UnreadableMove):
    """One step of the line cannot be read; that of a letter also tells how many ``steps`` it has."""

    which: int


class UnreadableStep(BadStep):
    """A word of the line is no step."""

    word: Annotated[str, LONGEST_QUOTE]


class StepNeedsCells(BadStep):
    """The word of a step stands without the cells that it needs; ``word`` is what stands in their place."""

    verb: str
    word: Annotated[str, LONGEST_QUOTE]


class NoSuchCell(BadStep):
    """A step names a cell that the board does not have; ``last`` is the name of the highest."""

    cell: str
    last: str
    step: str


class UnreadableInput(UnreadableMove):
    """A turn in a game record is not in the format."""


class NothingToPlay(UnreadableMove):
    """The line has no step at all."""


class TooManySteps(UnreadableMove):
    """The line has more than ``most`` steps, which no turn has."""

    most: int


class TeamsNeedFour(NotAllowed):
    """Teams are for four players."""

    option: str
    players: int


class IllegalStep(IllegalMove):
    """One step of the line is against the rules; that of a letter also tells how many ``steps`` it has."""

    step: str
    which: int


class StepsRefused(IllegalMove):
    """Several steps of the line cannot be played; ``reasons`` are their refusals, in the order of the line."""

    reasons: Sequence[BadStep | IllegalStep]


class GameIsOver(IllegalStep):
    """Nothing can be played any more; behind the first step of a line, those before it have ended the game."""


class NotOwnPiece(IllegalStep):
    """The piece to lay or to move is not that of ``mover``; ``owner`` is None where there is none at all."""

    cell: str
    owner: str | None
    mover: str


class NotIsolated(IllegalStep):
    """The piece that is to lay has others around it, at ``beside``; or none, but an edge, where that is ``strict``."""

    cell: str
    beside: Sequence[str]
    strict: bool


class HasLaid(IllegalStep):
    """The piece has laid in this turn already."""

    cell: str


class NotBeside(IllegalStep):
    """The new piece would not lie beside the one that lays it."""

    by: str
    cell: str


class NoPieceLeft(IllegalStep):
    """All ``pieces`` are on the board."""

    pieces: int


class OutOfReach(IllegalStep):
    """The cell is not one or two orthogonal steps away."""

    start: str
    end: str


class CellTaken(IllegalStep):
    """The piece would end where one stands already."""

    cell: str
    owner: str


class WayTaken(IllegalStep):
    """Every way to the cell leads over a piece; ``between`` are the cells where those stand."""

    start: str
    end: str
    between: Sequence[str]


class MustMove(IllegalStep):
    """The challenge asks for a move wherever there is one; ``example`` is one."""

    example: str


class TurnIsOver(IllegalStep):
    """The turn was complete before this step."""


class AnswerIsComplete(IllegalStep):
    """The steps before this one have answered what was asked, in the turn of another player, who goes on with it."""


class NothingToDecide(IllegalStep):
    """The step answers a question that was not asked."""


class DecisionNeeded(IllegalStep):
    """Something has to be decided first; ``options`` are the answers."""

    options: Sequence[str]


class NoSuchOption(IllegalStep):
    """The answer is none of those to choose from."""

    options: Sequence[str]


class AmbiguousCut(Ambiguous, IllegalStep):
    """The end belongs to two alignments that are too long."""

    options: Sequence[str]


NOTHING_BEHIND = (GameIsOver, TurnIsOver, AnswerIsComplete, DecisionNeeded, NoSuchOption, AmbiguousCut)
"""Refusals that would only be said again of every step behind."""


def of_line(typed: Sequence[Typed | BadStep], refused: Sequence[BadStep | IllegalStep]) -> UnreadableMove | IllegalMove:
    """The refusal of a line for steps that have failed, each played as if those before it did not stand there.

    A line without any step but passes is a sentence, refused once.
    """
    told = tuple(islice(_on_their_own(typed, refused), MOST_REASONS))
    for each in told:
        each.facts["steps"] = len(typed)
    is_sentence = isinstance(told[0], UnreadableStep) and all(
        isinstance(each, UnreadableStep) or (not isinstance(each, BadStep) and isinstance(each.step, Pass))
        for each in typed
    )
    return told[0] if len(told) == 1 or is_sentence else StepsRefused(told)


def _on_their_own(
    typed: Sequence[Typed | BadStep], refused: Sequence[BadStep | IllegalStep]
) -> Iterator[BadStep | IllegalStep]:
    """The refusals without those that may only follow from an earlier one.

    Such a step touches a cell that one which has failed was to change, or answers what a laying or a move might have
    brought about.
    """
    missed: set[int] = set()
    might_ask = False
    for each in refused:
        failed = typed[each.which - 1]
        if isinstance(failed, BadStep):
            might_ask = True
            yield each
            continue
        step = failed.step
        cells = {cell for cell in astuple(step) if cell is not None}
        if not (missed & cells or (might_ask and isinstance(each, NothingToDecide))):
            yield each
        missed |= {step.cell} if isinstance(step, Lay) else cells
        might_ask = might_ask or isinstance(step, Lay | Move)
