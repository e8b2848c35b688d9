"""What a group's loops enclose (Browne, Mambo, "Mambogo").

Territory is counted in junctions: the coloured and white points that cannot be reached from outside
without crossing the group. L loops around n coloured junctions enclose 3n + L of them as long as every
tile inside touches its loop at one point, which only large loops in full games escape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.games.hextile.grid import Cell, Point, cells_at, corners, white_points
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.regions import Region
from pbem.games.hextile.tiles import State


def territory(layout: Layout, region: Region) -> int:
    """How many junctions the loops of a region enclose, in empty cells too."""
    return len(enclosed(layout, region)) if region.loops else 0


def enclosed(layout: Layout, region: Region) -> set[Point]:
    """The points that the loops of a region enclose; its own points are not among them."""
    wall = _looped(layout, region)
    if not wall:
        return set()
    # one cell more on every side, so that outside is in one piece
    columns = range(min(cell.q for cell in wall) - 1, max(cell.q for cell in wall) + 2)
    rows = range(min(cell.r for cell in wall) - 1, max(cell.r for cell in wall) + 2)
    box = [Cell(q, r) for q in columns for r in rows]
    outside = _reached(wall, {point for cell in box for point in _points(cell)}, _points(box[0]))
    return {point for cell in box for point in _points(cell)} - outside - set(region.points)


def _looped(layout: Layout, region: Region) -> dict[Cell, _Bridge]:
    """The bridges that the loops of a region are made of, without its branches, by the cells of their tiles."""
    joined: dict[Point, dict[Cell, Point]] = {point: {} for point in region.points}
    bridges = {cell: _bridge(layout.tiles[cell], cell, region.is_coloured) for cell in _tiles_at(layout, region)}
    bridges = {cell: bridge for cell, bridge in bridges.items() if bridge.one in joined and bridge.other in joined}
    for cell, (one, other, _) in bridges.items():
        joined[one][cell], joined[other][cell] = other, one
    loose = [point for point, others in joined.items() if len(others) == 1]
    while loose:
        for cell, other in joined.pop(loose.pop(), {}).items():
            del bridges[cell], joined[other][cell]
            if len(joined[other]) == 1:
                loose.append(other)
    return bridges


def _tiles_at(layout: Layout, region: Region) -> set[Cell]:
    return {cell for point in region.points for cell in cells_at(point) if cell in layout.tiles}


class _Bridge(NamedTuple):
    """A bridge on a tile: its ends, and the point of the tile that it parts from all others."""

    one: Point
    other: Point
    apart: Point


def _bridge(state: State, cell: Cell, is_coloured: bool) -> _Bridge:
    """The coloured or the white bridge of a tile."""
    own, others = corners(cell), white_points(cell)
    if not is_coloured:
        own, others = others, own
    one, other = state.ends
    return _Bridge(own[one], own[other], others[state.tip_at])


def _reached(wall: Mapping[Cell, _Bridge], points: set[Point], start: Iterable[Point]) -> set[Point]:
    """Those of ``points`` that are reached from some of them without crossing the wall, and the wall itself."""
    unseen = points - {end for bridge in wall.values() for end in bridge[:2]}
    to_visit = list(start)
    unseen.difference_update(to_visit)
    while to_visit:
        point = to_visit.pop()
        for cell in cells_at(point):
            bridge = wall.get(cell)
            if bridge is not None and point == bridge.apart:
                continue
            found = unseen.intersection(_points(cell))
            if bridge is not None:
                found.discard(bridge.apart)
            unseen -= found
            to_visit.extend(found)
    return points - unseen


def _points(cell: Cell) -> tuple[Point, ...]:
    return corners(cell) + white_points(cell)
