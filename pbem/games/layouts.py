"""Boards of squares, points and hexagons, from which games make their figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from string import ascii_lowercase

from pbem.games.figure import At, Bar, Figure, Piece, Spot

_ROW = sqrt(3) / 2
"""The distance of two rows of hexagons."""
_HEXAGON: tuple[At, ...] = tuple(
    (x, y / sqrt(3)) for x, y in ((0, -1), (0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5))
)
_SQUARE: tuple[At, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_LABEL = 1.0
"""The distance of coordinates from the places at the edge."""
_FREE = "."
"""An empty place where boards are drawn with letters."""


@dataclass(frozen=True)
class Layout:
    """The places of a board, without pieces."""

    spots: Mapping[str, Spot]
    labels: Sequence[tuple[At, str]]
    lines: Sequence[tuple[At, At]] = ()
    edges: Sequence[Bar] = field(default=())
    """The edges that a side connects."""

    def figure(self, pieces: Mapping[str, Piece], last: Collection[str]) -> Figure:
        """The board with pieces on it; the places of the last turn stand in brackets where it is drawn with letters."""
        letters = _drawn(self, pieces, last)
        return Figure(self.spots, pieces, letters, self.lines, self.edges, self.labels, frozenset(last))


def square(columns: int, rows: int, *, down: bool = False) -> Layout:
    """A board of squares, ``a1`` at the left and below, or above if rows are counted down."""
    return _rectangle(ascii_lowercase[:columns], rows, down=down, points=False)


def points(size: int) -> Layout:
    """The board of Go, whose columns have no I."""
    return _rectangle(ascii_lowercase.replace("i", "")[:size], size, down=False, points=True)


def _rectangle(names: str, rows: int, *, down: bool, points: bool) -> Layout:
    ranks = [str(row + 1 if down else rows - row) for row in range(rows)]
    spots, stars = {}, _stars(rows)
    for row, rank in enumerate(ranks):
        for column, letter in enumerate(names):
            shade = (column, row) in stars if points else (column + row) % 2
            spots[letter + rank] = Spot((column, row), () if points else _SQUARE, int(shade))
    right, below = len(names) - 1, rows - 1
    labels: list[tuple[At, str]] = []
    for column, letter in enumerate(names):
        labels += [((column, -_LABEL), letter), ((column, below + _LABEL), letter)]
    for row, rank in enumerate(ranks):
        labels += [((-_LABEL, row), rank), ((right + _LABEL, row), rank)]
    lines: list[tuple[At, At]] = []
    if points:
        lines += [((column, 0), (column, below)) for column in range(len(names))]
        lines += [((0, row), (right, row)) for row in range(rows)]
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
            ((row / 2 - _LABEL, row * _ROW), str(row + 1)),
            ((size - 1 + row / 2 + _LABEL, row * _ROW), str(row + 1)),
        )
    labels += [((column - 0.5, -_ROW), letter) for column, letter in enumerate(names)]
    labels += [((column + size / 2, size * _ROW), letter) for column, letter in enumerate(names)]
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


def _drawn(layout: Layout, pieces: Mapping[str, Piece], last: Collection[str]) -> str:
    """The board as text: two characters from place to place, a row for each height at which there are places."""
    writings = [(at, text, False) for at, text in layout.labels]
    for name, spot in layout.spots.items():
        piece = pieces.get(name)
        writings.append((spot.at, _FREE if piece is None else piece.letter, name in last))
    rows = sorted({round(at[1], 3) for at, _, _ in writings})
    heights = {spot.at[1] for spot in layout.spots.values()}
    rows = [row for row in rows if any(abs(row - each) < 0.3 for each in heights)] or rows
    left = min(2 * at[0] - len(text) for at, text, _ in writings)
    canvas: dict[int, dict[int, str]] = {}
    for at, text, changed in writings:
        row = round(at[1] * 1000)
        line = canvas.setdefault(row, {})
        column = round(2 * at[0] - left) - (len(text) - 1 if at[0] < 0 else 0)
        for offset, letter in enumerate(text):
            line[column + offset] = letter
        if changed:
            line[column - 1], line[column + 1] = "[", "]"
    return "\n".join(_line(canvas[row]) for row in sorted(canvas))


def _line(letters: Mapping[int, str]) -> str:
    return "".join(letters.get(column, " ") for column in range(max(letters) + 1)).rstrip()
