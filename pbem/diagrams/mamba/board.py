"""The parts of a picture of a board: the table as a viewer sees it, and the contents of each cell.

Lengths are measured by the side of a cell; x goes to the right, y down. The middle of the board is (0, 0), and what
is drawn of a cell lies around the cell's own middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pbem.diagrams import XY, Area, Curve, Element, Stroke, Text, polygon, rounded
from pbem.diagrams.mamba import Picture, inks
from pbem.diagrams.mamba.snakes import piece
from pbem.games.mamba.squares import EMPTY, MARKS, Cell, Mark, grid

EDGES = ("bottom", "left", "top", "right")
"""Clockwise."""

MARGIN = 0.92
"""Around the cells, for coordinates and for the players."""

COORDINATES_OUT, SEATS_OUT = 0.27, 0.68
"""The distances from the cells."""

SEAT_LENGTH, SEAT_BREADTH = 3, 0.34

RING_SIDE, RING_CORNER = 0.86, 0.1

CROSS = 0.13
"""The length of a cross's arms to each side."""


class Face(NamedTuple):
    """All that tells one cell from another."""

    mark: Mark
    """Of the piece; `EMPTY` if there is none."""
    facing: int
    """Quarter turns clockwise from the bottom to its owner's side, as the viewer sees it."""
    changed: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A board with its players, seen from one side."""

    size: int
    edges: tuple[str, ...]
    """As of a `Picture`."""
    quarters: int
    """Quarter turns clockwise from the bottom to the viewer's side; the board is turned the other way by as many."""
    gone: tuple[Mark, ...] = ()
    """The players without pieces."""

    def middle(self, cell: Cell) -> XY:
        """The centre of a cell."""
        row, column = divmod(cell, self.size)
        half = (self.size - 1) / 2
        return XY(column - half, half - row).turned(-self.quarters)

    def facing(self, mark: Mark) -> int:
        """Quarter turns clockwise from the bottom to a player's side, as the viewer sees it."""
        return (EDGES.index(self.edges[MARKS.index(mark)]) - self.quarters) % len(EDGES)

    def face(self, mark: Mark, *, changed: bool) -> Face:
        """A cell with what stands there."""
        return Face(mark, 0 if mark == EMPTY else self.facing(mark), changed)

    @property
    def around(self) -> tuple[Element, ...]:
        """The paper, the frame of the board, its coordinates, and who sits where."""
        return (_paper(self.size), _frame(self.size), *self._coordinates(), *self._seats())

    def _coordinates(self) -> Iterator[Text]:
        columns, out = grid(self.size).columns, self.size / 2 + COORDINATES_OUT
        along = [place - (self.size - 1) / 2 for place in range(self.size)]
        for text, place in zip(columns, along, strict=True):
            yield from (self._coordinate(text, XY(place, beyond)) for beyond in (-out, out))
        for row, place in enumerate(reversed(along), start=1):
            yield from (self._coordinate(str(row), XY(beyond, place)) for beyond in (-out, out))

    def _coordinate(self, text: str, place: XY) -> Text:
        return Text("coordinate", place.turned(-self.quarters), text, inks.COORDINATE_SIZE, inks.COORDINATE)

    def _seats(self) -> Iterator[Element]:
        place = XY(0, self.size / 2 + SEATS_OUT)
        outline = rounded(place, SEAT_LENGTH, SEAT_BREADTH, SEAT_BREADTH / 2)
        for mark, _ in zip(MARKS, self.edges, strict=False):
            ink, facing = inks.INKS[mark], self.facing(mark)
            fill, letter = (inks.PAPER, ink.border) if mark in self.gone else (ink.body, ink.letter)
            yield Area("seat", outline, fill).turned(facing)
            yield Stroke("border", outline, ink.border, inks.BORDER_WIDTH).turned(facing)
            yield Text("mark", place, mark, inks.COORDINATE_SIZE, letter, bold=True).turned(facing)


def table(picture: Picture) -> Table:
    """The table of a picture."""
    edge = EDGES[0] if picture.viewer is None else picture.edges[picture.viewer]
    gone = tuple(mark for mark in MARKS[: len(picture.edges)] if mark not in picture.squares)
    return Table(picture.size, picture.edges, EDGES.index(edge), gone)


@cache
def elements(face: Face) -> tuple[Element, ...]:
    """The elements of a cell."""
    ground = Area("ground", _square(1), inks.CHANGED if face.changed else inks.GROUND)
    line = Stroke("line", _square(1), inks.LINE, inks.LINE_WIDTH)
    return (ground, line, *(_ring() if face.changed else ()), *_content(face))


def _square(side: float) -> tuple[Curve, ...]:
    half = side / 2
    return polygon(XY(-half, -half), XY(half, -half), XY(half, half), XY(-half, half))


def _paper(size: int) -> Area:
    return Area("paper", _square(size + 2 * MARGIN), inks.PAPER)


def _frame(size: int) -> Stroke:
    return Stroke("frame", _square(size), inks.FRAME, 2 * inks.FRAME_WIDTH)


def _content(face: Face) -> tuple[Element, ...]:
    if face.mark != EMPTY:
        return piece(face.mark, face.facing)
    return _cross() if face.changed else ()


def _ring() -> tuple[Element, ...]:
    return (Stroke("ring", rounded(XY(0, 0), RING_SIDE, RING_SIDE, RING_CORNER), inks.RING, inks.RING_WIDTH),)


def _cross() -> tuple[Element, ...]:
    arms = (Curve(XY(-CROSS, -CROSS), XY(CROSS, CROSS)), Curve(XY(-CROSS, CROSS), XY(CROSS, -CROSS)))
    return tuple(Stroke("cross", (arm,), inks.RING, inks.RING_WIDTH) for arm in arms)
