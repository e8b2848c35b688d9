"""The cells of a square board: their names, their neighbours, and the lines that they lie on.

A cell is a number, from 0 at a1 along row 1 and on row by row; so the lowest cell is the one that the rules
call lowest (row 1, a to i).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

Cell: TypeAlias = int

_LETTERS = "abcdefghijk"


@dataclass(frozen=True)
class Grid:
    """The cells of a board of ``size`` rows and columns."""

    size: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every cell: ``e5`` is the fifth from the left in the fifth row from below."""
        return tuple(f"{letter}{row}" for row in range(1, self.size + 1) for letter in _LETTERS[: self.size])

    @cached_property
    def by_name(self) -> dict[str, Cell]:
        """Every cell by its name."""
        return {name: cell for cell, name in enumerate(self.names)}

    @cached_property
    def orthogonal(self) -> tuple[tuple[Cell, ...], ...]:
        """For every cell the two to four cells at its sides."""
        return tuple(tuple(each for each in ring if self._is_straight(cell, each)) for cell, ring in self._rings)

    @cached_property
    def around(self) -> tuple[tuple[Cell, ...], ...]:
        """For every cell the three to eight cells at its sides and corners."""
        return tuple(ring for _, ring in self._rings)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The letters of the columns."""
        return tuple(_LETTERS[: self.size])

    def row_of(self, cell: Cell) -> int:
        """The number of a cell's row, from 0."""
        return cell // self.size

    def column_of(self, cell: Cell) -> int:
        """The number of a cell's column, from 0."""
        return cell % self.size

    @property
    def _rings(self) -> list[tuple[Cell, tuple[Cell, ...]]]:
        return [(cell, self._ring(cell)) for cell in range(self.size**2)]

    def _ring(self, cell: Cell) -> tuple[Cell, ...]:
        row, column = divmod(cell, self.size)
        places = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        inside = range(self.size)
        return tuple(r * self.size + c for r, c in places if r in inside and c in inside and (r, c) != (row, column))

    def _is_straight(self, one: Cell, other: Cell) -> bool:
        return self.row_of(one) == self.row_of(other) or self.column_of(one) == self.column_of(other)


@lru_cache(maxsize=4)
def grid(size: int) -> Grid:
    """The grid of a size; the same object each time."""
    return Grid(size)
