"""Notation of steps: reads lines of steps, and plays them (RULES, "Notation")."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from pbem.games.game import IllegalMove, Input, Seat
from pbem.games.mamba import refusals
from pbem.games.mamba.position import Position, play_step, resolve
from pbem.games.mamba.refusals import BadStep, IllegalStep
from pbem.games.mamba.squares import Cell, Grid
from pbem.games.mamba.steps import PASS, Cut, Lay, Move, Step, Turn, Typed, in_words

_PIECES = re.compile(r"[^\W_]+|_+|[^\s\w]+")
_CELL = re.compile(r"[a-z][0-9]{1,3}")
_CELLS = {"lay": 2, "move": 2, "turn": 1, "cut": 1, "pass": 0}
"""Every verb, with the number of cells that it needs."""
_JOINTS = re.compile(r"(?:[-\u2010-\u2015\u2212>\u2192\u21d2\u27a1\ufe0f]|=+>)+|to")
_ARROWHEADS = (">", "\u2192", "\u21d2", "\u27a1", "\ufe0f")
"""Ends of the joints of a laying; the last picks how an arrow is drawn."""
_MARKS = ":\"'`*_\u2018-\u201f\u00ab\u00bb\u2039\u203a\u2022"
_DECORATION = re.compile(rf"[{_MARKS}]+")
_SEPARATORS = re.compile(rf"[,;+.!{_MARKS}]+")

MOST_STEPS = 100
"""Steps of a line; a turn has no more than some forty layings, a move and a few choices."""


def read_line(grid: Grid, text: str) -> tuple[Typed, ...]:
    """The steps of a line, at least one.

    Raises:
        NothingToPlay, TooManySteps, UnreadableStep, StepNeedsCells, NoSuchCell: the line is none.
    """
    read = read_steps(grid, text)
    bad = next((step for step in read if isinstance(step, refusals.BadStep)), None)
    if bad is not None:
        raise bad
    return tuple(step for step in read if isinstance(step, Typed))


def read_steps(grid: Grid, text: str) -> tuple[Typed | refusals.BadStep, ...]:
    """The steps of a line, at least one, and in place of each that cannot be read its refusal.

    Raises:
        NothingToPlay, TooManySteps: the line has none, or more than any turn.
    """
    found = [piece for piece in _PIECES.findall(text.lower()) if not _DECORATION.fullmatch(piece)]
    found = [piece for piece, behind in pairwise((*found, "")) if piece != "from" or not _CELL.fullmatch(behind)]
    pieces = deque(piece for piece in found if not _SEPARATORS.fullmatch(piece))
    if len(found) > 1 and _CELL.fullmatch(found[0]) and re.fullmatch(r"\w+", found[1]) and found[1] != "to":
        pieces.appendleft("move")
    read: list[Typed | refusals.BadStep] = []
    while pieces:
        if len(read) == MOST_STEPS:
            raise refusals.TooManySteps(MOST_STEPS)
        try:
            read.append(_read_step(grid, pieces, len(read) + 1))
        except refusals.BadStep as bad:
            read.append(bad)
            _skip_to_verb(pieces)
    if not read:
        raise refusals.NothingToPlay
    return tuple(read)


def _skip_to_verb(pieces: deque[str]) -> None:
    """Leave out what stands behind a step that cannot be read, as far as no other begins there."""
    while pieces and pieces[0] not in _CELLS:
        pieces.popleft()


def _read_step(grid: Grid, pieces: deque[str], which: int) -> Typed:
    """Take one step off the front of the pieces."""
    verb = _unsaid_verb(pieces) or pieces.popleft()
    if verb not in _CELLS:
        raise refusals.UnreadableStep(which, verb)
    cells: list[str] = []
    while len(cells) < _CELLS[verb]:
        if cells and pieces and _JOINTS.fullmatch(pieces[0]):
            pieces.popleft()
        if not pieces or not _CELL.fullmatch(pieces[0]):
            raise refusals.StepNeedsCells(which, verb, pieces[0] if pieces else "")
        cells.append(pieces.popleft())
    if verb == "cut" and len(pieces) > 1 and _JOINTS.fullmatch(pieces[0]) and _CELL.fullmatch(pieces[1]):
        pieces.popleft()
        cells.append(pieces.popleft())
    text = " ".join((verb, (">" if verb == "lay" else "-").join(cells))).rstrip()
    return Typed(text, _step(verb, [_cell(grid, cell, text, which) for cell in cells]))


def _unsaid_verb(pieces: Sequence[str]) -> str | None:
    """The meaning of two cells without a verb, or of one that is joined to nothing."""
    if len(pieces) < 2 or not _CELL.fullmatch(pieces[0]) or not _JOINTS.fullmatch(pieces[1]):
        return None
    return "lay" if pieces[1].endswith(_ARROWHEADS) else "move"


def _cell(grid: Grid, name: str, step: str, which: int) -> Cell:
    if name not in grid.by_name:
        raise refusals.NoSuchCell(which, name, grid.names[-1], step)
    return grid.by_name[name]


def _step(verb: str, cells: Sequence[Cell]) -> Step:
    match verb:
        case "lay":
            return Lay(*cells)
        case "move":
            return Move(*cells)
        case "turn":
            return Turn(*cells)
        case "cut":
            return Cut(*cells)
        case _:
            return PASS


def play_line(position: Position, read: Sequence[Typed | BadStep]) -> Input[Step, Position]:
    """Play the steps of a line; those that cannot be read or played are gathered into one refusal.

    Steps after a decision that belongs to someone else are left over.

    Raises:
        UnreadableMove, IllegalMove: one of `refusals`.
    """
    now, left_over = position, ""
    steps: list[Step] = []
    refused: list[BadStep | IllegalStep] = [step for step in read if isinstance(step, refusals.BadStep)]
    for which, typed in enumerate(read, start=1):
        if isinstance(typed, refusals.BadStep):
            continue
        if steps and _is_others(now, position.to_act):
            left_over = " ".join(each.text for each in read[which - 1 :] if isinstance(each, Typed))
            break
        try:
            _check_goes_on(position, now, typed.text, which)
            meant = resolve(now, typed.step, typed.text, which)
            now = play_step(now, typed.step, typed.text, which)
            steps.append(meant)
        except refusals.IllegalStep as wrong:
            refused.append(wrong)
            if isinstance(wrong, refusals.NOTHING_BEHIND):
                break
    if refused:
        raise refusals.of_line(read, sorted(refused, key=lambda each: each.which))
    return Input(tuple(steps), now, left_over)


def play_steps(position: Position, steps: Sequence[Step]) -> Position:
    """The position after the steps of one input.

    Raises:
        IllegalMove: one of `refusals`.
    """
    now = position
    for which, step in enumerate(steps, start=1):
        said = in_words(position.rules.grid, step)
        _check_goes_on(position, now, said, which)
        now = play_step(now, step, said, which)
    return now


def resolved(position: Position, steps: Sequence[Step]) -> Sequence[Step]:
    """The steps as a letter that typed them would have them; those that cannot be played stay as they are."""
    if not any(isinstance(step, Cut) for step in steps):
        return steps
    try:
        played = play_line(position, [Typed(in_words(position.rules.grid, step), step) for step in steps])
    except IllegalMove:
        return steps
    return steps if played.left_over else played.steps


def _check_goes_on(start: Position, now: Position, said: str, which: int) -> None:
    """Refuse one more step where the input is complete.

    Raises:
        TurnIsOver, GameIsOver: the steps before have ended the turn, or the game.
        AnswerIsComplete: they have answered a question in someone else's turn, which goes on.
        DecisionNeeded: someone else has to decide first.
    """
    if now.outcome is not None:
        raise refusals.GameIsOver(said, which)
    if now.ply != start.ply:
        raise refusals.TurnIsOver(said, which)
    if _is_others(now, start.to_act):
        decision = now.decision
        raise refusals.DecisionNeeded(said, which, options=decision.options if decision else ())
    if now.to_act != start.to_act:
        raise refusals.AnswerIsComplete(said, which)


def _is_others(now: Position, seat: Seat | None) -> bool:
    """Return True if the line has come to a decision of a player other than its writer."""
    return now.pending is not None and now.to_act != seat
