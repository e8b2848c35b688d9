"""The worth of a position by the patterns around its spaces, as learned from games of the search against itself.

A pattern tells of each corner of a space, for the player to act, whether it is empty, or of an own group or an enemy
one with so many ways out. A table has a number for each pattern, and for groups with a loop; `tests.matches.learning`
fits it. The sum of the numbers of a position says by the logistic function how likely the player to act is to win.
"""

from __future__ import annotations

import json
import math
from collections.abc import MutableSequence
from functools import cache
from importlib import resources

from pbem.bots.compiling import compiled, floats
from pbem.bots.hextile.board import BLOCKED, BRIDGES, COLOUR, RULES, SIZE, SPACES, WAYS, corner_at, root_of, spaces_at
from pbem.bots.hextile.endings import colour_of, on_turn
from pbem.bots.hextile.ruleset import CONDITIONS, KILLS, TILES_A_TURN, WINS

MOST_WAYS = 5
"""Ways out of a group that are told apart; of more it does not matter how many."""
KINDS = 1 + 2 * MOST_WAYS
"""Kinds of corners: empty; own groups by their ways out from 1; enemy ones."""
LOOPED = KINDS**3
"""The place in a table behind patterns, from which on groups with a loop have their numbers; behind them one is added
to each sum."""
TABLE = LOOPED + KINDS
"""The numbers of a table."""


@compiled
def list_patterns(board: MutableSequence[int], found: MutableSequence[int]) -> int:
    """Fill in the places in a table of the numbers that the worth of a position adds up from; how many there are."""
    own, spaces, count = colour_of(board, on_turn(board)), spaces_at(board), 1
    found[0] = TABLE - 1
    for place in range(board[SPACES]):
        pattern = 0
        for corner in range(3):
            point, kind = corner_at(board, board[spaces + place], corner), 0
            if board[point]:
                root = root_of(board, point)
                kind = min(MOST_WAYS, max(1, board[root + WAYS] - board[root + BLOCKED]))
                kind += 0 if board[root + COLOUR] == own else MOST_WAYS
                if board[root + BRIDGES] >= board[root + SIZE]:
                    found[count] = LOOPED + kind - 1
                    count += 1
            pattern = pattern * KINDS + kind
        found[count] = pattern
        count += 1
    return count


@compiled
def worth(board: MutableSequence[int], table: MutableSequence[float], room: MutableSequence[int]) -> float:
    """The share of the points that the player to act can expect where the game is on, from 0 to 1."""
    total = 0.0
    for each in range(list_patterns(board, room)):
        total += table[room[each]]
    return 1.0 / (1.0 + math.exp(-total))


def is_learned(board: MutableSequence[int]) -> bool:
    """Return True if there is a table for the rules of a board: one tile a turn, and killed groups lose."""
    return bool(board[RULES + CONDITIONS] == 1 and board[RULES + WINS] == KILLS and board[RULES + TILES_A_TURN] == 1)


@cache
def learned() -> MutableSequence[float]:
    """The table, from `patterns.json`, which has thousandths."""
    table = floats(TABLE)
    for place, value in enumerate(json.loads(resources.files(__package__).joinpath("patterns.json").read_text())):
        table[place] = value / 1000
    return table
