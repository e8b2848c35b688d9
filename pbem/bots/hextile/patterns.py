"""The worth of a position by the patterns around its spaces, as learned from games of the search against itself.

A pattern tells of each corner of a space, for the player to act, whether it is empty, or of an own group or an enemy
one with so many ways out; beside them, corners are counted that belong to groups with a loop. How often each stands on
a board is the input of a network with one hidden layer (Rumelhart, Hinton and Williams, 1986), whose output says by the
logistic function how likely the player to act is to win. `tests.matches.learning` fits it.
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
"""The first input behind the patterns: from here on, one for each kind of a corner whose group has a loop; the last
one, which every position has once, stands for none of them."""
INPUTS = LOOPED + KINDS
HIDDEN = 32
"""The units of the hidden layer."""
WIDTH = 1 + HIDDEN
"""The weights of an input: that of the output, then those of the hidden units. Behind all of them stand the weights of
the hidden units for the output."""


@compiled
def list_patterns(board: MutableSequence[int], found: MutableSequence[int]) -> int:
    """Fill in the inputs that a position has, each as often as it has it; how many there are."""
    own, spaces, count = colour_of(board, on_turn(board)), spaces_at(board), 1
    found[0] = INPUTS - 1
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
def worth(board: MutableSequence[int], network: MutableSequence[float], room: MutableSequence[int]) -> float:
    """The share of the points that the player to act can expect where the game is on, from 0 to 1."""
    total, count = 0.0, list_patterns(board, room)
    for each in range(count):
        total += network[room[each] * WIDTH]
    for unit in range(HIDDEN):
        value = 0.0
        for each in range(count):
            value += network[room[each] * WIDTH + 1 + unit]
        if value > 0.0:
            total += value * network[INPUTS * WIDTH + unit]
    return 1.0 / (1.0 + math.exp(-total))


def is_learned(board: MutableSequence[int]) -> bool:
    """Return True if there is a network for the rules of a board: one tile a turn, and killed groups lose."""
    return bool(board[RULES + CONDITIONS] == 1 and board[RULES + WINS] == KILLS and board[RULES + TILES_A_TURN] == 1)


def alike(place: int) -> int:
    """The first of the inputs that are alike by a rotation or reflection; they have the same weights."""
    if place >= LOOPED:
        return place
    one, two, three = sorted((place // KINDS**2, place // KINDS % KINDS, place % KINDS))
    return (one * KINDS + two) * KINDS + three


@cache
def learned() -> MutableSequence[float]:
    """The weights, from `patterns.json`, which has thousandths: a row for each input that has its own, then a row."""
    *inputs, last = json.loads(resources.files(__package__).joinpath("patterns.json").read_text())
    rows = dict(zip(sorted({alike(place) for place in range(INPUTS)}), inputs, strict=True))
    network = floats(INPUTS * WIDTH + HIDDEN)
    weights = (value for place in range(INPUTS) for value in rows[alike(place)])
    for place, value in enumerate((*weights, *last)):
        network[place] = value / 1000
    return network
