"""What a group's loops enclose (Browne, Mambo, "Mambogo").

Territory is counted in junctions: the coloured and white points that cannot be reached from outside
without crossing the group. L loops around n coloured junctions enclose 3n + L of them as long as every
tile inside touches its loop at one point, which only large loops in full games escape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.hextile.grid import Cell, cells_at, corners, white_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.games.hextile.grid import Point
    from pbem.games.hextile.layout import Layout
    from pbem.games.hextile.regions import Region


def territory(layout: Layout, region: Region) -> int:
    """How many junctions the loops of a region enclose, in empty cells too."""
    return len(enclosed(layout, region)) if region.loops else 0


def enclosed(layout: Layout, region: Region) -> set[Point]:
    """The points that the loops of a region enclose; its own points are not among them."""
    wall = _looped(layout, region)
    if not wall:
        return set()
    ends = [cell for point in wall for cell in cells_at(point)]
    # one cell more on every side, so that outside is in one piece
    columns = range(min(cell.q for cell in ends) - 1, max(cell.q for cell in ends) + 2)
    rows = range(min(cell.r for cell in ends) - 1, max(cell.r for cell in ends) + 2)
    box = [Cell(q, r) for q in columns for r in rows]
    points = {point for cell in box for point in corners(cell) + white_points(cell)} - wall.keys()
    return points - _reached(layout, wall, points, corners(box[0])) - set(region.points)


def _looped(layout: Layout, region: Region) -> dict[Point, list[Point]]:
    """The part of a region that its loops are made of, without branches: each point with those bridged to it."""
    joined: dict[Point, list[Point]] = {point: [] for point in region.points}
    for cell in {cell for point in region.points for cell in cells_at(point)}:
        one, other = _bridge(layout, cell, region.is_coloured)
        if one in joined and other in joined:
            joined[one].append(other)
            joined[other].append(one)
    loose = [point for point, others in joined.items() if len(others) < 2]
    while loose:
        point = loose.pop()
        for other in joined.pop(point, ()):
            joined[other].remove(point)
            if len(joined[other]) == 1:
                loose.append(other)
    return joined


def _bridge(layout: Layout, cell: Cell, is_coloured: bool) -> tuple[Point | None, Point | None]:
    """The points that a tile bridges in colour, or in white; none if the cell is empty."""
    state = layout.tiles.get(cell)
    if state is None:
        return None, None
    one, other = state.ends
    points = corners(cell) if is_coloured else white_points(cell)
    return points[one], points[other]


def _reached(
    layout: Layout, wall: Mapping[Point, list[Point]], points: set[Point], start: Iterable[Point]
) -> set[Point]:
    """Those of ``points`` that can be reached from the first without crossing the wall."""
    reached = set(start)
    to_visit = list(reached)
    while to_visit:
        point = to_visit.pop()
        beside = {other for cell in cells_at(point) for other in _same_side(layout, wall, cell, point)}
        found = points.intersection(beside) - reached
        reached |= found
        to_visit.extend(found)
    return reached


def _same_side(layout: Layout, wall: Mapping[Point, list[Point]], cell: Cell, point: Point) -> set[Point]:
    """The points of a cell that no bridge of the wall parts from ``point``."""
    coloured, white = corners(cell), white_points(cell)
    for own, others in ((coloured, white), (white, coloured)):
        one, other = _bridge(layout, cell, own is coloured)
        if one is not None and other in wall.get(one, ()):
            beyond = others[layout.tiles[cell].tip_at]
            return {beyond} if point == beyond else {*coloured, *white} - {beyond}
    return {*coloured, *white}
