"""Legal tiles of a turn, on numbers: as `pbem.games.hextile.position`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import NOBODY, WINNER, put, take_back
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
    PLY,
    RECORD,
    RULES,
    SPACES,
    SUPPLY,
    SWAPPED,
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
from pbem.bots.hextile.endings import decided, judge
from pbem.bots.hextile.ruleset import (
    ADJACENT,
    ANYWHERE,
    BOTH_COLOURS,
    FITTING,
    FITTING_FIELDS,
    FORCED,
    JOINED,
    KIND,
    MAY_SWAP,
    ONE_END,
    OTHER_END,
    SIDE,
    STATE_FIELDS,
    STATES,
    TILES_A_TURN,
)
from pbem.bots.hextile.territory import join, note, touch


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
        _decide(board, log, cell, direction, board[facts + ours(direction)])
    for corner in range(3):
        note(board, log, corner_at(board, cell, corner))
        note(board, log, white_point_at(board, cell, corner))


@compiled
def ours(direction: int) -> int:
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
def decided_beside(board: MutableSequence[int], cell: int, direction: int, colour: int) -> int:
    """The decided corners of a neighbour once the corner has a colour that it shares."""
    decided, corner = board[beside(board, cell, direction) + DECIDED], _theirs(direction)
    weight = 1 if corner == 0 else 3 if corner == 1 else 9
    return decided if decided // weight % 3 else decided + (colour + 1) * weight


@compiled
def _decide(board: MutableSequence[int], log: MutableSequence[int], cell: int, direction: int, colour: int) -> None:
    """Tell a neighbour that is empty what colour the corner has that it shares."""
    there = beside(board, cell, direction)
    if board[there + TILE]:
        return
    spaces, decided = spaces_at(board), decided_beside(board, cell, direction, colour)
    if decided != board[there + DECIDED]:
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


ILLEGAL, GOES_ON, ENDS = range(3)
"""The effects of a tile on a turn: it is forbidden, another tile has to follow, or the turn is over."""

SWAPS = 1
"""The swap as a step; all others are placements, as ``cell * 16 + state``."""


@compiled
def tiles_to_lay(board: MutableSequence[int]) -> int:
    """The number of tiles laid by hand in the turn."""
    return board[RULES + TILES_A_TURN] if board[PLY] else 1


@compiled
def _shows_both(board: MutableSequence[int]) -> int:
    """1 if the corners of the turn's tiles show both colours."""
    shown, turn = 0, turn_at(board)
    for each in range(board[TURN]):
        facts = RULES + STATES + (board[turn + each] % 16 - 1) * STATE_FIELDS
        for corner in range(3):
            shown |= 1 << board[facts + corner]
    return 1 if shown & 3 == 3 else 0


@compiled
def _touch(board: MutableSequence[int], one: int, other: int) -> int:
    """1 if two cells are neighbours."""
    for direction in range(6):
        if beside(board, one, direction) == other:
            return 1
    return 0


