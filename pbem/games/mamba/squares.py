"""Squares, rows and columns: alignments, possible transformations and overpopulation (RULES 9 to 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

EMPTY = "."

LONGEST = 4
"""Pieces that an alignment may have (RULES 10)."""

Mark: TypeAlias = str
"""A piece's owner as it is printed: A to D."""

View: TypeAlias = "int | tuple[Mark, int]"
"""A piece's view to one side: the number of its own that follow, or the neighbour's owner and alignment; 0 is free."""


class Turnable(NamedTuple):
    """A piece on a line can turn, since its neighbour there is in a longer alignment (RULES 11)."""

    place: int
    """Of the piece on the line, from 0."""
    owner: Mark
    """The player who would get it."""
    longer: int
    """That player's alignment."""
    shorter: int
    """The piece's own."""


class Line(NamedTuple):
    """One row or column, looked at."""

    turnable: tuple[Turnable, ...]
    views: tuple[tuple[View, View], ...]
    """For each place what a piece there sees before and behind it."""
    too_long: tuple[range, ...]
    """The places of alignments that are overpopulated."""


@lru_cache(maxsize=1 << 16)
def look(line: str) -> Line:
    """The view of a line, given by its marks, low to high."""
    runs = [(mark, len(list(run))) for mark, run in groupby(line)]
    turnable, views, too_long = list[Turnable](), list[tuple[View, View]](), list[range]()
    start = 0
    for index, (mark, length) in enumerate(runs):
        before, behind = _beyond(runs, index - 1), _beyond(runs, index + 1)
        views.extend((each or before, length - 1 - each or behind) for each in range(length))
        if mark != EMPTY:
            for place, beyond in ((start, before), (start + length - 1, behind)):
                if isinstance(beyond, tuple) and beyond[1] > length:
                    turnable.append(Turnable(place, *beyond, length))
            if length > LONGEST:
                too_long.append(range(start, start + length))
        start += length
    return Line(tuple(turnable), tuple(views), tuple(too_long))


def _beyond(runs: list[tuple[Mark, int]], index: int) -> View:
    """The neighbour at that end of a run; off the board is as free as empty."""
    if index not in range(len(runs)) or runs[index][0] == EMPTY:
        return 0
    return runs[index]


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


MARKS = "ABCD"
"""The owners of pieces, by seat."""

Squares: TypeAlias = str
"""One character a cell, in the order of `grid`: a mark, or a dot where nothing stands."""

Signature: TypeAlias = "tuple[Mark, tuple[View, View], tuple[View, View]]"
"""A piece's owner and what it sees on its row and on its column (RULES 11)."""


class Alignment(NamedTuple):
    """A maximal run of one owner's pieces on a line, lowest cell first (RULES 9)."""

    owner: Mark
    cells: tuple[Cell, ...]

    @property
    def surplus(self) -> int:
        """The number of surplus pieces (RULES 10)."""
        return max(0, len(self.cells) - LONGEST)


class Favour(NamedTuple):
    """Why a piece can turn: the alignment of its neighbour is longer than its own (RULES 11)."""

    longer: int
    shorter: int
    on_row: bool
    """The two alignments lie on a row; if False, on a column."""


class Sight:
    """A board, looked at line by line.

    Args:
        grid: its cells.
        squares: what stands on them.
    """

    def __init__(self, grid: Grid, squares: Squares) -> None:
        size = grid.size
        self._size = size
        self.squares = squares
        self._rows = [look(squares[start : start + size]) for start in range(0, size * size, size)]
        self._columns = [look(squares[column::size]) for column in range(size)]

    def favours(self) -> Mapping[Cell, Mapping[Mark, Favour]]:
        """For every piece that can turn, in whose favour; of two reasons the longer alignment, the row if equal."""
        return self._found_favours

    def signature(self, cell: Cell) -> Signature:
        """A piece's signature (RULES 11)."""
        row, column = divmod(cell, self._size)
        return self.squares[cell], self._rows[row].views[column], self._columns[column].views[row]

    def turnable(self) -> frozenset[tuple[Cell, Signature]]:
        """Every piece that can turn, with its signature."""
        return frozenset((cell, self.signature(cell)) for cell in self.favours())

    def too_long(self) -> tuple[Alignment, ...]:
        """The overpopulated alignments, rows first (RULES 10)."""
        return self._found_too_long

    @cached_property
    def _found_favours(self) -> dict[Cell, dict[Mark, Favour]]:
        found: dict[Cell, dict[Mark, Favour]] = {}
        for cell, owner, favour in self._favours():
            known = found.setdefault(cell, {}).get(owner)
            if known is None or favour.longer > known.longer:
                found[cell][owner] = favour
        return found

    @cached_property
    def _found_too_long(self) -> tuple[Alignment, ...]:
        return tuple(Alignment(self.squares[cells[0]], cells) for cells in self._too_long())

    def _favours(self) -> Iterator[tuple[Cell, Mark, Favour]]:
        for row, line in enumerate(self._rows):
            for place, owner, longer, shorter in line.turnable:
                yield row * self._size + place, owner, Favour(longer, shorter, on_row=True)
        for column, line in enumerate(self._columns):
            for place, owner, longer, shorter in line.turnable:
                yield place * self._size + column, owner, Favour(longer, shorter, on_row=False)

    def _too_long(self) -> Iterator[tuple[Cell, ...]]:
        for row, line in enumerate(self._rows):
            yield from (tuple(row * self._size + place for place in places) for places in line.too_long)
        for column, line in enumerate(self._columns):
            yield from (tuple(place * self._size + column for place in places) for places in line.too_long)


@lru_cache(maxsize=1024)
def look_at(grid: Grid, squares: Squares) -> Sight:
    """A board, looked at; kept for a while, since different ways lead to the same boards."""
    return Sight(grid, squares)


def with_mark(squares: Squares, cell: Cell, mark: Mark) -> Squares:
    """The board with another piece, or none, on a cell."""
    return squares[:cell] + mark + squares[cell + 1 :]


def without(squares: Squares, cells: Iterable[Cell]) -> Squares:
    """The board with some cells empty."""
    for cell in cells:
        squares = with_mark(squares, cell, EMPTY)
    return squares


def suffocated(grid: Grid, squares: Squares) -> tuple[Cell, ...]:
    """The pieces without an empty cell at their sides (RULES 8)."""
    return tuple(
        cell
        for cell, mark in enumerate(squares)
        if mark != EMPTY and all(squares[beside] != EMPTY for beside in grid.orthogonal[cell])
    )


def isolated(grid: Grid, squares: Squares, mark: Mark, *, strict: bool) -> tuple[Cell, ...]:
    """A player's pieces with nothing around them; ``strict``: those at the edge are none (RULES 5)."""
    return tuple(
        cell
        for cell, owner in enumerate(squares)
        if owner == mark
        and all(squares[each] == EMPTY for each in grid.around[cell])
        and not (strict and len(grid.around[cell]) < 8)
    )
