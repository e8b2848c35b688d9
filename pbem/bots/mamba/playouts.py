"""Random games that are broken off: layings where there are any, and of a few moves the one that takes most."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import NOBODY, SEATS, WINNER, lot, take_back
from pbem.bots.compiling import compiled
from pbem.bots.mamba.balance import appraise
from pbem.bots.mamba.board import (
    LAID,
    MUST_MOVE,
    OFF,
    ON_TURN,
    OWN_AT,
    PIECES,
    PLAYING,
    PLY,
    STEPS_AT,
    TOO_FEW,
    WIDTH,
    end_of_cells,
    first_cell,
    is_isolated,
    party_of,
    supply_of,
)
from pbem.bots.mamba.turns import LAY, MOVE, PASS, change, has_laid, list_steps, play

_ROOM_OF_TURN = 8000
"""Numbers of a log that have to be free for one more turn."""

_DRAWS = 12
"""Random draws of a step before it is given up."""

_LAYS = 15
"""Of 16 times, how often a piece lays that can."""


@compiled
def play_out(
    board: MutableSequence[int], log: MutableSequence[int], worths: MutableSequence[float], turns: int, tries: int
) -> None:
    """Play so many random turns after the one under way, and judge the worth of the result for each seat.

    Args:
        worths: filled in: from 0 to 1, and 1 for all sides together; partners have the same.
        turns: after which the game is broken off, and judged as it stands.
        tries: moves that are tried in each turn, of which the one that takes most is played.
    """
    last, room = board[PLY] + turns + (1 if board[LAID] else 0), len(log) - _ROOM_OF_TURN
    while board[WINNER] == NOBODY and board[PLY] < last and log[0] < room:
        play_turn(board, log, tries)
    appraise(board, worths)


@compiled
def play_turn(board: MutableSequence[int], log: MutableSequence[int], tries: int) -> None:
    """Play a random turn, or the rest of one."""
    ply, count = board[PLY], _gather(board)
    while supply_of(board) and lot(board, 16) < _LAYS:
        step = _any_laying(board, count)
        if step == PASS:
            break
        play(board, log, step)
        if board[PLY] != ply:
            return
        count = _gather(board)
    play(board, log, _any_move(board, log, count, tries))


@compiled
def _gather(board: MutableSequence[int]) -> int:
    """List the cells of the player on turn; how many there are."""
    own, count = board[ON_TURN] + 1, 0
    for cell in range(first_cell(board), end_of_cells(board)):
        if board[cell] == own:
            board[OWN_AT + count] = cell
            count += 1
    return count


@compiled
def _any_laying(board: MutableSequence[int], count: int) -> int:
    """A random laying; a pass if there is none."""
    start = lot(board, count)
    for each in range(count):
        cell = board[OWN_AT + (start + each) % count]
        if is_isolated(board, cell) and not has_laid(board, cell):
            while True:
                near = lot(board, 9)
                at = cell + (near // 3 - 1) * board[WIDTH] + near % 3 - 1
                if at != cell and board[at] != OFF:
                    return LAY << 16 | cell << 8 | at
    return PASS


@compiled
def _direction(board: MutableSequence[int]) -> int:
    """The way to a random neighbour."""
    drawn = lot(board, 4)
    step = 1 if drawn & 1 else board[WIDTH]
    return step if drawn & 2 else -step


@compiled
def _draw_move(board: MutableSequence[int], count: int) -> int:
    """A random move; a pass if none was found."""
    for _ in range(_DRAWS):
        start = board[OWN_AT + lot(board, count)]
        end = start + _direction(board)
        if board[end] == 0:
            farther = end + _direction(board)
            if board[farther] == 0:
                end = farther
            return MOVE << 16 | start << 8 | end
    return PASS


@compiled
def _any_move(board: MutableSequence[int], log: MutableSequence[int], count: int, tries: int) -> int:
    """Of some random moves the one that takes most; a pass if none was found, unless the rules forbid it."""
    found = _draw_move(board, count)
    if tries > 1 and found != PASS:
        most = _gain(board, log, found)
        for _ in range(tries - 1):
            step = _draw_move(board, count)
            if step != PASS and step != found:
                gain = _gain(board, log, step)
                if gain > most:
                    most, found = gain, step
    if found == PASS and board[MUST_MOVE]:
        end = list_steps(board, board, STEPS_AT)
        return board[end - 1]
    return found


@compiled
def _gain(board: MutableSequence[int], log: MutableSequence[int], step: int) -> int:
    """The apparent worth of a move: more own pieces, fewer of others, and one that can lay next time."""
    mark = log[0]
    change(board, log, step)
    own, few, gain = party_of(board, board[ON_TURN]), board[TOO_FEW], 0
    for seat in range(board[SEATS]):
        if board[PLAYING + seat]:
            pieces = board[PIECES + seat]
            counted = 4 * pieces if pieces > few else -20
            gain += counted if party_of(board, seat) == own else -counted
    at = step & 255
    if board[at] == board[ON_TURN] + 1:
        gain += 2 * is_isolated(board, at)
    take_back(board, log, mark)
    return gain
