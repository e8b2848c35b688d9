"""Laying a tile on a board of integers, and all that a tile changes; a change can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots.boards import FAMILY, HEXTILE, LOT, NOBODY, SEATS, WINNER, put
from pbem.bots.compiling import compiled, integers
from pbem.bots.hextile.board import (
    AT,
    BLOCKED,
    BRIDGES,
    BY_HAND,
    CELLS,
    CHANGED,
    CLOSED,
    CLOSED_OF,
    COLOUR,
    DEAD,
    DECIDED,
    FIRST,
    IS_NULL,
    LARGEST,
    LARGEST_CLOSED_OF,
    LEFT,
    LEFT_IN_ALL,
    LISTS,
    LOOPS_OF,
    PARENT,
    RECORD,
    RIGHT,
    ROOM,
    RULES,
    SIZE,
    SPACES,
    SUPPLY,
    TILE,
    TILES,
    TURN,
    WAYS,
    beside,
    closed_at,
    corner_at,
    root_of,
    spaces_at,
    tiles_at,
    turn_at,
    waiting_at,
    white_point_at,
)
from pbem.bots.hextile.ruleset import (
    FITTING,
    FITTING_FIELDS,
    FORCED,
    KINDS,
    SIDE,
    START,
    STATE_FIELDS,
    STATES,
    TILES_OF,
)

if TYPE_CHECKING:
    from collections.abc import MutableSequence


@compiled
def _touch(board: MutableSequence[int], log: MutableSequence[int], point: int, colour: int) -> None:
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
def _join(board: MutableSequence[int], log: MutableSequence[int], one: int, other: int) -> None:
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
def _remove_space(board: MutableSequence[int], log: MutableSequence[int], cell: int) -> None:
    """Take a cell from the list of spaces; the last one takes its place."""
    spaces = spaces_at(board)
    place = board[cell + AT]
    if place <= 0:
        return
    count = board[SPACES]
    last = board[spaces + count - 1]
    if last != cell:
        put(board, log, spaces + place - 1, last)
        put(board, log, last + AT, place)
    put(board, log, SPACES, count - 1)


@compiled
def _note(board: MutableSequence[int], log: MutableSequence[int], point: int) -> None:
    """Keep account of what the region of a point has become: dead, closed, larger, with more loops."""
    root = root_of(board, point)
    colour, ways, bridges = board[root + COLOUR], board[root + WAYS], board[root + BRIDGES]
    if bridges > board[LARGEST + colour]:
        put(board, log, LARGEST + colour, bridges)
    loops = bridges - board[root + SIZE] + 1
    if loops > board[LOOPS_OF + colour]:
        put(board, log, LOOPS_OF + colour, loops)
    if ways == board[root + BLOCKED] and not board[DEAD + colour]:
        put(board, log, DEAD + colour, 1)
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


@compiled
def lay_one(board: MutableSequence[int], log: MutableSequence[int], cell: int, state: int) -> None:
    """Lay a tile that fits, and nothing of what follows by itself."""
    facts = RULES + STATES + (state - 1) * STATE_FIELDS
    _remove_space(board, log, cell)
    put(board, log, cell + AT, 0)
    put(board, log, cell + TILE, state)
    put(board, log, tiles_at(board) + board[TILES], cell)
    put(board, log, TILES, board[TILES] + 1)
    kind = board[facts + 8]
    put(board, log, SUPPLY + kind, board[SUPPLY + kind] - 1)
    put(board, log, LEFT_IN_ALL, board[LEFT_IN_ALL] - 1)
    for corner in range(3):
        _touch(board, log, corner_at(board, cell, corner), board[facts + corner])
        _touch(board, log, white_point_at(board, cell, corner), 2)
    one, other = board[facts + 6], board[facts + 7]
    _join(board, log, corner_at(board, cell, one), corner_at(board, cell, other))
    _join(board, log, white_point_at(board, cell, one), white_point_at(board, cell, other))
    for direction in range(6):
        _decide(board, log, cell, direction, board[facts + _ours(direction)])
    for corner in range(3):
        _note(board, log, corner_at(board, cell, corner))
        _note(board, log, white_point_at(board, cell, corner))


@compiled
def _ours(direction: int) -> int:
    """The corner that a cell shares with a neighbour, as it is called in the cell."""
    if direction == 0 or direction == 1:
        return 1
    if direction == 2 or direction == 3:
        return 2
    return 0


@compiled
def _theirs(direction: int) -> int:
    """The same as it is called in the neighbour: as in `pbem.games.hextile.grid.SHARED`."""
    if direction == 1 or direction == 2:
        return 0
    if direction == 0 or direction == 5:
        return 2
    return 1


@compiled
def _decide(board: MutableSequence[int], log: MutableSequence[int], cell: int, direction: int, colour: int) -> None:
    """Tell a neighbour that is empty what colour the corner has that it shares."""
    there = beside(board, cell, direction)
    if board[there + TILE]:
        return
    spaces = spaces_at(board)
    corner = _theirs(direction)
    weight = 1 if corner == 0 else 3 if corner == 1 else 9
    decided = board[there + DECIDED]
    if decided // weight % 3 == 0:
        decided += (colour + 1) * weight
        put(board, log, there + DECIDED, decided)
    if board[RULES + FITTING + decided * FITTING_FIELDS] == 0:
        if board[there + AT] != IS_NULL:
            _remove_space(board, log, there)
            put(board, log, there + AT, IS_NULL)
            for each in range(3):
                root = root_of(board, corner_at(board, there, each))
                put(board, log, root + BLOCKED, board[root + BLOCKED] + 1)
            for each in range(3):
                _note(board, log, corner_at(board, there, each))
    elif board[there + AT] == 0:
        count = board[SPACES]
        put(board, log, spaces + count, there)
        put(board, log, there + AT, count + 1)
        put(board, log, SPACES, count + 1)


@compiled
def reading_order(board: MutableSequence[int], cell: int) -> int:
    """A number by which cells are sorted as they are drawn: top to bottom, then left to right."""
    side = board[RULES + SIDE]
    q, r = (cell - CELLS) // RECORD // side, (cell - CELLS) // RECORD % side
    return (2 * r + q) * 4 * side + q


@compiled
def lay(board: MutableSequence[int], log: MutableSequence[int], cell: int, state: int) -> None:
    """Lay a tile by hand that fits and is there, then every tile that follows by itself: as `fills.lay`."""
    turn, waiting = turn_at(board), waiting_at(board)
    put(board, log, BY_HAND, board[BY_HAND] + 1)
    if board[CHANGED]:
        put(board, log, CHANGED, 0)
    first, last = 0, 0
    while True:
        count = board[TURN]
        put(board, log, turn + count, cell * 16 + state)
        put(board, log, TURN, count + 1)
        lay_one(board, log, cell, state)
        begun = last
        for direction in range(6):
            there = beside(board, cell, direction)
            if board[there + AT] > 0 and board[RULES + FORCED + board[there + DECIDED]]:
                place = last
                while place > begun and reading_order(board, board[waiting + place - 1]) > reading_order(board, there):
                    board[waiting + place] = board[waiting + place - 1]
                    place -= 1
                board[waiting + place] = there
                last += 1
        found = 0
        while first < last and found == 0:
            cell = board[waiting + first]
            first += 1
            if board[cell + AT] > 0:
                state = board[RULES + FORCED + board[cell + DECIDED]]
                if state and board[SUPPLY + board[RULES + STATES + (state - 1) * STATE_FIELDS + 8]]:
                    found = 1
        if found == 0:
            return


@compiled
def begin(board: MutableSequence[int], log: MutableSequence[int], first: int) -> None:
    """The position before the first turn, on a board of zeros; it is not noted, so it cannot be taken back."""
    side, start, left = board[RULES + SIDE], board[RULES + START], 0
    middle = CELLS + side // 2 * (side + 1) * RECORD
    for kind in range(board[RULES + KINDS]):
        board[SUPPLY + kind] = board[RULES + TILES_OF + kind]
        left += board[SUPPLY + kind]
    board[LEFT_IN_ALL] = left
    board[FIRST] = first
    board[WINNER] = NOBODY
    for colour in range(3):
        board[LARGEST + colour] = -1
        board[LARGEST_CLOSED_OF + colour] = -1
    board[spaces_at(board)] = middle
    board[SPACES] = 1
    board[middle + AT] = 1
    log[0] = 0
    if start:
        lay_one(board, log, middle, start)
        log[0] = 0


def new_board(table: list[int]) -> tuple[MutableSequence[int], MutableSequence[int]]:
    """A board of zeros for the rules in a table, and its log."""
    side = table[SIDE]
    board = [0] * (CELLS + side * side * RECORD + ROOM * LISTS * side)
    board[RULES : RULES + len(table)] = table
    board[FAMILY], board[SEATS], board[LOT] = HEXTILE, 2, 1
    return integers(board), integers([0] * (4000 + 200 * side))
