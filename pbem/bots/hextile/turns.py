"""What may be laid in a turn, on numbers: as `pbem.games.hextile.turns`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import NOBODY, WINNER, put, take_back
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    BY_HAND,
    DECIDED,
    LEFT_IN_ALL,
    PLY,
    RULES,
    SPACES,
    SUPPLY,
    SWAPPED,
    TURN,
    beside,
    spaces_at,
    turn_at,
    waiting_at,
)
from pbem.bots.hextile.endings import decided, judge
from pbem.bots.hextile.fills import lay
from pbem.bots.hextile.ruleset import (
    ADJACENT,
    ANYWHERE,
    BOTH_COLOURS,
    FITTING,
    FITTING_FIELDS,
    JOINED,
    KIND,
    MAY_SWAP,
    STATE_FIELDS,
    STATES,
    TILES_A_TURN,
)

ILLEGAL, GOES_ON, ENDS = range(3)
"""What a tile makes of a turn: it is forbidden, another tile has to follow, or the turn is over."""

SWAPS = 1
"""The swap as a step; all others are placements, as ``cell * 16 + state``."""


@compiled
def _tiles_to_lay(board: MutableSequence[int]) -> int:
    """How many tiles the turn has, as far as they are laid by hand."""
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
    if won == NOBODY and board[LEFT_IN_ALL] and by_hand < _tiles_to_lay(board):
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
    """Whether the supply has a tile with this state."""
    return board[SUPPLY + board[RULES + STATES + (state - 1) * STATE_FIELDS + KIND]]


@compiled
def steps(board: MutableSequence[int], log: MutableSequence[int], found: MutableSequence[int], apart: int) -> int:
    """Every step that the rules allow now; none once the game is over.

    Args:
        found: filled in: the steps; and so far behind each as ``apart`` says who has won after it, or `NOBODY` if the
            game goes on.

    Returns:
        How many there are.
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
