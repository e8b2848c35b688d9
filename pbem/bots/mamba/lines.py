"""Views along rows and columns: as `pbem.games.mamba.squares`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled
from pbem.bots.mamba.board import OFF, OWNER_BITS, WIDTH


@compiled
def follow(board: MutableSequence[int], cell: int, step: int) -> int:
    """The number of pieces of the same owner that follow in a direction."""
    owner, at = board[cell], cell + step
    count = 0
    while board[at] == owner:
        count += 1
        at += step
    return count


@compiled
def _view(board: MutableSequence[int], cell: int, step: int) -> int:
    """A piece's view in a direction, below 128: the number of its own, or the neighbour's owner and alignment."""
    own = follow(board, cell, step)
    beside = board[cell + step]
    if own or beside & OWNER_BITS == 0:
        return own
    return beside * 16 + 1 + follow(board, cell + step, step)


@compiled
def signature(board: MutableSequence[int], cell: int) -> int:
    """The signature of a piece as one number (RULES 11)."""
    width = board[WIDTH]
    row = _view(board, cell, -1) * 128 + _view(board, cell, 1)
    column = _view(board, cell, -width) * 128 + _view(board, cell, width)
    return ((board[cell] * 128 * 128) + row) * 128 * 128 + column


@compiled
def _favour(board: MutableSequence[int], cell: int, step: int) -> int:
    """In whose favour a piece can turn by its neighbour in a direction: a bit of the owner, or 0."""
    beside = board[cell + step]
    if beside == 0 or beside == OFF or beside == board[cell]:
        return 0
    if follow(board, cell + step, step) > follow(board, cell, -step):
        return 1 << beside
    return 0


@compiled
def favours(board: MutableSequence[int], cell: int) -> int:
    """In whose favour a piece can turn: the bits of those owners (RULES 11)."""
    width = board[WIDTH]
    row = _favour(board, cell, -1) | _favour(board, cell, 1)
    return row | _favour(board, cell, -width) | _favour(board, cell, width)
