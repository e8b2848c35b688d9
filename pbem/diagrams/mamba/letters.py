"""Boards of Mamba as text: a mark for each piece, a dot for each empty cell, coordinates on all four sides.

A cell is three columns wide; one that has changed stands in brackets::

       a  b  c
    3  . [A] .  3
    2  A [.] B  2
    1  .  .  B  1
       a  b  c
"""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.mamba.grid import Cell, grid
from pbem.games.mamba.squares import Squares


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
