"""How large the hexagons of a picture of pixels are."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.diagrams.curves import XY
from pbem.diagrams.hextile.picture import COLUMN_STEP, HALF_HEIGHT

PAD = 2
"""Pixels around a hexagon, room for its rim."""


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

    @property
    def unit(self) -> XY:
        """The pixels of a side, across and down: heights are rounded."""
        return XY(self.side, self.half_height / HALF_HEIGHT)
