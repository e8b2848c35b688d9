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
    LEFT_IN_ALL,
    LOOPS_OF,
    RULES,
    SIZE,
    SPACES,
    WAYS,
    beside,
    closed_at,
    root_at,
    root_of,
    spaces_at,
)
from pbem.bots.hextile.endings import around, colour_of, on_turn
from pbem.bots.hextile.ruleset import (
    ANYWHERE,
    CLOSES,
    CONDITION_FIELDS,
    CONDITIONS,
    CONTAINS,
    EATS,
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
_FEW = 3
"""With fewer tiles left the turn may be the last, after which it is counted who wins."""
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
    most, spaces = (_MOST_WAYS if left > 1 else _MOST_WAYS_AT_ONCE), spaces_at(board)
    first, last = 0 if colours & 3 or loops & 3 else 3, 6 if colours & 4 or loops & 4 else 3
    for place in range(board[SPACES]):
        cell = board[spaces + place]
        for index in range(first, last):
            root = root_at(board, cell, index)
            if root == 0 or _comes_earlier(board, cell, index, root):
                continue
            bit = 1 << board[root + COLOUR]
            is_near = bit & colours and board[root + WAYS] <= most and board[root + BLOCKED] == 0
            if is_near and _close(board, log, cell, root, left):
                return 1
            if bit & loops and _ways_at(board, cell, root) > 1 and _lay(board, log, cell, 0, 0):
                return 1
    return 0


@compiled
def _comes_earlier(board: MutableSequence[int], cell: int, index: int, root: int) -> int:
    """1 if a region is also at a point of its kind with a lower number."""
    for each in range(index - index % 3, index):
        if root_at(board, cell, each) == root:
            return 1
    return 0


@compiled
def _ways_at(board: MutableSequence[int], cell: int, root: int) -> int:
    """The number of ways out of a region that lead to a space."""
    ways, white = 0, 3 if board[root + COLOUR] == 2 else 0
    for index in range(white, white + 3):
        if root_at(board, cell, index) == root:
            ways += 1
    return ways


@compiled
def _close(board: MutableSequence[int], log: MutableSequence[int], cell: int, root: int, left: int) -> int:
    """Win by a turn that fills every way out of a region, with a first tile on a cell; return 0 if that fails."""
    need, rings = board[root + WAYS] - _ways_at(board, cell, root), _rings(board, root)
    if _fill_all(board, cell, 0, root, need, rings) and _lay(board, log, cell, 0, root):
        return 1
    if left < 2 or need == 0 or need > _MOST_WAYS_AT_CELL + 1:
        return 0
    is_anywhere, spaces = board[RULES + JOINED] == ANYWHERE, spaces_at(board)
    for place in range(board[SPACES] if is_anywhere else 6):
        second = board[spaces + place] if is_anywhere else beside(board, cell, place)
        if board[second + AT] > board[cell + AT]:  # a pair is tried from the cell that comes first
            rest = need - _ways_at(board, second, root)
            fills = rest < need and _fill_all(board, cell, second, root, rest, rings)
            if fills and _lay(board, log, cell, second, root):
                return 1
    return 0


@compiled
def _fill_all(board: MutableSequence[int], cell: int, second: int, root: int, need: int, rings: int) -> int:
    """1 if tiles on one cell or two may close a region, and win by that, where ``need`` other ways out are left."""
    if need > _MOST_WAYS_AT_CELL or (rings and not _may_loop(board, cell, second, board[root + COLOUR])):
        return 0
    closes = need == 0 or _fills(board, cell, second, root, need)
    return 1 if closes and _may_win(board, cell, second, root) else 0


@compiled
def _rings(board: MutableSequence[int], root: int) -> int:
    """1 if a region wins only once it has a loop."""
    is_eye = board[RULES + CONDITIONS] == 1 and board[RULES + WINS] == EYE
    return 1 if is_eye and board[root + COLOUR] != 2 else 0


@compiled
def _may_win(board: MutableSequence[int], cell: int, second: int, root: int) -> int:
    """0 where one condition alone wins, and closing a region by tiles on one cell or two cannot meet it."""
    condition = board[RULES + WINS] if board[RULES + CONDITIONS] == 1 else -1
    if condition == EATS:
        return 1 if board[LEFT_IN_ALL] < _FEW else _may_eat(board, cell, second, root)
    if condition != EYE or board[root + COLOUR] == 2:
        return 1
    return 1 if _makes_eye(board, cell, second) or _surrounds(board, root) else 0


@compiled
def _may_eat(board: MutableSequence[int], cell: int, second: int, root: int) -> int:
    """1 if a region that has eaten may get another group, or may be joined to one that does, or two may be closed."""
    closed, enemy = closed_at(board), board[root + COLOUR]
    first = 3 if enemy == 2 else 0
    for each in range(6 if second else 3):
        other = root_at(board, cell if each < 3 else second, first + each % 3)
        if other and other != root:
            ways = _ways_at(board, cell, other) + (_ways_at(board, second, other) if second else 0)
            if board[other + WAYS] == ways:
                return 1
    for each in range(board[CLOSED]):
        group = board[closed + each]
        if board[group + COLOUR] == enemy and _may_join(board, cell, second, root, around(board, group)):
            return 1
    return 0


@compiled
def _may_join(board: MutableSequence[int], cell: int, second: int, root: int, eater: int) -> int:
    """1 if a group may come to lie directly in a region by tiles on one cell or two."""
    enemy = 3 if board[root + COLOUR] == 2 else 0
    if around(board, root) == eater:
        return 1
    for each in range(6 if second else 3):
        there = cell if each < 3 else second
        other = root_at(board, there, enemy + each % 3)
        if (other and around(board, other) == eater) or root_at(board, there, 3 - enemy + each % 3) == eater:
            return 1
    return 0


@compiled
def _may_loop(board: MutableSequence[int], cell: int, second: int, colour: int) -> int:
    """1 if a region of a colour at one cell or two has a loop, or tiles there may give one to it."""
    white, both = 3 if colour == 2 else 0, 0
    for each in range(6 if second else 3):
        here, index = cell if each < 3 else second, white + each % 3
        root = root_at(board, here, index)
        if root and board[root + COLOUR] == colour:
            if board[root + BRIDGES] >= board[root + SIZE] or _comes_earlier(board, here, index, root):
                return 1
            if each < 3 and second and _ways_at(board, second, root):
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
    for index in range(6 if second else 3):
        root = root_at(board, cell if index < 3 else second, 3 + index % 3)
        if root and board[root + WAYS] <= _MOST_WAYS:
            need = board[root + WAYS] - _ways_at(board, cell, root)
            if second:
                need -= _ways_at(board, second, root)
            if need == 0 or (need <= _MOST_WAYS_AT_CELL and _fills(board, cell, second, root, need)):
                return 1
    return 0


@compiled
def _fills(board: MutableSequence[int], cell: int, second: int, root: int, need: int) -> int:
    """1 if a space beside one cell or two may fill itself, and so the last ways out of a region."""
    if not board[RULES + FORCED + _MIXED]:
        return 0
    for each in range(12 if second else 6):
        there = beside(board, cell if each < 6 else second, each % 6)
        if board[there + AT] > 0 and there != cell and there != second:
            decided = board[there + DECIDED]
            is_near = (decided % 3 > 0) + (decided // 3 % 3 > 0) + (decided // 9 > 0) > 1
            if is_near and _ways_at(board, there, root) >= need:
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
    joined = _joined(board, cell, state, root)
    if joined <= 0:
        return 1 if joined == 0 else 0
    need = board[joined + WAYS] - _ways_at(board, cell, joined)
    if second:
        need -= _ways_at(board, second, joined)
    closes = need == 0 or (need <= _MOST_WAYS_AT_CELL and _fills(board, cell, second, joined, need))
    return 1 if closes else 0


@compiled
def _closes(board: MutableSequence[int], cell: int, state: int, root: int) -> int:
    """1 if a tile closes a region, whatever follows."""
    joined = _joined(board, cell, state, root)
    if joined < 0 or board[root + WAYS] > _ways_at(board, cell, root):
        return 0
    return 1 if joined == 0 or board[joined + WAYS] == _ways_at(board, cell, joined) else 0


@compiled
def _joined(board: MutableSequence[int], cell: int, state: int, root: int) -> int:
    """The root of the region that a tile would join to another; 0 if it joins none, -1 if it is a point of its own."""
    facts, white = RULES + STATES + (state - 1) * STATE_FIELDS, 3 if board[root + COLOUR] == 2 else 0
    one, other = (
        root_at(board, cell, white + board[facts + ONE_END]),
        root_at(board, cell, white + board[facts + OTHER_END]),
    )
    if (one == root) == (other == root):
        return 0
    joined = other if one == root else one
    return joined or -1


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
