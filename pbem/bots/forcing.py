"""Forced wins, found by trying every turn: nothing is left to lots, and nothing is judged before its end."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import MOST_STEPS, NOBODY, WINNER, take_back
from pbem.bots.compiling import compiled, zeros
from pbem.bots.kernel import play, steps, to_act

LEFT, LINE = 0, 1
"""In the room: how many steps may still be tried, and from where on the step that did best at each depth stands."""
DEEPEST = 64
_FOUND = LINE + DEEPEST
_STACK = _FOUND + 2 * MOST_STEPS
_STACKED = 40_000


def room_to_force(most: int) -> MutableSequence[int]:
    """Room for `forces`, and how many steps it may try in all."""
    room = zeros(_STACK + _STACKED)
    room[LEFT] = most
    return room


@compiled
def _is_decided_at_once(found: MutableSequence[int], count: int, seat: int, attacks: int) -> int:
    """1 if one of the steps that were found decides for who is to act: the seat if it attacks, or else the other."""
    for each in range(count):
        winner = found[MOST_STEPS + each]
        if winner != NOBODY and (winner == seat) == attacks:
            return 1
    return 0


@compiled
def _put_in_order(room: MutableSequence[int], found: MutableSequence[int], count: int, base: int, best: int) -> None:
    """Copy the steps that were found to where a stack stands, the one first that did best at this depth elsewhere."""
    for each in range(count):
        room[base + each] = found[each]
        if found[each] == best:
            room[base], room[base + each] = found[each], room[base]


@compiled
def forces(
    board: MutableSequence[int],
    log: MutableSequence[int],
    room: MutableSequence[int],
    found: MutableSequence[int],
    seat: int,
    turns: int,
    depth: int,
    top: int,
) -> int:
    """1 if a seat wins by force, whatever the only other one plays.

    If ``room[LEFT]`` falls below 0, more steps than were allowed were tried, and the answer says nothing.

    Args:
        room: from `room_to_force`.
        found: free for use: twice `MOST_STEPS`.
        seat: whose win it is.
        turns: how many turns the seat has for that, with the one that is under way if it is to act.
        depth: how many steps were played so far: 0.
        top: where in the room free numbers begin: 0.
    """
    count, attacks = steps(board, log, found), to_act(board) == seat
    room[LEFT] -= count
    if room[LEFT] < 0 or count == 0 or depth >= DEEPEST or _STACK + top + count > len(room):
        room[LEFT] -= 0 if count == 0 else 1_000_000_000 if room[LEFT] >= 0 else 0
        return 0
    if _is_decided_at_once(found, count, seat, attacks):
        return 1 if attacks else 0
    mark, base = log[0], _STACK + top
    _put_in_order(room, found, count, base, room[LINE + depth])
    for each in range(count):
        step = room[base + each]
        play(board, log, step)
        if board[WINNER] != NOBODY:
            won = 1 if board[WINNER] == seat else 0
        elif attacks and to_act(board) != seat:
            won = 0 if turns == 1 else forces(board, log, room, found, seat, turns - 1, depth + 1, top + count)
        else:
            won = forces(board, log, room, found, seat, turns, depth + 1, top + count)
        take_back(board, log, mark)
        if won == attacks:
            room[LINE + depth] = step
            return won
    return 0 if attacks else 1
