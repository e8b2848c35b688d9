"""Wins by force, found by trying every turn."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

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
    """Return 1 if a step that was found decides for the player to act: the seat if it attacks, else the other."""
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


class Foresight:
    """Looks for wins by force from where a board stands, in games of two, by trying every turn."""

    def __init__(self, board: MutableSequence[int], log: MutableSequence[int]) -> None:
        self._board, self._log = board, log
        self._found = zeros(2 * MOST_STEPS)

    def winning_turn(self, turns: int, most: int) -> tuple[int, ...]:
        """The steps of a turn with which the player to act wins in so many turns; none if none was found.

        Args:
            turns: in how many.
            most: how many steps may be tried.
        """
        seat, room = to_act(self._board), room_to_force(most)
        if not forces(self._board, self._log, room, self._found, seat, turns, 0, 0) or room[LEFT] < 0:
            return ()
        line, mark = list[int](), self._log[0]
        while self._board[WINNER] == NOBODY and to_act(self._board) == seat:
            count = int(steps(self._board, self._log, self._found))
            won = (int(self._found[each]) for each in range(count) if self._found[MOST_STEPS + each] == seat)
            line.append(next(won, int(room[LINE + len(line)])))
            play(self._board, self._log, line[-1])
        take_back(self._board, self._log, mark)
        return tuple(line)

    def loses_at_once(self, line: Sequence[int], most: int) -> bool:
        """Return True if the player to act after a turn wins with their next one."""
        mark = self._log[0]
        for step in line:
            play(self._board, self._log, step)
        seat, room = to_act(self._board), room_to_force(most)
        is_on = self._board[WINNER] == NOBODY
        lost = is_on and bool(forces(self._board, self._log, room, self._found, seat, 1, 0, 0)) and room[LEFT] >= 0
        take_back(self._board, self._log, mark)
        return lost
