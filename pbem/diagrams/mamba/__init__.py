"""Boards of Mamba as text, and the contents of their pictures.

The modules draw those in SVG and as PNG.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pbem.diagrams import XY, Disc, Element, Stroke, rounded
from pbem.games.game import Seat
from pbem.games.mamba.squares import Cell, Squares, grid


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of a picture of a board."""

    squares: Squares
    size: int
    edges: tuple[str, ...]
    """The edge at which each seat sits, as in `Ruleset.edges`: ``bottom``, ``left``, ``top`` or ``right``."""
    changed: frozenset[Cell] = frozenset()
    """The cells that are marked, those that were emptied too."""
    viewer: Seat | None = None
    """The seat whose edge is drawn at the bottom; None: row 1 is there."""


INK = "#0b4f9e"

OPEN_SIDE, OPEN_CORNER, OPEN_WIDTH = 0.91, 0.05, 0.05

DOT_RADIUS, CIRCLE_RADIUS, CIRCLE_WIDTH = 0.125, 0.25, 0.06
"""A dot has room within a circle, where a piece can move and lay."""


def _round(side: float, corner: float, name: str, width: float) -> Element:
    return Stroke(name, rounded(XY(0, 0), side, side, corner), INK, width)


SIGNS: dict[str, Element] = {
    "open": _round(OPEN_SIDE, OPEN_CORNER, "sign-open", OPEN_WIDTH),
    "move": Disc("sign-move", XY(0, 0), DOT_RADIUS, INK),
    "lay": _round(2 * CIRCLE_RADIUS, CIRCLE_RADIUS, "sign-lay", CIRCLE_WIDTH),
}
"""A cell that can be chosen, one that the chosen piece can move to, one where it can lay another."""


def draw(squares: Squares, size: int, changed: Collection[Cell] = ()) -> str:
    """Draw a board, row 1 below; no blanks at the ends of lines."""
    width = len(str(size))
    letters = (" " * (width + 1) + "".join(f" {letter} " for letter in grid(size).columns)).rstrip()
    rows = [
        f"{row + 1:{width}} {''.join(_cell(squares, cell, changed) for cell in _cells(row, size))} {row + 1}"
        for row in reversed(range(size))
    ]
    return "\n".join((letters, *rows, letters))


def _cells(row: int, size: int) -> range:
    return range(row * size, row * size + size)


def _cell(squares: Squares, cell: Cell, changed: Collection[Cell]) -> str:
    return f"[{squares[cell]}]" if cell in changed else f" {squares[cell]} "
