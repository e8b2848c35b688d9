"""Regions on numbers, kept up to date tile by tile: as `pbem.games.hextile.regions`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import put
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    BLOCKED,
    BRIDGES,
    CHANGED,
    CLOSED,
    CLOSED_OF,
    COLOUR,
    KILLED_OF,
    LARGEST,
    LARGEST_CLOSED_OF,
    LEFT,
    LOOPS_OF,
    PARENT,
    RIGHT,
    SIZE,
    WAYS,
    closed_at,
    root_of,
)


@compiled
def touch(board: MutableSequence[int], log: MutableSequence[int], point: int, colour: int) -> None:
    """Count a new tile at a point."""
    if board[point] == 0:
        put(board, log, point + PARENT, point)
        put(board, log, point + SIZE, 1)
        put(board, log, point + BRIDGES, 0)
        put(board, log, point + WAYS, 2)
        put(board, log, point + BLOCKED, 0)
        put(board, log, point + LEFT, point)
        put(board, log, point + RIGHT, point)
        put(board, log, point + COLOUR, colour)
    else:
        root = root_of(board, point)
        put(board, log, root + WAYS, board[root + WAYS] - 1)


@compiled
def join(board: MutableSequence[int], log: MutableSequence[int], one: int, other: int) -> None:
    """Lay a bridge between two points."""
    kept, lost = root_of(board, one), root_of(board, other)
    if kept == lost:
        put(board, log, kept + BRIDGES, board[kept + BRIDGES] + 1)
        return
    if board[kept + SIZE] < board[lost + SIZE]:
        kept, lost = lost, kept
    put(board, log, lost + PARENT, kept)
    put(board, log, kept + SIZE, board[kept + SIZE] + board[lost + SIZE])
    put(board, log, kept + BRIDGES, board[kept + BRIDGES] + board[lost + BRIDGES] + 1)
    put(board, log, kept + WAYS, board[kept + WAYS] + board[lost + WAYS])
    if board[lost + BLOCKED]:
        put(board, log, kept + BLOCKED, board[kept + BLOCKED] + board[lost + BLOCKED])
    if board[lost + LEFT] < board[kept + LEFT]:
        put(board, log, kept + LEFT, board[lost + LEFT])
    if board[lost + RIGHT] > board[kept + RIGHT]:
        put(board, log, kept + RIGHT, board[lost + RIGHT])


@compiled
def note(board: MutableSequence[int], log: MutableSequence[int], point: int) -> None:
    """Keep account of what the region of a point has become: killed, closed, larger, with more loops."""
    root = root_of(board, point)
    colour, ways, bridges = board[root + COLOUR], board[root + WAYS], board[root + BRIDGES]
    if bridges > board[LARGEST + colour]:
        put(board, log, LARGEST + colour, bridges)
    loops = bridges - board[root + SIZE] + 1
    if loops > board[LOOPS_OF + colour]:
        put(board, log, LOOPS_OF + colour, loops)
    if ways == board[root + BLOCKED] and not board[KILLED_OF + colour]:
        put(board, log, KILLED_OF + colour, 1)
    if ways == 0:
        closed, count = closed_at(board), board[CLOSED]
        for each in range(max(0, count - 6), count):
            if board[closed + each] == root:
                return
        put(board, log, closed + count, root)
        put(board, log, CLOSED, count + 1)
        put(board, log, CHANGED, 1)
        put(board, log, CLOSED_OF + colour, board[CLOSED_OF + colour] + 1)
        if bridges > board[LARGEST_CLOSED_OF + colour]:
            put(board, log, LARGEST_CLOSED_OF + colour, bridges)
