"""Depth-first proof-number search (df-pn: Nagai 2002) whether a colour wins, by whole turns of Lambo or Palago.

A node's *proof number* says how much is left to show before the seeker has won, its *disproof number* how much before
that is refuted. Where all children count, the largest number is taken and one added for each other child (weak
proof-number search: Ueda and others 2008), because the same positions are met on many ways and sums count them over and
over. Tiles stay where they lie, so no position comes back, and a number in the table means the same on every way to it.

Turns that win at once are found from the groups that are nearly closed (`board.winning_turns`). Against a threat all
turns are tried, and those after which the seeker wins at once are no children.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled
from tests.proofs.board import (
    LEFT,
    SECOND,
    key_of,
    largest,
    lay_turn,
    may_close_at,
    quiet_turns,
    take_back_turn,
    winning_turns,
    wins,
)

INFINITE = 1 << 30
"""The number of what cannot be shown any more."""
MOST_TURNS = 1 << 14
"""Turns of a position."""
DEEPEST = 32
"""Turns of a line."""
TURN, KEY, PROOF, DISPROOF = (MOST_TURNS * DEEPEST * each for each in range(4))
BUDGET, DEPTH_SEEN, NODES, FULL = (4 * MOST_TURNS * DEEPEST + each for each in range(4))
"""In the room: of each child its turn, key, and numbers; then positions that may still be looked at, the deepest line,
positions looked at in all, and entries of the table that were replaced."""
THREATS = 4 * MOST_TURNS * DEEPEST + 8
"""Behind them turns that win at once."""
ROOM = THREATS + 4096
PROVEN, REFUTED = -1, -2
"""In place of the number of children: the position is settled."""

THREAT, NO_THREAT, OPEN_POSITION = 6, 40, 1
"""Proof numbers of new positions: the seeker threatens to win, does not, or is to move."""

KEYS, NUMBERS, WORK = range(3)
"""Rows of the table: keys, ``proof * 2**32 + disproof``, and positions below."""
BUCKET = 4
SHIFT = 1 << 32


@compiled
def looked_up(table: MutableSequence[int], size: int, key: int) -> int:
    """The place of a position in each row of the table; -1 if it is not there."""
    at = key % size // BUCKET * BUCKET
    for each in range(at, at + BUCKET):
        if table[each] == key:
            return each
    return -1


@compiled
def store(table: MutableSequence[int], size: int, key: int, numbers: int, work: int) -> int:
    """Put numbers into the table, in place of what took the least work; 1 if something was replaced."""
    at = key % size // BUCKET * BUCKET
    least = at
    for each in range(at, at + BUCKET):
        if table[each] in (key, 0):
            least = each
            break
        if table[WORK * size + each] < table[WORK * size + least]:
            least = each
    replaced = 0 if table[least] in (key, 0) else 1
    if table[least] == key:
        work = max(work, table[WORK * size + least])
    table[least] = key
    table[NUMBERS * size + least], table[WORK * size + least] = numbers, work
    return replaced


@compiled
def can_win(
    board: MutableSequence[int], room: MutableSequence[int], at: int, count: int, turn: int, colour: int
) -> bool:
    """Return True if a colour could win at once, now that a turn was laid.

    Args:
        room: from ``at`` on it has the turns with which the colour could have won before.
        count: their number.
    """
    if board[LEFT] == 0:
        return False
    for each in range(at, at + count):
        known = room[each]
        if wins(board, known, colour):
            room[each], room[at] = room[at], known
            return True
    if may_close_at(board, turn % SECOND // 4, colour):
        return True
    return turn >= SECOND and may_close_at(board, turn // SECOND // 4, colour)


@compiled
def _has_won_when_empty(board: MutableSequence[int], seeker: int, counts: int) -> bool:
    """Return True if a colour has won now that the supply is empty."""
    return counts == 1 and largest(board, seeker) > largest(board, -seeker)


@compiled
def _add(board: MutableSequence[int], room: MutableSequence[int], at: int, turn: int, proof: int) -> None:
    """Note a child, whose turn was laid."""
    room[TURN + at], room[KEY + at], room[PROOF + at], room[DISPROOF + at] = turn, key_of(board), proof, 1


@compiled
def defend(board: MutableSequence[int], room: MutableSequence[int], base: int, seeker: int, counts: int) -> int:
    """Find the turns after which the seeker does not win at once; `REFUTED` if one ends the search below."""
    if winning_turns(board, -seeker, room, THREATS):
        return REFUTED
    threats = winning_turns(board, seeker, room, THREATS)
    count, kept = quiet_turns(board, room, base), 0
    for each in range(count):
        turn = room[base + each]
        lay_turn(board, turn)
        if board[LEFT] == 0:
            if not _has_won_when_empty(board, seeker, counts):
                take_back_turn(board, turn)
                return REFUTED
        elif not can_win(board, room, THREATS, threats, turn, seeker):
            _add(board, room, base + kept, turn, OPEN_POSITION)
            kept += 1
        take_back_turn(board, turn)
    return kept or PROVEN


@compiled
def attack(board: MutableSequence[int], room: MutableSequence[int], base: int, seeker: int, counts: int) -> int:
    """Find the turns of the seeker after which the other does not win at once; `PROVEN` if one wins."""
    if winning_turns(board, seeker, room, THREATS):
        return PROVEN
    threats = winning_turns(board, -seeker, room, THREATS)
    count, kept = quiet_turns(board, room, base), 0
    for each in range(count):
        turn = room[base + each]
        lay_turn(board, turn)
        if board[LEFT] == 0:
            if _has_won_when_empty(board, seeker, counts):
                take_back_turn(board, turn)
                return PROVEN
        elif not can_win(board, room, THREATS, threats, turn, -seeker):
            threatens = can_win(board, room, THREATS, 0, turn, seeker)
            _add(board, room, base + kept, turn, THREAT if threatens else NO_THREAT)
            kept += 1
        take_back_turn(board, turn)
    return kept or REFUTED


@compiled
def refresh(table: MutableSequence[int], size: int, room: MutableSequence[int], base: int, count: int) -> None:
    """Take over what the table knows of children."""
    for each in range(base, base + count):
        at = looked_up(table, size, room[KEY + each])
        if at >= 0:
            numbers = table[NUMBERS * size + at]
            room[PROOF + each], room[DISPROOF + each] = numbers // SHIFT, numbers % SHIFT


@compiled
def choose(room: MutableSequence[int], base: int, count: int, own: int, other: int) -> tuple[int, int, int, int]:
    """Sum up children: the least of one number, the largest of the other plus one for each further child.

    Children that cannot help any more, with an infinite number in ``own``, are left out.

    Returns:
        Both, which child has the least, and the second least.
    """
    least, second, chosen, most, left = INFINITE, INFINITE, -1, 0, 0
    for each in range(base, base + count):
        number = room[own + each]
        if number >= INFINITE:
            continue
        left += 1
        most = max(most, room[other + each])
        if number < least or (number == least and room[other + each] < room[other + chosen]):
            least, second, chosen = number, least, each
        elif number < second:
            second = number
    if left == 0:
        return INFINITE, 0, -1, INFINITE
    if least == 0:
        return 0, INFINITE, chosen, second
    return least, min(most + left - 1, INFINITE - 1), chosen, second


@compiled
def prove(
    board: MutableSequence[int],
    table: MutableSequence[int],
    size: int,
    room: MutableSequence[int],
    mover: int,
    seeker: int,
    counts: int,
    most_proof: int,
    most_disproof: int,
    depth: int,
) -> int:
    """Search below a position until one of its numbers reaches its limit, or the budget is used up.

    Args:
        table: numbers of positions; they are changed.
        size: entries of the table.
        room: room for children, and the budget.
        mover: the colour to move.
        seeker: the colour whose win is looked for.
        counts: 1 if the largest group wins once the supply is empty; 0 if that is a draw.
        most_proof: the limit of the proof number.
        most_disproof: that of the disproof number.
        depth: turns so far.

    Returns:
        The numbers of the position, as in the table.
    """
    base, before, key = depth * MOST_TURNS, room[NODES], key_of(board)
    room[NODES] += 1
    room[BUDGET] -= 1
    room[DEPTH_SEEN] = max(room[DEPTH_SEEN], depth)
    attacks = mover == seeker
    own, other = (PROOF, DISPROOF) if attacks else (DISPROOF, PROOF)
    count = attack(board, room, base, seeker, counts) if attacks else defend(board, room, base, seeker, counts)
    if count < 0:
        numbers = INFINITE if count == PROVEN else INFINITE * SHIFT
        room[FULL] += store(table, size, key, numbers, 1)
        return numbers
    refresh(table, size, room, base, count)
    while True:
        least, most, chosen, second = choose(room, base, count, own, other)
        proof, disproof = (least, most) if attacks else (most, least)
        if proof >= most_proof or disproof >= most_disproof or room[BUDGET] <= 0:
            break
        slack = (most_disproof if attacks else most_proof) - (most - room[other + chosen])
        limit = min(most_proof if attacks else most_disproof, second + second // 4 + 1)
        turn = room[TURN + chosen]
        lay_turn(board, turn)
        if attacks:
            numbers = prove(board, table, size, room, -mover, seeker, counts, limit, slack, depth + 1)
        else:
            numbers = prove(board, table, size, room, -mover, seeker, counts, slack, limit, depth + 1)
        take_back_turn(board, turn)
        room[PROOF + chosen], room[DISPROOF + chosen] = numbers // SHIFT, numbers % SHIFT
    numbers = proof * SHIFT + disproof
    room[FULL] += store(table, size, key, numbers, room[NODES] - before)
    return numbers
