r"""Boards of hexagonal tiles as text, the way Cameron Browne's help pages draw them.

A hexagon is ten columns wide and five lines high, and shares its rim with its neighbours::

       .--oo
      x   oo\
     xxx  oo )
      x   oo/
       `--oo

Letters show the tips and bridges of both colours, white is left blank. A mark of the rim is drawn only
where one of the two cells beside it is empty, and letters go over marks.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from pbem.games.hextile.grid import NE, SE, Cell, State, W, neighbours

Spot: TypeAlias = tuple[int, int]
"""A column and a line, within a cell or on the whole canvas."""

TIPS: dict[int, tuple[Spot, ...]] = {
    W: ((2, 1), (1, 2), (2, 2), (3, 2), (2, 3)),
    NE: ((6, 0), (7, 0), (7, 1), (8, 1)),
    SE: ((7, 3), (8, 3), (6, 4), (7, 4)),
}
"""The spots of the letters of a tip, by its corner."""

BRIDGES: dict[int, tuple[Spot, ...]] = {
    W: tuple((column, line) for line in range(5) for column in (6, 7)),
    NE: ((1, 2), (2, 2), (3, 2), (4, 2), (4, 3), (5, 3), (6, 3), (6, 4), (7, 4)),
    SE: ((1, 2), (2, 2), (3, 2), (4, 2), (4, 1), (5, 1), (6, 1), (6, 0), (7, 0)),
}
"""The spots of the letters of a bridge, by the corner that it leaves to the tip."""

EDGES: tuple[tuple[str, Spot], ...] = (
    ("--", (4, 0)),
    ("\\", (8, 1)),
    ("/", (8, 3)),
    ("--", (4, 4)),
    ("\\", (2, 3)),
    ("/", (2, 1)),
)
"""The marks of the six edges, clockwise from n, and where they begin."""

POINTS: tuple[tuple[str, Spot, tuple[tuple[int, str], ...]], ...] = (
    (")", (9, 2), ((1, "`"), (2, "."))),
    ("`", (3, 4), ((3, "."), (4, ")"))),
    (".", (3, 0), ((5, ")"), (0, "`"))),
)
"""The marks of the white points E, SW and NW, where they stand, and what they are called in the two neighbours
there, which are counted clockwise from n."""

INSIDE_MARK = "."
"""The mark of a white point where three tiles meet."""

LABEL_SPOT: Spot = (5, 2)
"""The spot at which the label of a space begins."""

NULL_POINT = "-"
"""Replaces the label of a space that no tile can fill."""

WIDTH, HEIGHT = 10, 5
"""Columns and lines of a hexagon."""

STATES_A_ROW = 6
"""Numbered states side by side in a mail of 78 columns."""


class Piece(NamedTuple):
    """Characters side by side, and where the first of them stands."""

    column: int
    line: int
    text: bytes
    """Each character in ASCII, as a canvas holds them."""


def draw(tiles: Mapping[Cell, State], labels: Mapping[Cell, str] | None = None) -> str:
    """Draw tiles, and spaces by their labels, cropped to what is drawn; no blanks at the ends of lines."""
    named = labels or {}
    canvas = _Canvas([*tiles, *named], max(map(len, named.values()), default=0))
    for cell in tiles:
        canvas.stamp(cell, rim(cell, tiles))
    for cell, state in tiles.items():
        canvas.stamp(cell, letters(state))
    for cell, label in named.items():
        canvas.stamp(cell, (Piece(*LABEL_SPOT, label.encode("ascii")),))
    return canvas.cropped()


def draw_states(states: Iterable[State]) -> str:
    """Draw each state alone behind its number, a few in a row, at most 78 columns wide."""
    blocks = [_numbered(state) for state in states]
    rows = [blocks[start : start + STATES_A_ROW] for start in range(0, len(blocks), STATES_A_ROW)]
    lines = ("\n".join("".join(parts).rstrip() for parts in zip(*row, strict=True)) for row in rows)
    return "\n\n".join(lines)


def rim(cell: Cell, tiles: Container[Cell]) -> tuple[Piece, ...]:
    """The marks around a tile, drawn as if its cell were (0, 0); letters go over them."""
    return _rim(tuple([neighbour in tiles for neighbour in neighbours(cell)]))


@lru_cache(maxsize=64)
def letters(state: State) -> tuple[Piece, ...]:
    """The letters of a tile in the cell (0, 0)."""
    shown = dict.fromkeys(BRIDGES[state.tip_at], str(state.bridge)) | dict.fromkeys(TIPS[state.tip_at], str(state.tip))
    return tuple(_runs(shown))


def spot(cell: Cell, within: Spot) -> Spot:
    """A spot of a cell as a spot of the whole canvas."""
    return 6 * cell.q + within[0], 4 * cell.r + 2 * cell.q + within[1]


def _piece(at: Spot, text: str) -> Piece:
    return Piece(*at, text.encode("ascii"))


class _Canvas:
    """Blank lines around some cells, to write on.

    Args:
        cells: what must find room.
        label_width: columns of the longest label.
    """

    def __init__(self, cells: Sequence[Cell], label_width: int) -> None:
        corners = [spot(cell, (0, 0)) for cell in cells] or [(0, 0)]
        columns, lines = zip(*corners, strict=True)
        self._left, self._top = min(columns), min(lines)
        width = max(columns) - self._left + WIDTH + label_width
        self._lines = [bytearray(b" ") * width for _ in range(max(lines) - self._top + HEIGHT)]

    def stamp(self, cell: Cell, pieces: Iterable[Piece]) -> None:
        """Put what is drawn for the cell (0, 0) into another one, over what is there."""
        left, top = spot(cell, (-self._left, -self._top))
        lines = self._lines
        for column, line, text in pieces:
            start = left + column
            lines[top + line][start : start + len(text)] = text

    def cropped(self) -> str:
        """The text without blanks around it."""
        lines = [line.decode().rstrip() for line in self._lines]
        filled = [number for number, line in enumerate(lines) if line]
        if not filled:
            return ""
        lines = lines[filled[0] : filled[-1] + 1]
        margin = min(len(line) - len(line.lstrip()) for line in lines if line)
        return "\n".join(line[margin:] for line in lines)


@lru_cache(maxsize=64)
def _rim(filled: tuple[bool, ...]) -> tuple[Piece, ...]:
    """The marks around the cell (0, 0), by which of its neighbours hold tiles, clockwise from n."""
    edges = [_piece(within, mark) for (mark, within), beside in zip(EDGES, filled, strict=True) if not beside]
    points = [
        _piece(within, _point_mark(own, [mark for which, mark in others if not filled[which]]))
        for own, within, others in POINTS
    ]
    return (*edges, *points)


def _point_mark(own: str, empty: Sequence[str]) -> str:
    """The mark of a white point: a lone tile's own, else that of the empty cell, if there is one."""
    if len(empty) > 1:
        return own
    return empty[0] if empty else INSIDE_MARK


def _runs(shown: Mapping[Spot, str]) -> Iterator[Piece]:
    """Characters as pieces, those side by side as one."""
    spots = sorted(shown, key=lambda at: (at[1], at[0]))
    for _, run in groupby(enumerate(spots), key=lambda numbered: (numbered[1][1], numbered[1][0] - numbered[0])):
        side_by_side = [at for _, at in run]
        yield _piece(side_by_side[0], "".join(shown[at] for at in side_by_side))


def _numbered(state: State) -> list[str]:
    drawn = draw({Cell(0, 0): state}).splitlines()
    margins = ["   ", "   ", f"{state.number:2} ", "   ", "   "]
    return [f"{margin}{line:10}" for margin, line in zip(margins, drawn, strict=True)]