@compiled
def _lie_together(board: MutableSequence[int], earlier: int) -> int:
    """1 if the tiles of a turn are joined as the game asks; ``earlier`` is where the one laid last by hand stands."""
    joined, turn, count = board[RULES + JOINED], turn_at(board), board[TURN]
    if joined == ANYWHERE:
        return 1
    if joined == ADJACENT:
        return _touch(board, board[turn] // 16, board[turn + earlier] // 16)
    # the room for spaces that wait is free between two tiles
    order = waiting_at(board)
    seen = order + count
    for each in range(count):
        board[seen + each] = 0
    board[order], board[seen] = 0, 1
    reached, newest = 1, 0
    while newest < reached:
        cell = board[turn + board[order + newest]] // 16
        newest += 1
        for each in range(count):
            if not board[seen + each] and _touch(board, cell, board[turn + each] // 16):
                board[seen + each] = 1
                board[order + reached] = each
                reached += 1
    return 1 if reached == count else 0


@compiled
def lay_in_turn(board: MutableSequence[int], log: MutableSequence[int], cell: int, state: int, follows: int) -> int:
    """Lay a tile that fits, and say what that makes of the turn; one that is forbidden is taken back.

    Whether anything could follow is looked at only with ``follows``. After a turn that is over the ply counts on.
    """
    mark = log[0]
    earlier = board[TURN]
    lay(board, log, cell, state)
    by_hand, won = board[BY_HAND], decided(board)
    if won == NOBODY and board[LEFT_IN_ALL] and by_hand < tiles_to_lay(board):
        if not follows or can_follow(board, log):
            return GOES_ON
        take_back(board, log, mark)
        return ILLEGAL
    if by_hand > 1 or won == NOBODY:
        together = by_hand == 1 or _lie_together(board, earlier)
        if not together or (board[RULES + BOTH_COLOURS] and not _shows_both(board)):
            take_back(board, log, mark)
            return ILLEGAL
    winner = judge(board)
    if winner != NOBODY:
        put(board, log, WINNER, winner)
    put(board, log, PLY, board[PLY] + 1)
    put(board, log, TURN, 0)
    put(board, log, BY_HAND, 0)
    return ENDS


@compiled
def is_in_either_order(board: MutableSequence[int], log: MutableSequence[int], first: int, second: int) -> int:
    """1 if nothing fills itself between or after two tiles of a turn, of which the first one lies there.

    Then they can be laid in the other order, if the second tile could have been laid before the first one.
    """
    if board[TURN] != 1:
        return 0
    cell, there = first // 16, second // 16
    facts, decided = RULES + STATES + (first % 16 - 1) * STATE_FIELDS, board[cell + DECIDED]
    for direction in range(6):
        if beside(board, cell, direction) == there:
            decided = decided_beside(board, there, (direction + 3) % 6, board[facts + ours(direction)])
    if board[RULES + FORCED + decided]:
        return 0
    mark, count = log[0], board[TILES]
    lay(board, log, there, second % 16)
    alone = board[TILES] == count + 1
    take_back(board, log, mark)
    return 1 if alone else 0


@compiled
def can_follow(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """1 if some tile may end the turn that is under way."""
    spaces, mark = spaces_at(board), log[0]
    for place in range(board[SPACES] - 1, -1, -1):
        cell = board[spaces + place]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        for each in range(board[fitting]):
            state = board[fitting + 1 + each]
            if is_there(board, state) and _ends_turn(board, log, cell, state):
                take_back(board, log, mark)
                return 1
    return 0


@compiled
def _ends_turn(board: MutableSequence[int], log: MutableSequence[int], cell: int, state: int) -> int:
    """Lay a second tile; 1 if it may end the turn. It stays there if so."""
    mark, earlier = log[0], board[TURN]
    if board[RULES + JOINED] == ADJACENT and not _touch(board, board[turn_at(board)] // 16, cell):
        return 0
    lay(board, log, cell, state)
    together = _lie_together(board, earlier)
    if together and (not board[RULES + BOTH_COLOURS] or _shows_both(board)):
        return 1
    take_back(board, log, mark)
    return 0


@compiled
def is_there(board: MutableSequence[int], state: int) -> int:
    """Return True if the supply has a tile with this state."""
    return board[SUPPLY + board[RULES + STATES + (state - 1) * STATE_FIELDS + KIND]]


@compiled
def steps(board: MutableSequence[int], log: MutableSequence[int], found: MutableSequence[int], apart: int) -> int:
    """Every step that the rules allow now; none once the game is over.

    Args:
        found: filled in: the steps; and ``apart`` places after each the winner after it, or `NOBODY` if the game
            goes on.

    Returns:
        Their number.
    """
    spaces, count, mark = spaces_at(board), 0, log[0]
    if board[WINNER] != NOBODY:
        return 0
    for place in range(board[SPACES]):
        cell = board[spaces + place]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        for each in range(board[fitting]):
            state = board[fitting + 1 + each]
            if is_there(board, state) and lay_in_turn(board, log, cell, state, 1) != ILLEGAL:
                found[count], found[apart + count] = cell * 16 + state, board[WINNER]
                count += 1
                take_back(board, log, mark)
    if board[RULES + MAY_SWAP] and board[PLY] == 1 and board[TURN] == 0:
        found[count], found[apart + count] = SWAPS, NOBODY
        count += 1
    return count


@compiled
def play(board: MutableSequence[int], log: MutableSequence[int], step: int) -> None:
    """Play one of the steps that the rules allow."""
    if step == SWAPS:
        put(board, log, SWAPPED, 1 - board[SWAPPED])
        put(board, log, PLY, board[PLY] + 1)
    else:
        lay_in_turn(board, log, step // 16, step % 16, 0)
