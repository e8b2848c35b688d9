"""A board as one array of integers.

The array begins with counters and the table of the rules. Behind them it holds a record for each cell of a square
of the plane, then lists: the spaces, the tiles of the turn under way, the spaces that wait to be filled, the closed
regions, all tiles, and cells to draw from. Cells and points are known by where their records begin; that of a cell
holds its W corner and its E point.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled
from pbem.bots.hextile.ruleset import SIDE

RECORD = 20
"""Numbers for each cell: three of its own, one unused, its W corner, its E point."""
TILE, DECIDED, AT = range(3)
"""Of a cell: its state or 0, its decided corners, its place among the spaces from 1, 0, or `IS_NULL`."""
IS_NULL = -1

CORNER, WHITE_POINT = 4, 12
PARENT, SIZE, BRIDGES, WAYS, BLOCKED, LEFT, RIGHT, COLOUR = range(8)
"""Of a point: the next point of its region on the way to its root, which is its own parent, or 0 if no tile touches it.
Of a root: points, bridges, ways out, how many of them are null points, a leftmost and a rightmost point, the colour."""

(
    SPACES,
    TURN,
    BY_HAND,
    CLOSED,
    TILES,
    PLY,
    SWAPPED,
    FIRST,
    CHANGED,
    SUPPLY,
    SUPPLY_OTHER,
    LEFT_IN_ALL,
) = range(12)
"""The counters: how many spaces, tiles of the turn, of them laid by hand, closed regions, and tiles; the ply, whether
sides were swapped, who began, whether a region was closed by the tiles laid last, and tiles left of each kind and in
all; behind them those of every family."""
KILLED_OF, LOOPS_OF, LARGEST, LARGEST_CLOSED_OF, CLOSED_OF = 16, 20, 24, 28, 32
"""By colour, from these counters on: whether a group was killed, the most loops of a region, the most bridges of one
(-1: there is none), the most of a closed one, how many closed ones."""

RULES, CELLS = 48, 640
"""The indices of the table of the rules and of the first record of a cell; the latter is a multiple of `RECORD`."""
ROOM = 4
"""Room of each list behind the cells, in sides: a board has half as many tiles, and three times as many spaces."""
LISTS = 6


@compiled
def spaces_at(board: MutableSequence[int]) -> int:
    """The index at which the spaces begin."""
    side = board[RULES + SIDE]
    return CELLS + side * side * RECORD


@compiled
def turn_at(board: MutableSequence[int]) -> int:
    """The index at which the tiles of the current turn begin, each as ``cell * 16 + state``."""
    return spaces_at(board) + ROOM * board[RULES + SIDE]


@compiled
def waiting_at(board: MutableSequence[int]) -> int:
    """The index at which spaces that wait to be filled begin; between two tiles the room is free for anything."""
    return spaces_at(board) + 2 * ROOM * board[RULES + SIDE]


@compiled
def closed_at(board: MutableSequence[int]) -> int:
    """The index at which the roots of closed regions begin."""
    return spaces_at(board) + 3 * ROOM * board[RULES + SIDE]


@compiled
def tiles_at(board: MutableSequence[int]) -> int:
    """The index at which the cells of all tiles begin, in the order in which they were laid."""
    return spaces_at(board) + 4 * ROOM * board[RULES + SIDE]


@compiled
def root_of(board: MutableSequence[int], point: int) -> int:
    """The root of the region of a point that a tile touches."""
    while board[point] != point:
        point = board[point]
    return point


@compiled
def corner_at(board: MutableSequence[int], cell: int, corner: int) -> int:
    """A corner of a cell: 0 is W, 1 NE, 2 SE."""
    side = board[RULES + SIDE]
    if corner == 0:
        return cell + CORNER
    if corner == 1:
        return cell + (side - 1) * RECORD + CORNER
    return cell + side * RECORD + CORNER


@compiled
def white_point_at(board: MutableSequence[int], cell: int, index: int) -> int:
    """The white point opposite a corner: 0 is E, 1 SW, 2 NW."""
    side = board[RULES + SIDE]
    if index == 0:
        return cell + WHITE_POINT
    if index == 1:
        return cell - (side - 1) * RECORD + WHITE_POINT
    return cell - side * RECORD + WHITE_POINT


@compiled
def point_at(board: MutableSequence[int], cell: int, index: int) -> int:
    """One of the six points of a cell: the corners, then the white points opposite them."""
    return corner_at(board, cell, index) if index < 3 else white_point_at(board, cell, index - 3)


@compiled
def root_at(board: MutableSequence[int], cell: int, index: int) -> int:
    """The root of the region at one of the six points of a cell; 0 if no tile touches it."""
    point = point_at(board, cell, index)
    return root_of(board, point) if board[point] else 0


@compiled
def beside(board: MutableSequence[int], cell: int, direction: int) -> int:
    """A neighbour, clockwise from n."""
    side = board[RULES + SIDE]
    if direction == 0:
        return cell - RECORD
    if direction == 1:
        return cell + (side - 1) * RECORD
    if direction == 2:
        return cell + side * RECORD
    if direction == 3:
        return cell + RECORD
    if direction == 4:
        return cell - (side - 1) * RECORD
    return cell - side * RECORD


@compiled
def near_at(board: MutableSequence[int]) -> int:
    """The index at which cells begin that a tile may be drawn from."""
    return spaces_at(board) + 5 * ROOM * board[RULES + SIDE]
