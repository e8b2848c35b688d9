"""Regions: connected parts of one colour, and which lies inside which."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.games.hextile.grid import Cell, Colour, Point, State, beyond, cells_at, corners, neighbours, white_points


class Region(NamedTuple):
    """A connected part of one colour."""

    colour: Colour
    points: tuple[Point, ...]
    bridges: int
    ways_out: int
    """Contacts of its points with empty cells; a cell counts once for each such point."""

    @property
    def loops(self) -> int:
        """The number of independent loops within the region."""
        return self.bridges - len(self.points) + 1

    @property
    def is_coloured(self) -> bool:
        """It is a group, not a white region."""
        return self.colour is not Colour.WHITE

    @property
    def closed(self) -> bool:
        """No empty cell is left to grow into."""
        return not self.ways_out


@dataclass(frozen=True, slots=True)
class Regions:
    """All regions of a layout of tiles. A region is known by one of its points, its *name*."""

    names: Mapping[Point, Point] = field(default_factory=dict)
    """For every point that a tile touches, the name of its region."""
    by_name: Mapping[Point, Region] = field(default_factory=dict)
    closed: tuple[Region, ...] = ()
    """The closed regions in the order in which they were closed; they never change again."""

    def at(self, point: Point) -> Region | None:
        """The region that ``point`` belongs to, or None if no tile touches it."""
        name = self.names.get(point)
        return None if name is None else self.by_name[name]

    def may_close(self, cell: Cell, state: State) -> bool:
        """Return False if a tile certainly closes no region."""
        one, other = state.ends
        for points in (corners(cell), white_points(cell)):
            names = [self.names.get(point) for point in points]
            for part in ({names[one], names[other]}, {names[state.tip_at]}):
                # a point that no tile has touched yet has two more cells to grow into
                known = [self.by_name[name] for name in part if name is not None]
                if len(known) == len(part) and sum(r.ways_out for r in known) == sum(name in part for name in names):
                    return True
        return False

    def lay(self, cell: Cell, state: State) -> Regions:
        """The regions once a tile lies in the empty ``cell``, whose decided corners it must match."""
        draft = _Draft(dict(self.names), dict(self.by_name))
        coloured, white = corners(cell), white_points(cell)
        for point, colour in zip(coloured, state.colours, strict=True):
            draft.touch(point, colour)
        for point in white:
            draft.touch(point, Colour.WHITE)
        one, other = state.ends
        draft.join(coloured[one], coloured[other])
        draft.join(white[one], white[other])
        touched = dict.fromkeys(draft.names[point] for point in coloured + white)
        closed = tuple(region for region in map(draft.by_name.__getitem__, touched) if region.closed)
        return Regions(draft.names, draft.by_name, self.closed + closed)


class _Draft(NamedTuple):
    """Regions while a tile is being laid."""

    names: dict[Point, Point]
    by_name: dict[Point, Region]

    def touch(self, point: Point, colour: Colour) -> None:
        """Count the new tile at ``point``, which has two more cells."""
        name = self.names.setdefault(point, point)
        region = self.by_name.get(name)
        if region is None:
            self.by_name[name] = Region(colour, (point,), bridges=0, ways_out=2)
        else:
            self.by_name[name] = Region(region.colour, region.points, region.bridges, region.ways_out - 1)

    def join(self, one: Point, other: Point) -> None:
        """Lay a bridge between two points of one colour."""
        kept, lost = self.names[one], self.names[other]
        if kept == lost:
            region = self.by_name[kept]
            self.by_name[kept] = Region(region.colour, region.points, region.bridges + 1, region.ways_out)
            return
        if len(self.by_name[kept].points) < len(self.by_name[lost].points):
            kept, lost = lost, kept
        into, gone = self.by_name[kept], self.by_name.pop(lost)
        self.names.update(dict.fromkeys(gone.points, kept))
        self.by_name[kept] = Region(
            into.colour,
            into.points + gone.points,
            into.bridges + gone.bridges + 1,
            into.ways_out + gone.ways_out,
        )


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
