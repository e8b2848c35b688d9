"""What may be laid in a turn, on numbers: as `pbem.games.hextile.turns`; and whole games played at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots.boards import DRAWN, NOBODY, WINNER, lot, put, take_back
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import (
    AT,
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
    lay,
    near_at,
    spaces_at,
    turn_at,
    waiting_at,
)
from pbem.bots.hextile.endings import decided, judge
from pbem.bots.hextile.rules import (
    ADJACENT,
    ANYWHERE,
    BOTH_COLOURS,
    FITTING,
    FITTING_FIELDS,
    JOINED,
    STATE_FIELDS,
    STATES,
    TILES_A_TURN,
)

if TYPE_CHECKING:
    from collections.abc import MutableSequence

ILLEGAL, GOES_ON, ENDS = range(3)
"""What a tile makes of a turn: it is forbidden, another tile has to follow, or the turn is over."""


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
            if _is_there(board, state) and _ends_turn(board, log, cell, state):
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
def _is_there(board: MutableSequence[int], state: int) -> int:
    """Whether the supply has a tile with this state."""
    return board[SUPPLY + board[RULES + STATES + (state - 1) * STATE_FIELDS + 8]]


@compiled
def legal(board: MutableSequence[int], log: MutableSequence[int], found: MutableSequence[int]) -> int:
    """Fill in every placement that the rules allow now, as ``cell * 16 + state``; how many there are."""
    spaces, count, mark = spaces_at(board), 0, log[0]
    if board[WINNER] != NOBODY:
        return 0
    number = board[SPACES]
    for place in range(number):
        cell = board[spaces + place]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        for each in range(board[fitting]):
            state = board[fitting + 1 + each]
            if _is_there(board, state) and lay_in_turn(board, log, cell, state, 1) != ILLEGAL:
                found[count] = cell * 16 + state
                count += 1
                take_back(board, log, mark)
    return count


@compiled
def swap(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """Let the seat on turn take the other side."""
    put(board, log, SWAPPED, 1 - board[SWAPPED])
    put(board, log, PLY, board[PLY] + 1)


@compiled
def _any(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Lay a tile by lot, which the turn allows; `ILLEGAL` if there is none.

    A few are tried at random; after those all, from one that is drawn on.
    """
    spaces = spaces_at(board)
    number = board[SPACES]
    if number == 0:
        return ILLEGAL
    for _ in range(_TRIES):
        cell = board[spaces + lot(board, number)]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        state = board[fitting + 1 + lot(board, board[fitting])]
        if _is_there(board, state):
            came = lay_in_turn(board, log, cell, state, 0)
            if came != ILLEGAL:
                return came
    start, number = lot(board, number), board[SPACES]
    for place in range(number):
        cell = board[spaces + (start + place) % number]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        count = board[fitting]
        turned = lot(board, count)
        for each in range(count):
            state = board[fitting + 1 + (turned + each) % count]
            if _is_there(board, state):
                came = lay_in_turn(board, log, cell, state, 0)
                if came != ILLEGAL:
                    return came
    return ILLEGAL


_TRIES = 12


@compiled
def _beside_turn(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Lay a tile by lot beside those of the turn under way, which must lie together; `ILLEGAL` if none may end it."""
    turn, near, count = turn_at(board), near_at(board), 0
    laid = 1 if board[RULES + JOINED] == ADJACENT else board[TURN]
    for each in range(laid):
        for direction in range(6):
            cell = beside(board, board[turn + each] // 16, direction)
            if board[cell + AT] > 0:
                board[near + count] = cell
                count += 1
    start = lot(board, count) if count else 0
    for each in range(count):
        cell = board[near + (start + each) % count]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        number = board[fitting]
        turned = lot(board, number)
        for other in range(number):
            state = board[fitting + 1 + (turned + other) % number]
            if _is_there(board, state):
                came = lay_in_turn(board, log, cell, state, 0)
                if came != ILLEGAL:
                    return came
    return ILLEGAL


@compiled
def play_out(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Play by lot until the game is over, from a position between two turns; the winner, or `DRAWN`.

    A first tile after which nothing may follow is taken back, and another is tried.
    """
    while board[WINNER] == NOBODY:
        mark, came = log[0], GOES_ON
        for _ in range(_TRIES):
            came = _any(board, log)
            if came == GOES_ON:
                came = ILLEGAL
                if board[RULES + JOINED] != ANYWHERE:
                    came = _beside_turn(board, log)
                if came == ILLEGAL:
                    came = _any(board, log)
                if came == ILLEGAL:
                    take_back(board, log, mark)
            if came != GOES_ON and came != ILLEGAL:
                break
        if came != ENDS:
            return DRAWN
    return board[WINNER]


@compiled
def play_many(board: MutableSequence[int], log: MutableSequence[int], count: int) -> int:
    """So many games by lot from where the board stands; how many the first seat has won less those of the second."""
    total, mark = 0, log[0]
    for _ in range(count):
        winner = play_out(board, log)
        total += 1 if winner == 0 else -1 if winner == 1 else 0
        take_back(board, log, mark)
    return total
