"""Lines and arcs on the plane, x to the right and y down: what the shapes of pictures are bounded by."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin
from typing import NamedTuple


class XY(NamedTuple):
    """A place on the plane."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A line, or the shorter arc around a centre."""

    start: XY
    end: XY
    centre: XY | None = None

    @property
    def radius(self) -> float:
        """How far an arc is from its centre; 0 for a line."""
        if self.centre is None:
            return 0
        return hypot(self.start.x - self.centre.x, self.start.y - self.centre.y)

    @property
    def turn(self) -> float:
        """The angle of an arc in radians, positive if it goes clockwise on the page; 0 for a line."""
        if self.centre is None:
            return 0
        return (_angle(self.centre, self.end) - _angle(self.centre, self.start) + pi) % (2 * pi) - pi

    def points(self, steps: int) -> list[XY]:
        """Places along the curve, both ends included; a line has no others."""
        if self.centre is None:
            return [self.start, self.end]
        begin, radius, turn = _angle(self.centre, self.start), self.radius, self.turn
        angles = [begin + turn * step / steps for step in range(steps + 1)]
        return [XY(self.centre.x + radius * cos(angle), self.centre.y + radius * sin(angle)) for angle in angles]


def _angle(centre: XY, place: XY) -> float:
    return atan2(place.y - centre.y, place.x - centre.x)
