"""Where a turn may decide a game of tiles: spaces at which a region is nearly closed, or a loop is."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    BLOCKED,
    COLOUR,
    LOOPS_OF,
    RULES,
    SPACES,
    WAYS,
    aims_at,
    corner_at,
    root_of,
    spaces_at,
    white_point_at,
)
from pbem.bots.hextile.endings import colour_of, on_turn
from pbem.bots.hextile.ruleset import (
    CLOSES,
    CONDITION_FIELDS,
    CONDITIONS,
    CONTAINS,
    EYE,
    KILLS,
    LOOPS,
    WINS,
)

_FEW = 3
"""Ways out of a region that a turn may close. Of the turns by lot that close one in Superbo, 98 in 100 close such a
one; in Lambo all."""
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
    """The colours of regions that somebody has to close who wants to win now: the bit ``1 << colour`` of each.

    Where groups are killed by null points, too, most games by lot end on a stray tip: to look for that gains nothing
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
    """1 << the colour of the mover, if a turn may give a region of his as many loops as win; else 0."""
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
