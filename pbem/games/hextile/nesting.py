"""Which region lies inside which.

The borders between coloured and white are curves; each hex edge is crossed by exactly one, between its
corner and its white point. Just outside the outer border of a closed region lies exactly one region, its
*parent*. It is found without walking the border: no part of a coloured region lies to the left of its
leftmost corner, so the white point that a level edge joins to that corner is outside; and white regions
the same with left and right exchanged.

Open regions that touch the same empty area have no border between them there; they lie together in what
we call a *sea*, and have one parent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pbem.games.hextile.grid import Cell, Point, beyond, cells_at, corners, neighbours, white_points
from pbem.games.hextile.regions import Region, Regions
from pbem.games.hextile.tiles import Colour


def around(regions: Regions, region: Region) -> Region | None:
    """The region just outside the outer border of a closed one."""
    return regions.at(_outward(region))


def enclosing(regions: Regions, spaces: Collection[Cell], region: Region) -> Iterator[Region]:
    """The regions that a region lies in, from the one just outside to the outermost."""
    found = _outside(regions, spaces, region)
    while found is not None:
        yield found
        found = _outside(regions, spaces, found)


def parents(regions: Regions, spaces: Collection[Cell]) -> dict[Point, Point | None]:
    """For each region, by name, the region its outer border lies in; None for those in the outer sea.

    ``spaces`` are the empty cells beside the tiles.
    """
    found: dict[Point, Point | None] = {}
    for name, region in regions.by_name.items():
        if name not in found:
            together = {name} if region.closed else set(_sea(regions, spaces, name))
            found.update(dict.fromkeys(together, _parent(regions, together)))
    return found


def _outside(regions: Regions, spaces: Collection[Cell], region: Region) -> Region | None:
    """The region just outside a closed one, or outside the sea of an open one."""
    if region.closed:
        return around(regions, region)
    name = _parent(regions, set(_sea(regions, spaces, regions.names[region.points[0]])))
    return None if name is None else regions.by_name[name]


def _parent(regions: Regions, together: set[Point]) -> Point | None:
    """The one region around a closed region or a sea: it borders on the outermost of them."""
    members = [regions.by_name[name] for name in together]
    coloured = [member for member in members if member.colour is not Colour.WHITE]
    white = [member for member in members if member.colour is Colour.WHITE]
    for side in (coloured, white):
        if side:
            outside = regions.names.get(_outward(*side))
            if outside is not None and outside not in together:
                return outside
    return None


def _outward(*regions: Region) -> Point:
    """A point just outside of all these regions, which are all coloured or all white."""
    points = (point for region in regions for point in region.points)
    if regions[0].colour is Colour.WHITE:
        return beyond(max(points, key=_column))
    return beyond(min(points, key=_column))


def _column(point: Point) -> int:
    return point.q


def _sea(regions: Regions, spaces: Collection[Cell], start: Point) -> Iterable[Point]:
    """The names of all open regions that share an empty area with an open one, itself included."""
    seen_spaces: set[Cell] = set()
    seas = {start}
    to_visit = [cell for point in regions.by_name[start].points for cell in _spaces_at(point, spaces)]
    while to_visit:
        cell = to_visit.pop()
        if cell in seen_spaces:
            continue
        seen_spaces.add(cell)
        to_visit.extend(neighbour for neighbour in neighbours(cell) if neighbour in spaces)
        for name in _regions_at(cell, regions) - seas:
            seas.add(name)
            points = regions.by_name[name].points
            to_visit.extend(space for point in points for space in _spaces_at(point, spaces))
    return seas


def _regions_at(cell: Cell, regions: Regions) -> set[Point]:
    points = corners(cell) + white_points(cell)
    return {regions.names[point] for point in points if point in regions.names}


def _spaces_at(point: Point, spaces: Collection[Cell]) -> Iterator[Cell]:
    return (cell for cell in cells_at(point) if cell in spaces)
