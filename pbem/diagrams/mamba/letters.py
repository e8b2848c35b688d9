"""Boards of Mamba as text: a mark for each piece, a dot for each empty cell, coordinates on all four sides.

A cell is three columns wide; one that has changed stands in brackets::

       a  b  c
    3  . [A] .  3
    2  A [.] B  2
    1  .  .  B  1
       a  b  c
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pbem.games.mamba.grid import grid

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.games.mamba.grid import Cell
    from pbem.games.mamba.squares import Squares

_ROW = re.compile(r"[\s>]*(?P<row>\d+)\s(?P<cells>(?: [.A-D] |\[[.A-D]\])+)\s(?P=row)\s*")
"""Indented or quoted, perhaps."""


class Drawing(NamedTuple):
    """What a drawing shows."""

    squares: Squares
    size: int
    changed: frozenset[Cell] = frozenset()
    """The cells in brackets."""


def draw(squares: Squares, size: int, changed: Collection[Cell] = ()) -> str:
    """Draw a board, row 1 below; no blanks at the ends of lines."""
    width = len(str(size))
    letters = (" " * (width + 1) + "".join(f" {letter} " for letter in grid(size).columns)).rstrip()
    rows = [
        f"{row + 1:{width}} {''.join(_cell(squares, cell, changed) for cell in _cells(row, size))} {row + 1}"
        for row in reversed(range(size))
    ]
    return "\n".join((letters, *rows, letters))


def parse(text: str) -> Drawing:
    """Read a drawing back, quoted perhaps; lines that are no rows of a board are passed over.

    Raises:
        ValueError: it is not one whole board.
    """
    found = [match for line in text.splitlines() if (match := _ROW.fullmatch(line))]
    rows = {int(match["row"]): match["cells"] for match in found}
    size = len(found)
    if not found or rows.keys() != {*range(1, size + 1)} or any(len(cells) != 3 * size for cells in rows.values()):
        raise ValueError(f"not one whole board: {text!r}")
    cells = "".join(rows[row] for row in range(1, size + 1))
    changed = frozenset(cell for cell, bracket in enumerate(cells[::3]) if bracket == "[")
    return Drawing(cells[1::3], size, changed)


def _cells(row: int, size: int) -> range:
    return range(row * size, row * size + size)


def _cell(squares: Squares, cell: Cell, changed: Collection[Cell]) -> str:
    return f"[{squares[cell]}]" if cell in changed else f" {squares[cell]} "
