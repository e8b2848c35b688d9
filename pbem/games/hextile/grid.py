"""The plane of hexagons, and the states in which a tile can lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import NamedTuple


class Cell(NamedTuple):
    """A hexagon of the plane, by axial coordinates."""

    q: int
    r: int


class Point(NamedTuple):
    """The meeting of three cells: the W corner of the cell ``(q, r)``, or its E point if ``white``."""

    q: int
    r: int
    white: bool


DIRECTIONS: dict[str, Cell] = {
    "n": Cell(0, -1),
    "ne": Cell(1, -1),
    "se": Cell(1, 0),
    "s": Cell(0, 1),
    "sw": Cell(-1, 1),
    "nw": Cell(-1, 0),
}
"""The way to each of the six neighbours, clockwise from the top."""

W, NE, SE = range(3)
"""The corners of a cell, as indices."""

SHARED = ((NE, SE), (NE, W), (SE, W), (SE, NE), (W, NE), (W, SE))
"""For each direction, clockwise from n: the one corner a cell has in common with its neighbour there,
as it is called in the cell and as it is called in the neighbour."""

ENOUGH = 4096
"""Cells remembered by the caches below: more than all boards under way touch together."""


@lru_cache(maxsize=ENOUGH)
def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The six cells around ``cell``, clockwise from n."""
    return tuple(towards(cell, direction) for direction in DIRECTIONS)


def towards(cell: Cell, direction: str) -> Cell:
    """The neighbour of ``cell`` in one of `DIRECTIONS`."""
    way = DIRECTIONS[direction]
    return Cell(cell.q + way.q, cell.r + way.r)


def reached_from(start: Cell, cells: Iterable[Cell]) -> set[Cell]:
    """``start``, and those of ``cells`` to which a way leads from it through neighbours that are among them."""
    apart, reached, to_visit = set(cells), {start}, [start]
    while to_visit:
        found = apart.intersection(neighbours(to_visit.pop()))
        apart -= found
        reached |= found
        to_visit.extend(found)
    return reached


@lru_cache(maxsize=ENOUGH)
def corners(cell: Cell) -> tuple[Point, Point, Point]:
    """The coloured points of ``cell``: W, NE, SE."""
    q, r = cell
    return Point(q, r, white=False), Point(q + 1, r - 1, white=False), Point(q + 1, r, white=False)


@lru_cache(maxsize=ENOUGH)
def white_points(cell: Cell) -> tuple[Point, Point, Point]:
    """The white points of ``cell``, each opposite the corner of the same index: E, SW, NW."""
    q, r = cell
    return Point(q, r, white=True), Point(q - 1, r + 1, white=True), Point(q - 1, r, white=True)


def beyond(point: Point) -> Point:
    """The point at the other end of the one level edge at ``point``.

    It lies to the left of a corner and to the right of a white point.
    """
    q, r, white = point
    return Point(q + 2, r - 1, white=False) if white else Point(q - 2, r + 1, white=True)


def half_row(cell: Cell) -> int:
    """The distance from the middle of (0, 0) down to that of ``cell``, in halves of a hexagon's height."""
    return 2 * cell.r + cell.q


def reading_order(cell: Cell) -> tuple[int, int]:
    """A key that sorts cells as they are drawn: top to bottom, then left to right."""
    return half_row(cell), cell.q


def place(point: Point) -> tuple[int, int]:
    """A key that sorts points as they are drawn: top to bottom, then left to right, in thirds of a column."""
    # a white point is the right end of its cell, a corner the left end, four thirds of a column apart
    return 2 * point.r + point.q, 3 * point.q + (4 if point.white else 0)


def cells_at(point: Point) -> tuple[Cell, Cell, Cell]:
    """The three cells that meet at ``point``."""
    q, r, white = point
    if white:
        return Cell(q, r), Cell(q + 1, r - 1), Cell(q + 1, r)
    return Cell(q, r), Cell(q - 1, r), Cell(q - 1, r + 1)


class Colour(StrEnum):
    """The colour of a region; corners are never white."""

    O = "o"  # noqa: E741  the name of the side, in the rules and in every drawing
    X = "x"
    WHITE = "white"


UNDECIDED = "."
"""Stands for a corner that no tile has coloured yet."""

DECIDED = tuple("".join(corners) for corners in product(UNDECIDED + "ox", repeat=3))
"""All that neighbours can decide of a space: the colours of W, NE and SE, a letter each."""

CORNER_NAMES = ("W", "NE", "SE")

ENDS = ((NE, SE), (W, SE), (W, NE))
"""The two corners that are not the tip's, by the index of the tip's corner."""


@dataclass(frozen=True, slots=True)
class State:
    """A face of a tile in one of its three rotations, by the number that players type."""

    number: int
    bridge: Colour
    tip: Colour
    tip_at: int
    """The index of the tip's corner: W, NE or SE."""
    kind: str
    """Which tiles of the supply have this face."""
    colours: tuple[Colour, ...] = field(init=False, repr=False, compare=False)
    """The colours of the corners W, NE and SE."""
    shown: frozenset[Colour] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shown = tuple(self.tip if corner == self.tip_at else self.bridge for corner in (W, NE, SE))
        object.__setattr__(self, "colours", shown)
        object.__setattr__(self, "shown", frozenset(shown))

    @property
    def ends(self) -> tuple[int, int]:
        """The indices of the two corners that the bridge joins."""
        return ENDS[self.tip_at]


@dataclass(frozen=True, slots=True)
class States:
    """The states of one game, numbered from 1, and which of them fit where.

    ``faces`` are pairs of bridge and tip (``"ox"``), each with its kind, in the order of the numbers.
    """

    faces: tuple[tuple[str, str], ...]
    _numbered: tuple[State, ...] = field(init=False, repr=False, compare=False)
    _fitting: dict[str, tuple[State, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbered = tuple(_number(self.faces))
        fitting = {decided: tuple(s for s in numbered if fits(s, decided)) for decided in DECIDED}
        object.__setattr__(self, "_numbered", numbered)
        object.__setattr__(self, "_fitting", fitting)

    def __len__(self) -> int:
        return len(self._numbered)

    def __iter__(self) -> Iterator[State]:
        return iter(self._numbered)

    def __contains__(self, number: int) -> bool:
        return 1 <= number <= len(self._numbered)

    def __getitem__(self, number: int) -> State:
        return self._numbered[number - 1]

    @property
    def corner_colours(self) -> frozenset[Colour]:
        """The colours that corners can have."""
        return frozenset(colour for state in self for colour in state.colours)

    def fitting(self, decided: str) -> tuple[State, ...]:
        """The states that fit a space with these corners: W, NE, SE, a letter each, ``.`` if undecided."""
        return self._fitting[decided]


def decide(decided: str, corner: int, colour: str) -> str:
    """The corners of a space once one more is decided, or confirmed."""
    return decided[:corner] + colour + decided[corner + 1 :]


def fits(state: State, decided: str) -> bool:
    """Return True if every decided corner of a space has the state's colour there."""
    return all(there in (UNDECIDED, here) for here, there in zip(state.colours, decided, strict=True))


def _number(faces: Iterable[tuple[str, str]]) -> Iterator[State]:
    turned = ((face, kind, tip_at) for face, kind in faces for tip_at in (W, NE, SE))
    for number, (face, kind, tip_at) in enumerate(turned, start=1):
        bridge, tip = map(Colour, face)
        yield State(number, bridge, tip, tip_at, kind)
