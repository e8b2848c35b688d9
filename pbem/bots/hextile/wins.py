"""Turns that win at once by closing a region or by a loop, found without trying every turn.

A region is closed by a turn only if its tiles fill every empty cell around the region. So the cells that may be filled
together are known before a tile is laid: one, or two that lie together, and the spaces that fill themselves after them.
Of the states of a tile, one that would join the region to another that stays open is not tried.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import WINNER, take_back
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    AT,
    BLOCKED,
    BRIDGES,
    BY_HAND,
    CLOSED,
    COLOUR,
    DECIDED,
    LOOPS_OF,
    RULES,
    SIZE,
    SPACES,
    WAYS,
    beside,
    closed_at,
    corner_at,
    point_at,
    regions_at,
    root_of,
    spaces_at,
    white_point_at,
)
from pbem.bots.hextile.endings import around, colour_of, on_turn
from pbem.bots.hextile.ruleset import (
    ANYWHERE,
    CLOSES,
    CONDITION_FIELDS,
    CONDITIONS,
    CONTAINS,
    EYE,
    FITTING,
    FITTING_FIELDS,
    FORCED,
    JOINED,
    KILLS,
    LOOPS,
    ONE_END,
    OTHER_END,
    STATE_FIELDS,
    STATES,
    WINS,
)
from pbem.bots.hextile.turns import GOES_ON, decided_beside, is_there, lay_in_turn, ours, tiles_to_lay

_MOST_WAYS, _MOST_WAYS_AT_ONCE = 7, 4
"""Ways out of a region that two tiles fill, or one, with others that follow; more are rare."""
_MOST_WAYS_AT_CELL = 3
_LOOPS_A_TURN = 2
"""Loops that a turn adds to a region at most, but for rare ones."""
_MIXED = 22
"""Decided corners of both colours, which are filled by themselves if any are."""


@compiled
def win_at_once(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Play the turn, or the rest of one, so that it wins; return 0, and change nothing, if no way was found.

    Not looked for are kills by null points, two regions that are closed one after the other, and spaces that fill
    themselves in a chain.
    """
    left, colours, loops = tiles_to_lay(board) - board[BY_HAND], _to_close(board), _to_loop(board)
    if not colours and not loops:
        return 0
    most, regions = (_MOST_WAYS if left > 1 else _MOST_WAYS_AT_ONCE), regions_at(board)
    _gather(board)
    for at in range(regions, regions + 6 * board[SPACES]):
        root = board[at]
        bit = 1 << board[root + COLOUR] if root else 0
        is_near = bit & colours and board[root + WAYS] <= most and board[root + BLOCKED] == 0
        if is_near or bit & loops:
            cell, index = board[spaces_at(board) + (at - regions) // 6], (at - regions) % 6
            if index % 3 and root in (board[at - 1], board[at - index % 3]):
                continue
            if is_near and _close(board, log, cell, root, left):
                return 1
            if bit & loops and _ways_at(board, cell, root) > 1 and _lay(board, log, cell, 0, 0):
                return 1
    return 0


@compiled
def _gather(board: MutableSequence[int]) -> None:
    """List the roots of the regions at the six points of each space, corners first; 0 where no tile touches a point."""
    spaces, at = spaces_at(board), regions_at(board)
    for place in range(board[SPACES]):
        cell = board[spaces + place]
        for index in range(3):
            corner, white = corner_at(board, cell, index), white_point_at(board, cell, index)
            board[at + index] = root_of(board, corner) if board[corner] else 0
            board[at + index + 3] = root_of(board, white) if board[white] else 0
        at += 6


@compiled
def _ways_at(board: MutableSequence[int], cell: int, root: int) -> int:
    """The number of ways out of a region that lead to a space."""
    at = regions_at(board) + 6 * (board[cell + AT] - 1) + (3 if board[root + COLOUR] == 2 else 0)
    return (board[at] == root) + (board[at + 1] == root) + (board[at + 2] == root)


@compiled
def _close(board: MutableSequence[int], log: MutableSequence[int], cell: int, root: int, left: int) -> int:
    """Win by a turn that fills every way out of a region, with a first tile on a cell; return 0 if that fails."""
    need = board[root + WAYS] - _ways_at(board, cell, root)
    closes = need == 0 or _fills(board, cell, 0, root, need)
    if closes and _may_have_eye(board, cell, 0, root) and _lay(board, log, cell, 0, root):
        return 1
    if left < 2 or need == 0 or need > _MOST_WAYS_AT_CELL + 1:
        return 0
    is_anywhere, spaces = board[RULES + JOINED] == ANYWHERE, spaces_at(board)
    for place in range(board[SPACES] if is_anywhere else 6):
        second = board[spaces + place] if is_anywhere else beside(board, cell, place)
        if second != cell and board[second + AT] > 0:
            rest = need - _ways_at(board, second, root)
            closes = rest == 0 or (rest < need and _fills(board, cell, second, root, rest))
            if closes and _may_have_eye(board, cell, second, root) and _lay(board, log, cell, second, root):
                return 1
    return 0


@compiled
def _may_have_eye(board: MutableSequence[int], cell: int, second: int, root: int) -> int:
    """1 unless a group has to have an eye, and no tile on one cell or two can give one to it."""
    if board[RULES + CONDITIONS] > 1 or board[RULES + WINS] != EYE or board[root + COLOUR] == 2:
        return 1
    if not _may_loop(board, cell, second, board[root + COLOUR]):
        return 0
    return 1 if _makes_eye(board, cell, second) or _surrounds(board, root) else 0


@compiled
def _may_loop(board: MutableSequence[int], cell: int, second: int, colour: int) -> int:
    """1 if a region of a colour at one cell or two has a loop, or tiles there may give one to it."""
    regions, both = regions_at(board), 0
    at = regions + 6 * (board[cell + AT] - 1)
    other = regions + 6 * (board[second + AT] - 1) if second else at
    for each in range(6 if second else 3):
        here = at if each < 3 else other
        root = board[here + each % 3]
        if root and board[root + COLOUR] == colour:
            if board[root + BRIDGES] >= board[root + SIZE]:
                return 1
            for before in range(each % 3):
                if board[here + before] == root:
                    return 1
            if each < 3 and second and root in (board[other], board[other + 1], board[other + 2]):
                both += 1
    return 1 if both > 1 else 0


@compiled
def _surrounds(board: MutableSequence[int], root: int) -> int:
    """1 if a closed white region lies directly in a region."""
    closed = closed_at(board)
    for each in range(board[CLOSED]):
        eye = board[closed + each]
        if board[eye + COLOUR] == 2 and around(board, eye) == root:
            return 1
    return 0


@compiled
def _has_closed_ring(board: MutableSequence[int], own: int) -> int:
    """1 if a closed group has a loop."""
    closed = closed_at(board)
    for each in range(board[CLOSED]):
        root = board[closed + each]
        if board[root + COLOUR] == own and board[root + BRIDGES] >= board[root + SIZE]:
            return 1
    return 0


@compiled
def _makes_eye(board: MutableSequence[int], cell: int, second: int) -> int:
    """1 if tiles on one cell or two, and those that follow, may close a white region."""
    regions = regions_at(board)
    for index in range(6 if second else 3):
        at = board[(cell if index < 3 else second) + AT] - 1
        root = board[regions + 6 * at + 3 + index % 3]
        if root and board[root + WAYS] <= _MOST_WAYS:
            need = board[root + WAYS] - _ways_at(board, cell, root)
            if second:
                need -= _ways_at(board, second, root)
            if need == 0 or _fills(board, cell, second, root, need):
                return 1
    return 0


@compiled
def _fills(board: MutableSequence[int], cell: int, second: int, root: int, need: int) -> int:
    """1 if a space beside one cell or two may fill itself, and so the last ways out of a region."""
    if need > _MOST_WAYS_AT_CELL or not board[RULES + FORCED + _MIXED]:
        return 0
    for each in range(12 if second else 6):
        there = beside(board, cell if each < 6 else second, each % 6)
        if there != second and board[there + AT] > 0 and _ways_at(board, there, root) >= need:
            decided = board[there + DECIDED]
            if there != cell and (decided % 3 > 0) + (decided // 3 % 3 > 0) + (decided // 9 > 0) > 1:
                return 1
    return 0


@compiled
def _lay(board: MutableSequence[int], log: MutableSequence[int], cell: int, second: int, root: int) -> int:
    """Win by a tile on a cell, or with another on a second one if that is not 0; return 0 if none does.

    Args:
        root: the region that has to be closed by that, of which both cells have ways out, or 0.
    """
    mark, seat = log[0], on_turn(board)
    fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
    for each in range(board[fitting]):
        state = board[fitting + 1 + each]
        if is_there(board, state) and (root == 0 or _may_close(board, cell, second, state, root)):
            came = lay_in_turn(board, log, cell, state, 0)
            if board[WINNER] == seat:
                return 1
            if came == GOES_ON and second and board[second + AT] > 0 and _end(board, log, second, seat, root):
                return 1
            take_back(board, log, mark)
    return 0


@compiled
def _end(board: MutableSequence[int], log: MutableSequence[int], cell: int, seat: int, root: int) -> int:
    """Win by the last tile of a turn, which has to close a region; return 0 if none does."""
    mark, root = log[0], root_of(board, root)
    fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
    for each in range(board[fitting]):
        state = board[fitting + 1 + each]
        if is_there(board, state) and (_closes(board, cell, state, root) or _is_followed(board, cell, state)):
            lay_in_turn(board, log, cell, state, 0)
            if board[WINNER] == seat:
                return 1
            take_back(board, log, mark)
    return 0


@compiled
def _may_close(board: MutableSequence[int], cell: int, second: int, state: int, root: int) -> int:
    """0 if a tile would join a region to another one that has more ways out than a turn on one cell or two fills."""
    point = _joined(board, cell, state, root)
    if point == 0:
        return 1
    if board[point] == 0:
        return 0
    joined = root_of(board, point)
    need = board[joined + WAYS] - _ways_at(board, cell, joined)
    if second:
        need -= _ways_at(board, second, joined)
    return 1 if need == 0 or _fills(board, cell, second, joined, need) else 0


@compiled
def _closes(board: MutableSequence[int], cell: int, state: int, root: int) -> int:
    """1 if a tile closes a region, whatever follows."""
    need = board[root + WAYS] - _ways_now(board, cell, root)
    if need:
        return 0
    point = _joined(board, cell, state, root)
    if point == 0:
        return 1
    if board[point] == 0:
        return 0
    joined = root_of(board, point)
    return 1 if board[joined + WAYS] == _ways_now(board, cell, joined) else 0


@compiled
def _joined(board: MutableSequence[int], cell: int, state: int, root: int) -> int:
    """The point by which a tile would join a region to another one; 0 if it would not."""
    facts, white = RULES + STATES + (state - 1) * STATE_FIELDS, 3 if board[root + COLOUR] == 2 else 0
    one = point_at(board, cell, white + board[facts + ONE_END])
    other = point_at(board, cell, white + board[facts + OTHER_END])
    is_one = board[one] and root_of(board, one) == root
    is_other = board[other] and root_of(board, other) == root
    if is_one == is_other:
        return 0
    return other if is_one else one


@compiled
def _ways_now(board: MutableSequence[int], cell: int, root: int) -> int:
    """The number of ways out of a region that lead to a space, without the list of regions."""
    ways, white = 0, 3 if board[root + COLOUR] == 2 else 0
    for index in range(white, white + 3):
        point = point_at(board, cell, index)
        if board[point] and root_of(board, point) == root:
            ways += 1
    return ways


@compiled
def _is_followed(board: MutableSequence[int], cell: int, state: int) -> int:
    """1 if a tile makes a space beside it fill itself."""
    facts = RULES + STATES + (state - 1) * STATE_FIELDS
    for direction in range(6 if board[RULES + FORCED + _MIXED] else 0):
        decided = decided_beside(board, cell, direction, board[facts + ours(direction)])
        if board[beside(board, cell, direction) + AT] > 0 and board[RULES + FORCED + decided]:
            return 1
    return 0


@compiled
def _to_close(board: MutableSequence[int]) -> int:
    """The colours of regions that a player has to close to win now: the bit ``1 << colour`` of each.

    Where groups are killed by null points, too, most random games end on a stray tip: looking for that gains nothing
    (`docs/robots.md`).
    """
    colours, seat, conditions = 0, on_turn(board), RULES + WINS
    own, enemy = colour_of(board, seat), colour_of(board, 1 - seat)
    for at in range(conditions, conditions + CONDITION_FIELDS * board[RULES + CONDITIONS], CONDITION_FIELDS):
        which = board[at]
        if which in (CLOSES, EYE, CONTAINS):
            colours |= 1 << own
        if which == EYE and _has_closed_ring(board, own):
            colours |= 4
        if which not in (CLOSES, EYE, LOOPS, KILLS):
            colours |= 1 << enemy
    return colours


@compiled
def _to_loop(board: MutableSequence[int]) -> int:
    """1 << the colour of the mover, if a tile may give one of their regions enough loops to win; else 0."""
    own, conditions = colour_of(board, on_turn(board)), RULES + WINS
    for at in range(conditions, conditions + CONDITION_FIELDS * board[RULES + CONDITIONS], CONDITION_FIELDS):
        if board[at] == LOOPS and board[LOOPS_OF + own] + _LOOPS_A_TURN >= board[at + 1]:
            return 1 << own
    return 0
