"""Boards of squares, points and hexagons, from which games make their figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from string import ascii_lowercase
from typing import TypeAlias

from pbem.games.figure import At, Bar, Figure, Held, Piece, Spot

_ROW = sqrt(3) / 2
"""The distance of two rows of hexagons."""
_HEXAGON: tuple[At, ...] = tuple(
    (x, y / sqrt(3)) for x, y in ((0, -1), (0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5))
)
_SQUARE: tuple[At, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_Lines: TypeAlias = dict[int, dict[int, str]]
_LABEL = 1.0
"""The distance of coordinates from the places at the edge."""
_BEYOND_EDGE = 1.15
"""The same behind an edge that is a goal."""


@dataclass(frozen=True)
class Layout:
    """The places of a board, without pieces."""

    spots: Mapping[str, Spot]
    labels: Sequence[tuple[At, str]]
    lines: Sequence[tuple[At, At]] = ()
    edges: Sequence[Bar] = ()
    """The edges that a side connects."""
    pitch: int = 2
    """The characters from a place to the next where boards are drawn with letters."""

    def figure(
        self,
        pieces: Mapping[str, Piece],
        last: Collection[str],
        *,
        bars: Sequence[Bar] = (),
        beside: Sequence[tuple[At, str]] = (),
        held: Sequence[Held] = (),
        below: Sequence[str] = (),
    ) -> Figure:
        """The board with everything on it.

        Args:
            pieces: by their places.
            last: the places of the last turn, which stand in brackets where the board is drawn with letters.
            bars: those that were laid in the game.
            beside: signs next to the board.
            held: pieces next to the board.
            below: lines under the board where it is drawn with letters, which has no other way to show something.
        """
        signs = (*beside, *((each.at, each.letters) for each in held))
        return Figure(
            self.spots,
            pieces,
            "\n".join((*self._canvas.drawn(pieces, bars, signs, last), *below)),
            self.lines,
            self.edges,
            self.labels,
            bars,
            beside,
            held,
            frozenset(last),
        )

    @cached_property
    def _canvas(self) -> _Canvas:
        return _Canvas(self)


def square(columns: int, rows: int, *, down: bool = False) -> Layout:
    """A board of squares, with ``a1`` at the left and below, or above if rows are counted down."""
    return rectangle(ascii_lowercase[:columns], _ranks(rows, down=down))


def crossings(columns: int, rows: int, *, down: bool = False) -> Layout:
    """A board of lines that meet in points, with ``a1`` as on `square`."""
    return rectangle(ascii_lowercase[:columns], _ranks(rows, down=down), points=True)


def points(size: int) -> Layout:
    """The board of Go, whose columns have no I."""
    return rectangle(ascii_lowercase.replace("i", "")[:size], _ranks(size, down=False), points=True)


def _ranks(rows: int, *, down: bool) -> Sequence[str]:
    ranks = [str(row + 1) for row in range(rows)]
    return ranks if down else ranks[::-1]


def rectangle(files: Sequence[str], ranks: Sequence[str], *, points: bool = False) -> Layout:
    """A board of squares, or of points where lines meet.

    Args:
        files: the names of its columns, from the left.
        ranks: the names of its rows, from above.
        points: draw lines, and mark the points that a board of Go has marked.
    """
    spots, stars = {}, _stars(len(ranks)) if points else ()
    for row, rank in enumerate(ranks):
        for column, letter in enumerate(files):
            shade = (column, row) in stars if points else (column + row) % 2
            spots[letter + rank] = Spot((column, row), () if points else _SQUARE, int(shade))
    right, below = len(files) - 1, len(ranks) - 1
    labels: list[tuple[At, str]] = []
    for column, letter in enumerate(files):
        labels += [((column, -_LABEL), letter), ((column, below + _LABEL), letter)]
    for row, rank in enumerate(ranks):
        labels += [((-_LABEL, row), rank), ((right + _LABEL, row), rank)]
    lines: list[tuple[At, At]] = []
    if points:
        lines += [((column, 0), (column, below)) for column in range(len(files))]
        lines += [((0, row), (right, row)) for row in range(len(ranks))]
    return Layout(spots, labels, lines)


def _stars(size: int) -> Collection[At]:
    """The points that are marked on a board of Go, from above and from the left."""
    if size < 7:
        return ()
    edge, middle = (3 if size > 11 else 2), size // 2
    lines = {edge, size - 1 - edge} | ({middle} if size % 2 and size > 11 else set())
    return {(column, row) for column in lines for row in lines} | ({(middle, middle)} if size % 2 else set())


def rhombus(size: int) -> Layout:
    """The board of Hex: columns to the right, rows down and each half a place further right."""
    names, spots, labels = ascii_lowercase[:size], {}, list[tuple[At, str]]()
    for row in range(size):
        for column, letter in enumerate(names):
            spots[f"{letter}{row + 1}"] = Spot((column + row / 2, row * _ROW), _HEXAGON)
        labels += (
            ((row / 2 - _BEYOND_EDGE, row * _ROW), str(row + 1)),
            ((size - 1 + row / 2 + _BEYOND_EDGE, row * _ROW), str(row + 1)),
        )
    labels += [((column - 0.6, -_BEYOND_EDGE), letter) for column, letter in enumerate(names)]
    below = (size - 1) * _ROW + _BEYOND_EDGE
    labels += [((column + size / 2 + 0.1, below), letter) for column, letter in enumerate(names)]
    return Layout(spots, labels, edges=tuple(_edges_of_rhombus(size)))


def _edges_of_rhombus(size: int) -> Iterable[Bar]:
    low, last = 0.7, size - 1
    yield Bar((-0.35, -low), (last + 0.35, -low), 0)
    yield Bar((last / 2 - 0.35, last * _ROW + low), (last + last / 2 + 0.35, last * _ROW + low), 0)
    yield Bar((-0.75, 0), (last / 2 - 0.75, last * _ROW), 1)
    yield Bar((last + 0.75, 0), (last + last / 2 + 0.75, last * _ROW), 1)


def hexagon(side: int) -> Layout:
    """The board of Havannah: columns are the diagonals that go down to the left, rows go across."""
    spots, labels, rows = {}, list[tuple[At, str]](), 2 * side - 1
    for row in range(rows):
        start, end = max(0, row - side + 1), min(rows, row + side)
        for column in range(start, end):
            spots[f"{ascii_lowercase[column]}{row + 1}"] = Spot((column - row / 2, row * _ROW), _HEXAGON)
        labels.append(((start - row / 2 - _LABEL, row * _ROW), str(row + 1)))
        if row < side:
            labels.append(((end - 1 - row / 2 + 0.5, (row - 1) * _ROW), ascii_lowercase[end - 1]))
    labels += [((column + 0.5, -_ROW), ascii_lowercase[column]) for column in range(side - 1)]
    return Layout(spots, labels)


def triangle(side: int) -> Layout:
    """The board of Y: each row is a place shorter than the one above."""
    spots, labels = {}, list[tuple[At, str]]()
    for row in range(side):
        for column in range(side - row):
            spots[f"{ascii_lowercase[column]}{row + 1}"] = Spot((column + row / 2, row * _ROW), _HEXAGON)
        labels.append(((row / 2 - _LABEL, row * _ROW), str(row + 1)))
    labels += [((column - 0.5, -_ROW), ascii_lowercase[column]) for column in range(side)]
    return Layout(spots, labels)


class _Canvas:
    """A board drawn with letters, without anything on it.

    Args:
        layout: the board.
    """

    def __init__(self, layout: Layout) -> None:
        self._spots, self._pitch = layout.spots, layout.pitch
        self._places = {spot.at for spot in layout.spots.values()}
        self._first = dict[float, float]()
        """The left end of each line of places."""
        for x, y in self._places:
            self._first[y] = min(x, self._first.get(y, x))
        self._lines: _Lines = {}
        """The characters of each height at which there is anything, by their columns."""
        for at, text in layout.labels:
            self._write(self._lines, at, text)
        for spot in layout.spots.values():
            self._write(self._lines, spot.at, spot.free)

    def drawn(
        self,
        pieces: Mapping[str, Piece],
        bars: Iterable[Bar],
        signs: Iterable[tuple[At, str]],
        last: Collection[str],
    ) -> Iterator[str]:
        """The lines with everything on the board and beside it, and brackets around the places of the last turn."""
        lines = {height: line.copy() for height, line in self._lines.items()}
        for bar in bars:
            for (x, y), letter in _letters_of(bar, self._pitch):
                lines.setdefault(_height(y), {}).setdefault(round(self._pitch * x), letter)
        for at, text in signs:
            self._write(lines, at, text)
        spots = self._spots
        for name, piece in pieces.items():
            self._write(lines, spots[name].at, piece.letter)
        for name in spots.keys() & last:
            at, width = spots[name].at, len(pieces[name].letter) if name in pieces else 1
            line, end = lines[_height(at[1])], round(self._pitch * at[0])
            for column, mark, other in ((end - width, "[", "]"), (end + 1, "]", "[")):
                line[column] = "|" if line.get(column) == other else mark
        left = min(min(line) for line in lines.values())
        for _, line in sorted(lines.items()):
            yield "".join([line.get(column, " ") for column in range(left, max(line) + 1)]).rstrip()

    def _write(self, lines: _Lines, at: At, text: str) -> None:
        """Write something that begins at its place, or ends there on the board and to its left."""
        line, start = lines.setdefault(_height(at[1]), {}), round(self._pitch * at[0])
        if at in self._places or at[0] < self._first.get(at[1], at[0]):
            start -= len(text) - 1
        line.update(enumerate(text, start))


def _height(y: float) -> int:
    return round(y * 1000)


def _letters_of(bar: Bar, pitch: int) -> Iterator[tuple[At, str]]:
    """A bar that lies across or upright, by its letters; any other is not drawn with letters."""
    (x, y), (right, below) = bar.start, bar.end
    if y == below:
        for column in range(round(pitch * x) + 1, round(pitch * right)):
            yield (column / pitch, y), "-"
    elif x == right:
        yield (x, (y + below) / 2), "|"
