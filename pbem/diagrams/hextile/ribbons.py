"""The shapes on a tile: a bridge as a ribbon between two corners, a tip as a slice around the third.

Every border crosses the rim of the tile at right angles, halfway between a corner and a white point, so that
the shapes of neighbouring tiles go on into each other. Inside the tile a border is an arc around the tip's
corner, an arc around the white point between the bridge's ends, or the straight line between them. The middle
of the tile is at (0, 0).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pbem.diagrams import XY, Curve
from pbem.diagrams.hextile import HALF_HEIGHT
from pbem.games.hextile.grid import Cell, half_row, towards

CORNERS = (XY(-1, 0), XY(0.5, -HALF_HEIGHT), XY(0.5, HALF_HEIGHT))
"""W, NE and SE, in the order of their indices."""

WHITE_POINTS = (XY(1, 0), XY(-0.5, HALF_HEIGHT), XY(-0.5, -HALF_HEIGHT))
"""E, SW and NW: each opposite the corner of the same index."""

RIM = (CORNERS[0], WHITE_POINTS[2], CORNERS[1], WHITE_POINTS[0], CORNERS[2], WHITE_POINTS[1])
"""The six points of a hexagon, clockwise from W."""

BORDER = 0.5
"""The distance from a corner, along the rim, at which its colour ends."""

INLAY = 0.33
"""The distance from a corner, along the rim, of the line that runs within the shapes of x."""


OVERLAP = 1.012
"""The size of an outline along the rim against that of the tile: shapes that just met would show what lies below."""


def outline(cells: Collection[Cell]) -> Iterator[Sequence[tuple[int, int]]]:
    """The edges of these cells where no other of them is: the corners of each loop, in its order.

    They are measured in halves of a side across, and in halves of a hexagon's height down.
    """
    following = {
        point: corners[index + 1]
        for cell in cells
        for corners in [_around(cell)]
        for index, (point, beyond) in enumerate(zip(corners, _BEYOND, strict=False))
        if towards(cell, beyond) not in cells
    }
    while following:
        first, point = following.popitem()
        loop = [first]
        while point != first:
            loop.append(point)
            point = following.pop(point)
        yield loop


_BEYOND = ("nw", "n", "ne", "se", "s", "sw")
"""The neighbour beyond each edge, clockwise from that which begins at W."""


def _around(cell: Cell) -> Sequence[tuple[int, int]]:
    """The points of `RIM` on the plane, in the units of an `outline`, the first again at the end."""
    across, down = 3 * cell.q, half_row(cell)
    points = [(across + round(2 * x), down + round(y / HALF_HEIGHT)) for x, y in RIM]
    return [*points, points[0]]


@dataclass(frozen=True, slots=True)
class Shape:
    """A bridge or a tip."""

    outline: tuple[Curve, ...]
    """Closed: each curve begins where the one before ends."""
    borders: tuple[Curve, ...]
    """The part of the outline that lies within the tile."""
    inlay: tuple[Curve, ...]
    """Lines along the borders, some way inside."""

    @property
    def overlapping(self) -> tuple[Curve, ...]:
        """The outline, a little over the rim wherever it runs along it."""
        curves = list[Curve]()
        for index, curve in enumerate(self.outline):
            if curve in self.borders:
                curves.append(curve)
                continue
            if self.outline[index - 1] in self.borders:
                curves.append(Curve(curve.start, _over(curve.start)))
            curves.append(Curve(_over(curve.start), _over(curve.end)))
            if self.outline[(index + 1) % len(self.outline)] in self.borders:
                curves.append(Curve(_over(curve.end), curve.end))
        return tuple(curves)


def _over(place: XY) -> XY:
    return XY(OVERLAP * place.x, OVERLAP * place.y)


@cache
def tip(corner: int) -> Shape:
    """The tip at a corner."""
    top, centre = _slice(corner, BORDER), CORNERS[corner]
    outline = (Curve(centre, top.start), top, Curve(top.end, centre))
    return Shape(outline, (top,), (_slice(corner, INLAY),))


@cache
def bridge(tip_at: int) -> Shape:
    """The bridge between the two corners other than the tip's."""
    first, second = CORNERS[tip_at - 2], CORNERS[tip_at - 1]
    bay, bank = _banks(tip_at, BORDER)
    outline = (
        Curve(first, bay.start),
        bay,
        Curve(bay.end, second),
        Curve(second, bank.start),
        bank,
        Curve(bank.end, first),
    )
    return Shape(outline, (bay, bank), _banks(tip_at, INLAY))


@cache
def white_tip(tip_at: int) -> tuple[Curve, ...]:
    """The outline of what is white between the ends of the bridge, opposite the tip."""
    white, (bay, _) = WHITE_POINTS[tip_at], _banks(tip_at, BORDER)
    return Curve(white, bay.start), bay, Curve(bay.end, white)


@cache
def white_bridge(tip_at: int) -> tuple[Curve, ...]:
    """The outline of what is white between the bridge and the tip."""
    first, second = WHITE_POINTS[tip_at - 2], WHITE_POINTS[tip_at - 1]
    (_, bank), top = _banks(tip_at, BORDER), _slice(tip_at, BORDER)
    return (
        bank,
        Curve(bank.end, second),
        Curve(second, top.start),
        top,
        Curve(top.end, first),
        Curve(first, bank.start),
    )


def _slice(corner: int, share: float) -> Curve:
    """The arc around a corner."""
    start, end = (_crossing(corner, white, share) for white in (corner - 1, corner - 2))
    return Curve(start, end, CORNERS[corner])


def _banks(tip_at: int, share: float) -> tuple[Curve, Curve]:
    """The two sides of a bridge, away from the tip and towards it."""
    first, second = tip_at - 2, tip_at - 1
    bay = Curve(_crossing(first, tip_at, share), _crossing(second, tip_at, share), WHITE_POINTS[tip_at])
    bank = Curve(_crossing(second, first, share), _crossing(first, second, share))
    return bay, bank


def _crossing(corner: int, white: int, share: float) -> XY:
    """The place on the edge between a corner and a white point, that far from the corner."""
    here, there = CORNERS[corner], WHITE_POINTS[white]
    return XY(here.x + share * (there.x - here.x), here.y + share * (there.y - here.y))
