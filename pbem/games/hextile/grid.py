"""The plane of hexagons with flat tops: cells, their neighbours, and the points where three meet.

A cell is named by its column ``q`` and, along the column, by ``r``; its left upper end is drawn
6·q columns to the right and 4·r + 2·q lines down. Of its six points W, NE and SE are *corners*, which
are coloured, and NW, E and SW are *white points*. What is a corner for one of the three cells that
meet there is a corner for all three (Browne, Mambo, "Tiles").
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Cell(NamedTuple):
    """A hexagon of the plane, by axial coordinates."""

    q: int
    r: int


class Point(NamedTuple):
    """Where three cells meet: the W corner of the cell ``(q, r)``, or its E point if ``white``."""

    q: int
    r: int
    white: bool


DIRECTIONS: dict[str, Cell] = {
    "n": Cell(0, -1),
    "ne": Cell(1, -1),
    "se": Cell(1, 0),
    "s": Cell(0, 1),
    "sw": Cell(-1, 1),
    "nw": Cell(-1, 0),
}
"""The way to each of the six neighbours, clockwise from the top."""

W, NE, SE = range(3)
"""The corners of a cell, as indices."""

SHARED = ((NE, SE), (NE, W), (SE, W), (SE, NE), (W, NE), (W, SE))
"""For each direction, clockwise from n: the one corner a cell has in common with its neighbour there,
as it is called in the cell and as it is called in the neighbour."""

ENOUGH = 4096
"""Cells remembered by the caches below: more than all boards under way touch together."""


@lru_cache(maxsize=ENOUGH)
def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The six cells around ``cell``, clockwise from n."""
    return tuple(towards(cell, direction) for direction in DIRECTIONS)


def towards(cell: Cell, direction: str) -> Cell:
    """The neighbour of ``cell`` in one of `DIRECTIONS`."""
    way = DIRECTIONS[direction]
    return Cell(cell.q + way.q, cell.r + way.r)


def reached_from(start: Cell, cells: Iterable[Cell]) -> set[Cell]:
    """``start``, and those of ``cells`` to which a way leads from it through neighbours that are among them."""
    apart, reached, to_visit = set(cells), {start}, [start]
    while to_visit:
        found = apart.intersection(neighbours(to_visit.pop()))
        apart -= found
        reached |= found
        to_visit.extend(found)
    return reached


@lru_cache(maxsize=ENOUGH)
def corners(cell: Cell) -> tuple[Point, Point, Point]:
    """The coloured points of ``cell``: W, NE, SE."""
    q, r = cell
    return Point(q, r, white=False), Point(q + 1, r - 1, white=False), Point(q + 1, r, white=False)


@lru_cache(maxsize=ENOUGH)
def white_points(cell: Cell) -> tuple[Point, Point, Point]:
    """The white points of ``cell``, each opposite the corner of the same index: E, SW, NW."""
    q, r = cell
    return Point(q, r, white=True), Point(q - 1, r + 1, white=True), Point(q - 1, r, white=True)


def beyond(point: Point) -> Point:
    """The point at the other end of the one level edge at ``point``.

    It lies to the left of a corner and to the right of a white point.
    """
    q, r, white = point
    return Point(q + 2, r - 1, white=False) if white else Point(q - 2, r + 1, white=True)


def half_row(cell: Cell) -> int:
    """How many halves of a hexagon's height the middle of ``cell`` lies below that of (0, 0)."""
    return 2 * cell.r + cell.q


def reading_order(cell: Cell) -> tuple[int, int]:
    """A key that sorts cells as they are drawn: top to bottom, then left to right."""
    return half_row(cell), cell.q


def place(point: Point) -> tuple[int, int]:
    """A key that sorts points as they are drawn: top to bottom, then left to right, in thirds of a column."""
    # a white point is the right end of its cell, a corner the left end, four thirds of a column apart
    return 2 * point.r + point.q, 3 * point.q + (4 if point.white else 0)


def cells_at(point: Point) -> tuple[Cell, Cell, Cell]:
    """The three cells that meet at ``point``."""
    q, r, white = point
    if white:
        return Cell(q, r), Cell(q + 1, r - 1), Cell(q + 1, r)
    return Cell(q, r), Cell(q - 1, r), Cell(q - 1, r + 1)
