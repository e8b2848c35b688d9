"""Laying a tile and what follows by itself, on numbers: as `pbem.games.hextile.fills`, and the spaces of `layout`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import put
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    AT,
    BLOCKED,
    BY_HAND,
    CELLS,
    CHANGED,
    DECIDED,
    IS_NULL,
    LEFT_IN_ALL,
    RECORD,
    RULES,
    SPACES,
    SUPPLY,
    TILE,
    TILES,
    TURN,
    beside,
    corner_at,
    root_of,
    spaces_at,
    tiles_at,
    turn_at,
    waiting_at,
    white_point_at,
)
from pbem.bots.hextile.regions import join, note, touch
from pbem.bots.hextile.ruleset import (
    FITTING,
    FITTING_FIELDS,
    FORCED,
    KIND,
    ONE_END,
    OTHER_END,
    SIDE,
    STATE_FIELDS,
    STATES,
)


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
def lay_one(board: MutableSequence[int], log: MutableSequence[int], cell: int, state: int) -> None:
    """Lay a tile that fits, and nothing of what follows by itself."""
    facts = RULES + STATES + (state - 1) * STATE_FIELDS
    _remove_space(board, log, cell)
    put(board, log, cell + AT, 0)
    put(board, log, cell + TILE, state)
    put(board, log, tiles_at(board) + board[TILES], cell)
    put(board, log, TILES, board[TILES] + 1)
    kind = board[facts + KIND]
    put(board, log, SUPPLY + kind, board[SUPPLY + kind] - 1)
    put(board, log, LEFT_IN_ALL, board[LEFT_IN_ALL] - 1)
    for corner in range(3):
        touch(board, log, corner_at(board, cell, corner), board[facts + corner])
        touch(board, log, white_point_at(board, cell, corner), 2)
    one, other = board[facts + ONE_END], board[facts + OTHER_END]
    join(board, log, corner_at(board, cell, one), corner_at(board, cell, other))
    join(board, log, white_point_at(board, cell, one), white_point_at(board, cell, other))
    for direction in range(6):
        _decide(board, log, cell, direction, board[facts + _ours(direction)])
    for corner in range(3):
        note(board, log, corner_at(board, cell, corner))
        note(board, log, white_point_at(board, cell, corner))


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
                note(board, log, corner_at(board, there, each))
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
                if state and board[SUPPLY + board[RULES + STATES + (state - 1) * STATE_FIELDS + KIND]]:
                    found = 1
        if found == 0:
            return
