"""The contents and the scale of pictures of hexagonal boards.

The modules draw them as text, in SVG and as PNG, and read the text back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from pbem.diagrams import XY
from pbem.games.hextile.grid import Cell, Colour, State, half_row
from pbem.games.hextile.position import Position

COLUMN_STEP = 1.5
"""From the middle of a column to that of the next."""

HALF_HEIGHT = sqrt(3) / 2
"""Half the height of a hexagon: a neighbouring column lies that much lower or higher."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of a picture of a position."""

    tiles: Mapping[Cell, State]
    labels: Mapping[Cell, str]
    """Of the spaces that can be played."""
    null_points: Collection[Cell] = ()
    """Spaces that no tile can fill (Mambo)."""
    last: Collection[Cell] = ()
    """Tiles of the last turn that a player laid."""
    automatic: Collection[Cell] = ()
    """Tiles of the last turn that auto moves laid."""
    pale: Collection[Cell] = ()
    """Tiles that step back behind those that decided the game."""
    dark: bool = False
    """The one colour of the game is called Dark (Lambo, Palago), and is drawn so."""
    title: str = ""
    """The position in words, for those who do not see it."""

    @property
    def blocked(self) -> set[Cell]:
        """The null points that are neither covered nor labelled."""
        return {cell for cell in self.null_points if cell not in self.tiles and cell not in self.labels}

    @property
    def extent(self) -> Extent:
        """The columns and half rows of everything shown; of the cell (0, 0) alone if there is nothing."""
        cells = [*self.tiles, *self.labels, *self.null_points] or [Cell(0, 0)]
        columns = [cell.q for cell in cells]
        half_rows = [half_row(cell) for cell in cells]
        return Extent(min(columns), max(columns), min(half_rows), max(half_rows))


class Extent(NamedTuple):
    """The first and last columns and half rows in which cells have their middles."""

    left: int
    right: int
    top: int
    bottom: int


def picture_of(position: Position, labels: Mapping[Cell, str], lit: Collection[Cell] = ()) -> Picture:
    """The contents of a picture of a position; the turn under way stands out, or else the last one.

    Args:
        position: the position.
        labels: of the spaces that show theirs.
        lit: the tiles that decided the game; if there are any, the others are pale.
    """
    laid = position.turn or position.last_turn
    return Picture(
        position.layout.tiles,
        labels,
        null_points=position.layout.null_points,
        last={tile.cell for tile in laid if not tile.automatic},
        automatic={tile.cell for tile in laid if tile.automatic},
        pale=position.layout.tiles.keys() - set(lit) if lit else (),
        dark=Colour.WHITE in position.colours,
    )


PAD = 2
"""Pixels around a hexagon, room for its rim."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a cell, in whole pixels so that the same tile is the same pixels everywhere."""

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
