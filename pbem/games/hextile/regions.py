"""Regions: connected parts of one colour, kept up to date tile by tile.

A coloured group is a connected part of the graph of its corners with bridges as edges, a white region
the same over white points and white bridges; a lone tip is a region too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.games.hextile.grid import Cell, Point, corners, white_points
from pbem.games.hextile.tiles import Colour, State


class Region(NamedTuple):
    """A connected part of one colour."""

    colour: Colour
    points: tuple[Point, ...]
    bridges: int
    ways_out: int
    """How often one of its points touches an empty cell; a cell counts once for each such point."""

    @property
    def loops(self) -> int:
        """How many independent ways lead around within the region."""
        return self.bridges - len(self.points) + 1

    @property
    def is_coloured(self) -> bool:
        """Whether it is a group, and no white region."""
        return self.colour is not Colour.WHITE

    @property
    def closed(self) -> bool:
        """Whether no empty cell is left to grow into."""
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
        """Whether a tile may close some region; if it does not, that is certain."""
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
