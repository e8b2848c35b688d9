"""Positions to draw pictures of."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.diagrams.hextile import Picture
from pbem.games.hextile.grid import Cell, States, neighbours
from pbem.games.hextile.notation import label

STATES = States((("ox", "O"), ("xo", "X"), ("oo", "O"), ("xx", "X")))
"""All that there are, numbered as in Superbo."""


def picture(cells: Iterable[Cell]) -> Picture:
    """One state after the other on these cells, and all spaces around."""
    tiles = {cell: STATES[number % len(STATES) + 1] for number, cell in enumerate(cells)}
    spaces = dict.fromkeys(beside for cell in tiles for beside in neighbours(cell) if beside not in tiles)
    return Picture(tiles, {space: label(number) for number, space in enumerate(spaces)})


def row(length: int) -> Picture:
    """Tiles side by side, as level as it goes."""
    return picture(Cell(q, -(q // 2)) for q in range(length))


def column(length: int) -> Picture:
    """Tiles one below the other."""
    return picture(Cell(0, r) for r in range(length))


def block(side: int) -> Picture:
    """Tiles in a square."""
    return picture(Cell(q, r - q // 2) for q in range(side) for r in range(side))
