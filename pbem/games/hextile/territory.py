"""What a group's loops enclose (Browne, Mambo, "Mambogo").

Territory is counted in junctions: the coloured and white points that cannot be reached from outside
without crossing the group. L loops around n coloured junctions enclose 3n + L of them (Euler).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pbem.games.hextile.grid import Cell, cells_at, corners, white_points
from pbem.games.hextile.tiles import Colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.games.hextile.grid import Point
    from pbem.games.hextile.layout import Layout
    from pbem.games.hextile.regions import Region


def territory(layout: Layout, region: Region) -> int:
    """How many junctions the loops of a region enclose, in empty cells too."""
    return len(enclosed(layout, region)) if region.loops else 0


def enclosed(layout: Layout, region: Region) -> set[Point]:
    """The points that the loops of a region enclose; its own points are not among them."""
    wall = frozenset(region.points)
    columns = [cell.q for point in wall for cell in cells_at(point)]
    rows = [cell.r for point in wall for cell in cells_at(point)]
    # one cell more on every side, so that outside is in one piece
    box = range(min(columns) - 1, max(columns) + 2), range(min(rows) - 1, max(rows) + 2)
    cells = [Cell(q, r) for q in box[0] for r in box[1]]
    inside = {point for cell in cells for point in _points(cell)} - wall
    return inside - _reached(layout, region, inside, corners(cells[0]))


def _reached(layout: Layout, region: Region, points: set[Point], start: Iterable[Point]) -> set[Point]:
    """Those of ``points`` that can be reached from the first without crossing the region."""
    reached = set(start)
    to_visit = list(reached)
    while to_visit:
        point = to_visit.pop()
        beside = chain.from_iterable(_same_side(layout, region, cell, point) for cell in cells_at(point))
        found = points.intersection(beside) - reached
        reached |= found
        to_visit.extend(found)
    return reached


def _same_side(layout: Layout, region: Region, cell: Cell, point: Point) -> Iterator[Point]:
    """The points of a cell that no bridge of the region parts from ``point``."""
    state = layout.tiles.get(cell)
    coloured, white = corners(cell), white_points(cell)
    if state is None:
        return iter(coloured + white)
    if region.colour is Colour.WHITE:
        coloured, white = white, coloured
    name = layout.regions.names[region.points[0]]
    tip = state.tip_at
    if layout.regions.names[coloured[state.ends[0]]] != name:
        return iter(coloured + white)
    beyond_bridge = white[tip]
    return iter({beyond_bridge} if point == beyond_bridge else {*coloured, *white} - {beyond_bridge})


def _points(cell: Cell) -> tuple[Point, ...]:
    return corners(cell) + white_points(cell)
