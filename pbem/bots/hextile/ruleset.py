"""A `Ruleset` as tables of integers, for functions that are compiled.

Colours are 0 (o), 1 (x) and 2 (white). The decided corners of a space are one number in base 3, W first: 0 is
undecided, 1 is o, 2 is x. States have the numbers that players type.
"""

from __future__ import annotations

from pbem.games.hextile.endings import (
    Closes,
    ClosesWithEye,
    Condition,
    Contains,
    Eats,
    Kills,
    MakesLoops,
    MostEaten,
    MostTerritory,
    TieBreak,
    largest_closed,
    largest_loses,
    largest_wins,
    tied,
)
from pbem.games.hextile.grid import DECIDED, UNDECIDED, Colour, State
from pbem.games.hextile.ruleset import Joined, Ruleset

COLOURS = {Colour.O: 0, Colour.X: 1, Colour.WHITE: 2}

KILLS, CLOSES, CLOSES_ENEMY, EYE, CONTAINS, EATS, LOOPS = range(7)
"""Winning conditions."""

LARGEST_WINS, LARGEST_LOSES, TIED, LARGEST_CLOSED, MOST_EATEN, TERRITORY, TERRITORY_SMALLEST = range(7)
"""The counts that decide when the supply is empty."""

ANYWHERE, ADJACENT, CONNECTED = range(3)
"""The ways in which the tiles of a turn lie together."""

_JOINED = {Joined.ANYWHERE: ANYWHERE, Joined.ADJACENT: ADJACENT, Joined.CONNECTED: CONNECTED}

STATE_FIELDS = 9
"""Numbers about a state: colours of W, NE and SE, bridge, tip, the tip's corner, both ends of the bridge, kind."""
TIP_AT, ONE_END, OTHER_END, KIND = range(5, STATE_FIELDS)
"""The indices of the corners of those, and of the kind."""

MOST_STATES = 12
FITTING_FIELDS = MOST_STATES + 1
"""The number of states that fit decided corners, and their numbers."""

KINDS, START, TILES_A_TURN, JOINED, BOTH_COLOURS, TIE_BREAK, EATEN_SIZE, SIDE, COLOUR_OF_SEAT = range(9)
CONDITIONS, MAY_SWAP = 10, 11
"""Indices in a table: kinds of tiles, the state at the start or 0, tiles a turn, how they are joined, whether they must
show both colours, what counts in the end, the size of what is eaten, how many columns and rows a board may take, whose
colour is which, how many winning conditions there are, and whether the second player may swap."""
CONDITION_FIELDS = 3
"""Numbers about a winning condition: which, its least number, its size."""
WINS, TILES_OF, STATES, FORCED, FITTING, TABLE = 12, 30, 32, 140, 167, 518
"""The indices at which the conditions begin, the tiles of each kind, the states, the states forced by decided corners,
and those that fit them; and the end of a table."""


def encode(rules: Ruleset) -> list[int]:
    """A ruleset as one table."""
    kinds = sorted(rules.supply)
    tie_break, eaten_size = _tie_break(rules.tie_break)
    table = [0] * TABLE
    table[KINDS : MAY_SWAP + 1] = [
        len(kinds),
        rules.start or 0,
        rules.tiles_a_turn,
        _JOINED[rules.joined],
        int(rules.both_colours),
        tie_break,
        eaten_size,
        2 * sum(rules.supply.values()) + 6,
        *(COLOURS[colour] for colour in rules.colours),
        len(rules.wins),
        int(rules.swap),
    ]
    parts = {
        WINS: [number for condition in rules.wins for number in _condition(condition)],
        TILES_OF: [rules.supply[kind] for kind in kinds],
        STATES: [number for state in rules.states for number in _state(state, kinds)],
        FORCED: [state.number if (state := rules.forced[decided]) else 0 for decided in _in_order()],
        FITTING: [number for decided in _in_order() for number in _fitting(rules, decided)],
    }
    for begin, numbers in parts.items():
        table[begin : begin + len(numbers)] = numbers
    return table


def _in_order() -> list[str]:
    """All that can be decided of a space, by its number."""
    return sorted(DECIDED, key=number_of)


def number_of(decided: str) -> int:
    """Decided corners as a number."""
    return sum((UNDECIDED + "ox").index(colour) * 3**corner for corner, colour in enumerate(decided))


def _state(state: State, kinds: list[str]) -> list[int]:
    shown = [COLOURS[colour] for colour in state.colours]
    return [*shown, COLOURS[state.bridge], COLOURS[state.tip], state.tip_at, *state.ends, kinds.index(state.kind)]


def _fitting(rules: Ruleset, decided: str) -> list[int]:
    numbers = [state.number for state in rules.states.fitting(decided)]
    return [len(numbers), *numbers, *[0] * (MOST_STATES - len(numbers))]


def _condition(condition: Condition) -> tuple[int, int, int]:
    match condition:
        case Kills():
            return KILLS, 0, 0
        case Closes(size, enemy):
            return CLOSES_ENEMY if enemy else CLOSES, 0, size
        case ClosesWithEye(size):
            return EYE, 0, size
        case Contains():
            return CONTAINS, 0, 0
        case Eats(least, size):
            return EATS, least, size
        case MakesLoops(least):
            return LOOPS, least, 0
    raise TypeError(condition)


def _tie_break(count: TieBreak) -> tuple[int, int]:
    """Which it is, and the size of what is eaten where that counts."""
    if isinstance(count, MostEaten):
        return MOST_EATEN, count.eats.size
    if isinstance(count, MostTerritory):
        return TERRITORY_SMALLEST if count.smallest else TERRITORY, 0
    plain: dict[TieBreak, int] = {
        largest_wins: LARGEST_WINS,
        largest_loses: LARGEST_LOSES,
        tied: TIED,
        largest_closed: LARGEST_CLOSED,
    }
    return plain[count], 0
