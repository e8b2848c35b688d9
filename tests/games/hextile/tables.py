"""Tiles on the table by which somebody wins, or just does not."""

from typing import TypeAlias

from pbem.games.hextile.grid import Cell, Colour
from pbem.games.hextile.layout import Layout, survey
from tests.games.hextile.playing import figure_layout, rules_of

Drawn: TypeAlias = "dict[tuple[int, int], int]"

COLOURS = (Colour.O, Colour.X)
LIGHT_DARK = (Colour.WHITE, Colour.O)
EYE = figure_layout("superbo/o_wins_eye")


def table(game: str, tiles: Drawn) -> Layout:
    states = rules_of(game).states
    return survey({Cell(*cell): states[number] for cell, number in tiles.items()}, states)


BOTH_CLOSED_IN = table("mambo", {(0, 0): 6, (1, 0): 4, (0, 1): 5, (0, 2): 2, (-1, 3): 3, (0, 3): 1, (-1, 4): 2})
X_CLOSED_IN = table("mambo", {(0, 0): 3, (1, 0): 1, (0, 1): 4, (1, 1): 1, (0, 2): 2})
BOTH_KILLED_BY_NULL_POINTS = table(
    "mambo", {(0, 0): 2, (2, -1): 4, (1, 0): 3, (-2, 2): 3, (-1, 2): 5, (1, 1): 2, (0, 2): 1, (2, 1): 4}
)
KILLED_BY_NULL_POINTS = table("mambo", {(0, 0): 3, (1, 0): 1, (0, 1): 4, (-1, 2): 3, (1, 1): 1, (1, 2): 1})
TIP_KILLED_BY_A_NULL_POINT = table("mambo", {(0, 0): 6, (-2, 2): 2, (0, 1): 1, (-1, 2): 2})
ONE_WAY_IS_NO_NULL_POINT = table("mambo", {(0, 0): 3, (-1, 1): 3, (1, 0): 6, (1, 1): 1})
BOTH_LOOP = table("mambo", {(0, 0): 2, (-1, 1): 1, (0, 1): 3, (-1, 2): 5, (-2, 3): 4, (-1, 3): 6})
TWO_LOOPS = table("mambo", {(0, 0): 2, (-1, 1): 1, (-2, 2): 2, (0, 1): 3, (-3, 3): 1, (-1, 2): 3, (-2, 3): 3})
RING = table("mambo", {(0, 0): 2, (-1, 1): 3, (-2, 2): 1, (0, 1): 1, (-1, 2): 2, (0, 2): 3})

BOTH_CLOSED = table(
    "superbo",
    {(0, 0): 6, (-1, 1): 12, (1, 0): 4, (-2, 2): 12, (0, 1): 1, (-1, 2): 6, (1, 1): 4, (-2, 3): 2, (0, 2): 8},
)
BOTH_WITH_EYES = table(
    "superbo",
    {
        (0, 0): 3, (2, -1): 6, (1, 0): 11, (3, -1): 8, (0, 1): 4, (2, 0): 1, (4, -1): 4, (1, 1): 12,
        (3, 0): 9, (0, 2): 2, (2, 1): 5,
    },
)  # fmt: skip

LIGHT_AND_DARK_CLOSED = table(
    "lambo", {(0, 0): 3, (2, -1): 2, (1, 0): 1, (0, 1): 1, (2, 0): 1, (1, 1): 1, (0, 2): 2, (2, 1): 3}
)
DARK_CONTAINS = table("lambo", {(0, 0): 3, (1, 0): 2, (0, 1): 1, (2, 0): 1, (1, 1): 3, (0, 2): 2})
LIGHT_CONTAINS = table("lambo", {(0, 0): 2, (-1, 1): 3, (-2, 2): 1, (0, 1): 1, (-1, 2): 2, (0, 2): 3})
OPEN_DARK_HAS_EATEN_TWO = table(
    "lambo", {(0, 0): 2, (-1, 1): 1, (1, 0): 2, (0, 1): 1, (-1, 2): 1, (1, 1): 3, (0, 2): 3}
)
CLOSED_DARK_HAS_EATEN_TWO = table(
    "lambo",
    {
        (0, 0): 3, (1, 0): 2, (0, 1): 1, (2, 0): 1, (1, 1): 3, (0, 2): 1, (1, 2): 2, (0, 3): 1, (2, 2): 1,
        (1, 3): 3, (0, 4): 2,
    },
)  # fmt: skip
DARK_HAS_EATEN_A_BRIDGE = table("lambo", {(0, 0): 2, (-1, 1): 1, (0, 1): 1, (-1, 2): 1, (0, 2): 3})
DARK_HAS_EATEN_TWO_LIGHT_ONE = table(
    "lambo",
    {(0, 0): 2, (-1, 1): 1, (0, 1): 3, (-1, 2): 1, (1, 1): 1, (0, 2): 2, (1, 2): 2, (0, 3): 1, (1, 3): 3},
)
BOTH_HAVE_EATEN_ONE = table("lambo", {(0, 0): 3, (4, -2): 2, (1, 0): 1, (3, -1): 1, (0, 1): 2, (2, 0): 1, (4, -1): 3})
AROUND_A_NULL_POINT = {(0, 0): 2, (-1, 1): 1, (1, 0): 2, (-1, 2): 1, (1, 1): 3, (0, 2): 3}
