"""Ends of games, on numbers: as `pbem.games.hextile.endings`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import DRAWN, NOBODY
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
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
    SWAPPED,
    WAYS,
    WHITE_POINT,
    closed_at,
    root_of,
)
from pbem.bots.hextile.ruleset import (
    CLOSES,
    CLOSES_ENEMY,
    COLOUR_OF_SEAT,
    CONDITION_FIELDS,
    CONDITIONS,
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
    """The root of the region just outside of one: as `nesting.around`; 0 if that is open and no tile lies there."""
    side = board[RULES + SIDE]
    if board[root + COLOUR] == 2:
        beyond = board[root + RIGHT] + (2 * side - 1) * RECORD + CORNER - WHITE_POINT
    else:
        beyond = board[root + LEFT] - (2 * side - 1) * RECORD + WHITE_POINT - CORNER
    return root_of(board, beyond) if board[beyond] else 0


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
