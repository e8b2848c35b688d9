"""A pen that draws cells for pictures of pixels, smoothly: some times as large, then scaled down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from pbem.diagrams.picture import COLUMN_STEP, HALF_HEIGHT, XY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.diagrams.ribbons import Curve

FINENESS = 4
"""How many times as large as it will be everything is drawn."""

ARC_STEPS = 24

PAD = 2
"""Pixels around a hexagon, room for its rim."""

THINNEST = 0.6
"""The width in pixels of the finest line that still shows."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a cell is, in whole pixels so that the same tile is the same pixels everywhere."""

    column: int
    """From the middle of a column to that of the next."""

    @property
    def side(self) -> float:
        """The side of a hexagon."""
        return self.column / COLUMN_STEP

    @property
    def half_height(self) -> int:
        """Half the height of a hexagon."""
        return max(1, round(self.side * HALF_HEIGHT))

    @property
    def middle(self) -> tuple[int, int]:
        """The middle of the picture of a cell; right and below of it lies as much again."""
        return int(self.side) + 1 + PAD, self.half_height + PAD


class Pen:
    """Draws around the middle of a cell; places and lengths are in sides."""

    def __init__(self, scale: Scale, ground: str) -> None:
        self._middle = XY(*scale.middle)
        self._unit = XY(scale.side, scale.half_height / HALF_HEIGHT)
        size = (int(self._middle.x) * 2 * FINENESS, int(self._middle.y) * 2 * FINENESS)
        self._image = Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self._image)

    def area(self, places: Iterable[XY], fill: str) -> None:
        """Fill what lies between these places."""
        self._draw.polygon(self._pixels(places), fill=fill)

    def line(self, places: Iterable[XY], colour: str, width: float) -> None:
        """Draw from each place to the next."""
        thick = round(max(width * self._unit.x, THINNEST) * FINENESS)
        self._draw.line(self._pixels(places), fill=colour, width=thick, joint="curve")

    def disc(self, centre: XY, radius: float, fill: str, *, least: float = 0) -> None:
        """Fill a circle, of this many pixels at least."""
        ((x, y),) = self._pixels((centre,))
        across, down = (max(radius * unit, least) * FINENESS for unit in self._unit)
        self._draw.ellipse((x - across, y - down, x + across, y + down), fill=fill)

    def finished(self) -> Image.Image:
        """What was drawn, in its true size."""
        return self._image.reduce(FINENESS)

    def _pixels(self, places: Iterable[XY]) -> list[tuple[float, float]]:
        middle, unit = self._middle, self._unit
        return [((middle.x + x * unit.x) * FINENESS, (middle.y + y * unit.y) * FINENESS) for x, y in places]


def places(curves: Iterable[Curve]) -> list[XY]:
    """Places along curves of which each goes on where the one before ended."""
    return [place for curve in curves for place in curve.points(ARC_STEPS)]
