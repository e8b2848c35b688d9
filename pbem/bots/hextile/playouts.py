"""Random games of hexagonal tiles, on numbers."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import DRAWN, NOBODY, WINNER, lot, put, take_back
from pbem.bots.compiling import compiled
from pbem.bots.hextile.board import AT, DECIDED, RULES, SPACES, TURN, beside, near_at, spaces_at, turn_at
from pbem.bots.hextile.ruleset import ADJACENT, ANYWHERE, FITTING, FITTING_FIELDS, JOINED
from pbem.bots.hextile.turns import GOES_ON, ILLEGAL, is_there, lay_in_turn
from pbem.bots.hextile.wins import win_at_once

_TRIES = 12
"""Random draws before everything is tried in turn; also the most first tiles of a turn that are tried."""


@compiled
def play_out(board: MutableSequence[int], log: MutableSequence[int], wins: int) -> int:
    """Play at random until the game is over; return the winner, or `DRAWN`.

    Args:
        wins: 1 to play a turn that wins at once wherever there is one.
    """
    while board[WINNER] == NOBODY:
        if not (wins and win_at_once(board, log)) and not _turn(board, log):
            put(board, log, WINNER, DRAWN)
    return board[WINNER]


@compiled
def _turn(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Play a random turn, or the rest of one; return 0 if none was found.

    A first tile after which nothing may follow is taken back, and another is tried.
    """
    mark = log[0]
    for _ in range(_TRIES):
        came = _go_on(board, log, GOES_ON if board[TURN] else _any(board, log))
        if came != ILLEGAL:
            return 1
        take_back(board, log, mark)
    return 0


@compiled
def _go_on(board: MutableSequence[int], log: MutableSequence[int], came: int) -> int:
    """Lay a random tile after one with the effect ``came``; return `ILLEGAL` if nothing may follow."""
    if came == GOES_ON:
        came = _beside_turn(board, log) if board[RULES + JOINED] != ANYWHERE else ILLEGAL
        if came == ILLEGAL:
            came = _any(board, log)
    return came


@compiled
def _any(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Lay a random tile that the turn allows; return `ILLEGAL` if there is none.

    A few are tried at random; after those all, starting from a random one.
    """
    spaces = spaces_at(board)
    number = board[SPACES]
    if number == 0:
        return ILLEGAL
    for _ in range(_TRIES):
        cell = board[spaces + lot(board, number)]
        fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
        state = board[fitting + 1 + lot(board, board[fitting])]
        if is_there(board, state):
            came = lay_in_turn(board, log, cell, state, 0)
            if came != ILLEGAL:
                return came
    start, number = lot(board, number), board[SPACES]
    for place in range(number):
        came = _any_state(board, log, board[spaces + (start + place) % number])
        if came != ILLEGAL:
            return came
    return ILLEGAL


@compiled
def _any_state(board: MutableSequence[int], log: MutableSequence[int], cell: int) -> int:
    """Lay a random tile on a space; return `ILLEGAL` if the turn allows none."""
    fitting = RULES + FITTING + board[cell + DECIDED] * FITTING_FIELDS
    count = board[fitting]
    turned = lot(board, count)
    for each in range(count):
        state = board[fitting + 1 + (turned + each) % count]
        if is_there(board, state):
            came = lay_in_turn(board, log, cell, state, 0)
            if came != ILLEGAL:
                return came
    return ILLEGAL


@compiled
def _beside_turn(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Lay a random tile beside those of the turn under way, which must lie together; return `ILLEGAL` if none may."""
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
        came = _any_state(board, log, board[near + (start + each) % count])
        if came != ILLEGAL:
            return came
    return ILLEGAL


@compiled
def play_many(board: MutableSequence[int], log: MutableSequence[int], count: int) -> int:
    """Play random games from this position; return the wins of the first seat less those of the second."""
    total, mark = 0, log[0]
    for _ in range(count):
        winner = play_out(board, log, 0)
        total += 1 if winner == 0 else -1 if winner == 1 else 0
        take_back(board, log, mark)
    return total
