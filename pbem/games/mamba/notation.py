"""Reading lines of steps: ``lay b2>b3 lay g7>f6 move e5-e7 turn e6 cut e2`` (RULES, "Notation").

Case does not matter, nor do quotation marks and the like. Cells may be set apart by blanks or ``to``, steps by
commas. Two cells without a verb are a move if they are joined by ``-`` or ``to``, as in the answer ``e5-e7``, and a
laying if they are joined by ``>`` or an arrow. At the beginning of a line a cell with anything else behind it is that
of a move, as in the answer ``move e5 e7``, whose verb is also one of the server.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from pbem.games.mamba import refusals
from pbem.games.mamba.squares import Cell, Grid
from pbem.games.mamba.steps import PASS, Cut, Lay, Move, Step, Turn, Typed

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
    """What two cells without a verb mean, or one that is joined to nothing."""
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
