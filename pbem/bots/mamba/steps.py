"""The steps of a turn as numbers, and which of them the rules allow.

A step says what it is, and a cell and another: ``kind << 16 | cell << 8 | cell``.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled
from pbem.bots.mamba.board import (
    LAID,
    LAID_AT,
    MUST_MOVE,
    OFF,
    ON_TURN,
    WIDTH,
    end_of_cells,
    first_cell,
    is_isolated,
    supply_of,
)

PASS, LAY, MOVE = range(3)
"""The kinds of steps; a pass has no cells and is 0."""


@compiled
def has_laid(board: MutableSequence[int], cell: int) -> int:
    """1 if a piece has laid in the turn under way."""
    for each in range(board[LAID]):
        if board[LAID_AT + each] == cell:
            return 1
    return 0


@compiled
def list_steps(board: MutableSequence[int], found: MutableSequence[int], at: int) -> int:
    """Fill in every step from a place on, in the order of the rules; where they end."""
    own, count = board[ON_TURN] + 1, at
    first, end = first_cell(board), end_of_cells(board)
    if supply_of(board):
        for cell in range(first, end):
            if board[cell] == own:
                count = _layings_of(board, cell, found, count)
    before = count
    for cell in range(first, end):
        if board[cell] == own:
            count = _moves_of(board, cell, found, count)
    if count == before or not board[MUST_MOVE]:
        found[count] = PASS
        count += 1
    return count


@compiled
def _layings_of(board: MutableSequence[int], cell: int, found: MutableSequence[int], count: int) -> int:
    """Add the layings of a piece, if it may lay."""
    if not is_isolated(board, cell) or has_laid(board, cell):
        return count
    for row in range(-board[WIDTH], board[WIDTH] + 1, board[WIDTH]):
        for at in range(cell + row - 1, cell + row + 2):
            if at != cell and board[at] != OFF:
                found[count] = LAY << 16 | cell << 8 | at
                count += 1
    return count


@compiled
def _moves_of(board: MutableSequence[int], cell: int, found: MutableSequence[int], count: int) -> int:
    """Add the moves of a piece behind ``count`` steps, by where they end; how many steps there are then."""
    width, step = board[WIDTH], MOVE << 16 | cell << 8
    left, right = board[cell - 1] == 0, board[cell + 1] == 0
    below, above = board[cell - width] == 0, board[cell + width] == 0
    at = cell - width
    count = _add(found, count, step | at - width, below and board[at - width] == 0)
    count = _add(found, count, step | at - 1, (below or left) and board[at - 1] == 0)
    count = _add(found, count, step | at, below)
    count = _add(found, count, step | at + 1, (below or right) and board[at + 1] == 0)
    count = _add(found, count, step | cell - 2, left and board[cell - 2] == 0)
    count = _add(found, count, step | cell - 1, left)
    count = _add(found, count, step | cell + 1, right)
    count = _add(found, count, step | cell + 2, right and board[cell + 2] == 0)
    at = cell + width
    count = _add(found, count, step | at - 1, (above or left) and board[at - 1] == 0)
    count = _add(found, count, step | at, above)
    count = _add(found, count, step | at + 1, (above or right) and board[at + 1] == 0)
    return _add(found, count, step | at + width, above and board[at + width] == 0)


@compiled
def _add(found: MutableSequence[int], count: int, step: int, is_free: bool) -> int:
    """Add a step, if its way is free; how many there are then."""
    if is_free:
        found[count] = step
        return count + 1
    return count
