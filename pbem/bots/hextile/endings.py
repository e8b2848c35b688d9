"""Ends of games, on numbers: as `pbem.games.hextile.endings`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import DRAWN, NOBODY
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    BLOCKED,
    BRIDGES,
    CHANGED,
    CLOSED,
    CLOSED_OF,
    COLOUR,
    CORNER,
    FIRST,
    KILLED_OF,
    LARGEST,
    LARGEST_CLOSED_OF,
    LEFT,
    LEFT_IN_ALL,
    LOOPS_OF,
    PLY,
    RECORD,
    RIGHT,
    RULES,
    SIZE,
    SPACES,
    SWAPPED,
    WAYS,
    WHITE_POINT,
    aims_at,
    closed_at,
    corner_at,
    root_of,
    spaces_at,
    white_point_at,
)
from pbem.bots.hextile.ruleset import (
    CLOSES,
    CLOSES_ENEMY,
    COLOUR_OF_SEAT,
    CONDITION_FIELDS,
    CONDITIONS,
    CONTAINS,
    EATEN_SIZE,
    EATS,
    EYE,
    KILLS,
    LARGEST_CLOSED,
    LARGEST_LOSES,
    LARGEST_WINS,
    LOOPS,
    MOST_EATEN,
    SIDE,
    TERRITORY,
    TERRITORY_SMALLEST,
    TIE_BREAK,
    WINS,
)
from pbem.bots.hextile.territory import encloses, territory

_MANY = 1 << 20
"""More than there are groups."""


@compiled
def around(board: MutableSequence[int], root: int) -> int:
    """The root of the region just outside of a closed one: as `nesting.around`."""
    side = board[RULES + SIDE]
    if board[root + COLOUR] == 2:
        beyond = board[root + RIGHT] + (2 * side - 1) * RECORD + CORNER - WHITE_POINT
    else:
        beyond = board[root + LEFT] - (2 * side - 1) * RECORD + WHITE_POINT - CORNER
    return root_of(board, beyond)


@compiled
def _loops(board: MutableSequence[int], root: int) -> int:
    return board[root + BRIDGES] - board[root + SIZE] + 1


@compiled
def _has_eye(board: MutableSequence[int], own: int, size: int) -> int:
    """1 if a closed white region lies in a closed group with a loop."""
    closed, count = closed_at(board), board[CLOSED]
    for each in range(count):
        eye = board[closed + each]
        if board[eye + COLOUR] == 2:
            ring = around(board, eye)
            is_ring = board[ring + COLOUR] == own and board[ring + WAYS] == 0 and _loops(board, ring) > 0
            if is_ring and board[ring + BRIDGES] >= size:
                return 1
    return 0


@compiled
def _contains(board: MutableSequence[int], own: int, enemy: int) -> int:
    """1 if a closed enemy group lies within a closed group."""
    closed, count = closed_at(board), board[CLOSED]
    for each in range(count):
        ring = board[closed + each]
        if board[ring + COLOUR] == own and _loops(board, ring) > 0:
            for other in range(count):
                inner = board[closed + other]
                if board[inner + COLOUR] == enemy and encloses(board, ring, inner):
                    return 1
    return 0


@compiled
def _most_eaten(board: MutableSequence[int], enemy: int, least: int, size: int) -> int:
    """The number of closed enemy groups directly in the region that has the most; 0 if they are not enough."""
    closed, count, most = closed_at(board), board[CLOSED], 0
    if board[CLOSED_OF + enemy] < least:
        return 0
    for each in range(count):
        group = board[closed + each]
        if board[group + COLOUR] == enemy and board[group + BRIDGES] >= size:
            eater, eaten = around(board, group), 0
            for other in range(count):
                second = board[closed + other]
                counts = board[second + COLOUR] == enemy and board[second + BRIDGES] >= size
                if counts and around(board, second) == eater:
                    eaten += 1
            most = max(most, eaten)
    return most if most >= least else 0


@compiled
def _closing(board: MutableSequence[int], at: int, own: int, enemy: int) -> int:
    """The degree to which a condition is met that only closing a region can meet; ``at`` is where its numbers begin."""
    which, size = board[at], board[at + 2]
    if which == CLOSES:
        return 1 if board[LARGEST_CLOSED_OF + own] >= size else 0
    if which == CLOSES_ENEMY:
        return 1 if board[LARGEST_CLOSED_OF + enemy] >= size else 0
    if which == EYE:
        return _has_eye(board, own, size)
    return _contains(board, own, enemy)


@compiled
def _reached(board: MutableSequence[int], own: int, enemy: int) -> int:
    """The degree to which the player of a colour meets their furthest-met condition; 0 if none."""
    most, conditions = 0, RULES + WINS
    for at in range(conditions, conditions + CONDITION_FIELDS * board[RULES + CONDITIONS], CONDITION_FIELDS):
        met = 0
        if board[at] == KILLS:
            met = board[KILLED_OF + enemy]
        elif board[at] == LOOPS:
            met = 1 if board[LOOPS_OF + own] >= board[at + 1] else 0
        elif board[at] == EATS:  # regions that have eaten may also grow together
            met = _most_eaten(board, enemy, board[at + 1], board[at + 2])
        elif board[CHANGED]:
            met = _closing(board, at, own, enemy)
        most = max(most, met)
    return most


@compiled
def colour_of(board: MutableSequence[int], seat: int) -> int:
    """The colour of a seat."""
    return board[RULES + COLOUR_OF_SEAT + (1 - seat if board[SWAPPED] else seat)]


@compiled
def on_turn(board: MutableSequence[int]) -> int:
    """The seat whose turn is under way."""
    return (board[FIRST] + board[PLY]) % 2


@compiled
def decided(board: MutableSequence[int]) -> int:
    """The seat that has won by a condition, or `NOBODY`."""
    one, other = colour_of(board, 0), colour_of(board, 1)
    first = _reached(board, one, other)
    second = _reached(board, other, one)
    if first > second:
        return 0
    if second > first:
        return 1
    return 1 - on_turn(board) if first else NOBODY


@compiled
def judge(board: MutableSequence[int]) -> int:
    """The winner, `DRAWN`, or `NOBODY` while the game is on."""
    winner = decided(board)
    if winner != NOBODY or board[LEFT_IN_ALL]:
        return winner
    one, other = colour_of(board, 0), colour_of(board, 1)
    first, second = _counted(board, one, other), _counted(board, other, one)
    if first == second:
        return DRAWN
    return 0 if first > second else 1


@compiled
def _counted(board: MutableSequence[int], own: int, enemy: int) -> int:
    """The count that decides for a player when the supply is empty; the most wins."""
    which = board[RULES + TIE_BREAK]
    if which == LARGEST_WINS:
        return board[LARGEST + own]
    if which == LARGEST_LOSES:
        return -board[LARGEST + own]
    if which == LARGEST_CLOSED:
        return board[LARGEST_CLOSED_OF + own] * _MANY + board[CLOSED_OF + own]
    if which == MOST_EATEN:
        return _eaten(board, enemy, board[RULES + EATEN_SIZE])
    if which == TERRITORY:
        return territory(board, own, 0)
    if which == TERRITORY_SMALLEST:
        return territory(board, own, 1)
    return 0


@compiled
def _eaten(board: MutableSequence[int], enemy: int, size: int) -> int:
    """The largest enemy group that was eaten, then how many were."""
    closed, count, largest, number = closed_at(board), board[CLOSED], -1, 0
    for each in range(count):
        group = board[closed + each]
        if board[group + COLOUR] == enemy and board[group + BRIDGES] >= size:
            number += 1
            largest = max(largest, board[group + BRIDGES])
    return largest * _MANY + number


_FEW = 3
"""Ways out of a region that a turn may close. Of the random turns that close one in Superbo, 98 in 100 close
one of these; in Lambo all."""
_LOOPS_A_TURN = 2


@compiled
def aim(board: MutableSequence[int]) -> int:
    """Gather the spaces where the turn may be decided at `aims_at`; how many there are."""
    spaces, aims, count = spaces_at(board), aims_at(board), 0
    colours, loops = _to_close(board), _to_loop(board)
    if not colours and not loops:
        return 0
    for place in range(board[SPACES]):
        cell = board[spaces + place]
        if _decides(board, cell, colours, loops):
            board[aims + count] = cell
            count += 1
    return count


@compiled
def decides(board: MutableSequence[int], cell: int) -> int:
    """1 if the turn may be decided on a space."""
    return _decides(board, cell, _to_close(board), _to_loop(board))


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
        if which not in (CLOSES, EYE, LOOPS, KILLS):
            colours |= 1 << enemy
    return colours


@compiled
def _to_loop(board: MutableSequence[int]) -> int:
    """1 << the colour of the mover, if a turn may give one of their regions enough loops to win; else 0."""
    own, conditions = colour_of(board, on_turn(board)), RULES + WINS
    for at in range(conditions, conditions + CONDITION_FIELDS * board[RULES + CONDITIONS], CONDITION_FIELDS):
        if board[at] == LOOPS and board[LOOPS_OF + own] + _LOOPS_A_TURN >= board[at + 1]:
            return 1 << own
    return 0


@compiled
def _decides(board: MutableSequence[int], cell: int, colours: int, loops: int) -> int:
    """1 if a space touches a region of one of these colours with few ways out, or one that may loop twice."""
    before, earlier = 0, 0
    for corner in range(3):
        one, other = corner_at(board, cell, corner), white_point_at(board, cell, corner)
        if board[one]:
            root = root_of(board, one)
            bit = 1 << board[root + COLOUR]
            if bit & colours and board[root + WAYS] - board[root + BLOCKED] <= _FEW:
                return 1
            if bit & loops:
                if root in (before, earlier):
                    return 1
                before, earlier = root, before
        if board[other] and colours & 4:
            root = root_of(board, other)
            if board[root + WAYS] <= _FEW:
                return 1
    return 0
