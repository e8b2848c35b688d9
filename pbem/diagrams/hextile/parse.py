"""Reading a drawing of hexagonal tiles back, with or without labels, wherever it stands on its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pbem.diagrams.hextile.letters import BRIDGES, LABEL_SPOT, NULL_POINT, TIPS, Piece, Spot, draw, letters, rim, spot
from pbem.errors import Unreadable
from pbem.games.hextile import notation
from pbem.games.hextile.grid import (
    NE,
    SE,
    SHARED,
    UNDECIDED,
    Cell,
    State,
    States,
    W,
    decide,
    neighbours,
    reached_from,
    reading_order,
)
from pbem.games.hextile.notation import LETTERS

Tiles: TypeAlias = "dict[Cell, State]"

Drawn: TypeAlias = "Mapping[Spot, str]"
"""The characters of a text by column and line from 0, blanks left out."""

TILE_LETTERS = "ox"

LONGEST_LABEL = 3
LABEL_LETTERS = frozenset(LETTERS + LETTERS.lower())

NULL_MARKS = frozenset(NULL_POINT + "X")
"""Ours and that of Cameron Browne's pictures."""

COLUMN_CHARACTERS, ROW_LINES, SLANT_LINES = 6, 4, 2
"""From a column of cells to the next, from a cell to the next below, and how far each column sinks."""

TILE_MARKS: tuple[Spot, Spot] = ((3, 2), (2, 2))
"""Spots where every tile has a letter, and no tile of another cell has one."""

INSIDE = frozenset(
    {(4, 1), (5, 1), (6, 1), (7, 1), (2, 2), (3, 2), (4, 2), (6, 2), (7, 2), (4, 3), (5, 3), (6, 3), (7, 3)}
)
"""The spots on which no tile of another cell has letters."""

CORE = {corner: INSIDE.intersection(TIPS[corner] + BRIDGES[corner]) for corner in (W, NE, SE)}
"""The part of `INSIDE` that has letters, by the corner of the tip."""


class Fault(NamedTuple):
    """A spot where something else is drawn than should be; faults sort in the order of reading."""

    line: int
    column: int
    found: str
    expected: str


class Grid:
    """One way to lay the grid over a text.

    Args:
        drawn: the text.
        origin: the spot of the left upper end of the cell (0, 0).
        states: those of the game.
    """

    def __init__(self, drawn: Drawn, origin: Spot, states: States) -> None:
        self._drawn, self._states = drawn, states
        self._right, self._down = origin
        self._cells: dict[Cell, None] = {}

    def suspect(self, cell: Cell) -> None:
        """Note that a tile may lie in a cell."""
        self._cells[cell] = None

    def tiles(self) -> Tiles:
        """The tiles that have every letter in its place."""
        return {cell: state for cell in self._cells for state in self._states if all(self._matches(cell, state))}

    def nearest(self) -> Tiles:
        """The tiles that were most likely meant, where letters are wrong or missing."""
        likely = ((cell, self._likeliest(cell)) for cell in self._cells)
        return {cell: state for cell, state in likely if state is not None}

    def labels(self, tiles: Tiles) -> dict[Cell, str]:
        """The text in the middle of the spaces beside ``tiles``; a null point is `NULL_POINT`."""
        found = ((cell, self._label(cell, decided)) for cell, decided in _spaces(tiles).items())
        return {cell: label for cell, label in found if label}

    def faults(self, tiles: Tiles) -> list[Fault]:
        """The places at which a drawing of ``tiles`` would differ from the text, apart from labels of spaces."""
        expected = dict(self._painted(tiles))
        labelled = {at for cell, label in self.labels(tiles).items() for at in self._label_spots(cell, label)}
        return [
            Fault(at[1], at[0], self._drawn.get(at, " "), expected.get(at, " "))
            for at in (self._drawn.keys() | expected.keys()) - labelled
            if self._drawn.get(at) != expected.get(at)
        ]

    def at(self, cell: Cell, within: Spot) -> Spot:
        """A spot of a cell as a spot in the text."""
        column, line = spot(cell, within)
        return column + self._right, line + self._down

    def _matches(self, cell: Cell, state: State) -> Iterator[bool]:
        """For each letter of a tile, whether it stands in its place."""
        drawn = self._drawn
        for at, character in self._spelled(cell, letters(state)):
            yield drawn.get(at) == character

    def _likeliest(self, cell: Cell) -> State | None:
        """The state that has most of its letters, if more than half of those inside the cell are there."""
        filled = {within for within in INSIDE if self._drawn.get(self.at(cell, within), " ") in TILE_LETTERS}
        tips = [tip_at for tip_at, core in CORE.items() if 2 * len(core & filled) > len(core)]
        turned = [state for state in self._states if state.tip_at in tips]
        return max(turned, key=lambda state: sum(self._matches(cell, state)), default=None)

    def _label(self, cell: Cell, decided: str) -> str:
        """The label in the middle of a space, or "" if there is none that may stand there."""
        column, line = self.at(cell, LABEL_SPOT)
        text = "".join(self._drawn.get((column + offset, line), " ") for offset in range(LONGEST_LABEL))
        if text[0] in NULL_MARKS:
            return "" if self._states.fitting(decided) else NULL_POINT
        end = next((at for at, letter in enumerate(text) if letter not in LABEL_LETTERS), len(text))
        return text[:end]

    def _label_spots(self, cell: Cell, label: str) -> list[Spot]:
        column, line = self.at(cell, LABEL_SPOT)
        return [(column + offset, line) for offset in range(len(label))]

    def _painted(self, tiles: Tiles) -> Iterator[tuple[Spot, str]]:
        """The characters of the drawing of ``tiles``; later ones go over earlier ones."""
        for cell in tiles:
            yield from self._spelled(cell, rim(cell, tiles))
        for cell, state in tiles.items():
            yield from self._spelled(cell, letters(state))

    def _spelled(self, cell: Cell, pieces: Iterable[Piece]) -> Iterator[tuple[Spot, str]]:
        right, down = self.at(cell, (0, 0))
        for column, line, text in pieces:
            for at, character in enumerate(text.decode(), start=right + column):
                yield (at, down + line), character


def grids(drawn: Drawn, states: States) -> list[Grid]:
    """The ways to lay the grid so that some letter may belong to a tile."""
    found: dict[Spot, Grid] = {}
    for at, character in drawn.items():
        for mark in TILE_MARKS if character in TILE_LETTERS else ():
            cell, origin = _cell_at(at, mark)
            found.setdefault(origin, Grid(drawn, origin, states)).suspect(cell)
    return list(found.values())


def _cell_at(at: Spot, within: Spot) -> tuple[Cell, Spot]:
    """The cell that has this spot there, and the origin of the grid in which it has."""
    q, right = divmod(at[0] - within[0], COLUMN_CHARACTERS)
    r, down = divmod(at[1] - within[1] - SLANT_LINES * q, ROW_LINES)
    return Cell(q, r), (right, down)


def _spaces(tiles: Tiles) -> dict[Cell, str]:
    """The empty cells beside tiles, and what these decide of their corners."""
    spaces: dict[Cell, str] = {}
    for cell, state in tiles.items():
        for beside, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True):
            if beside not in tiles:
                decided = spaces.get(beside, UNDECIDED * 3)
                spaces[beside] = decide(decided, theirs, state.colours[ours])
    return spaces


MOST_CHARACTERS = 4_000_000
"""With blanks: four hundred tiles in a slanting row, and a wide margin."""

MOST_DRAWN = 20_000
"""Without blanks: six hundred tiles and their labels."""

MOST_LETTERS = 8_000
"""Of tiles."""

FEW_LETTERS = 1_000
"""A text with more letters and no whole tile among them is not a damaged drawing."""

MOST_GRIDS = 3
"""That are looked at closely to tell a fault."""

FIRST_LABEL = notation.label(0)

_FILLED = re.compile("[^ ]+")


class UnreadableDrawing(Unreadable):
    """The text is no drawing of tiles that match; line and column count from 1."""

    line: int
    column: int
    found: str
    expected: str = " "


class TilesApart(Unreadable):
    """A tile does not lie together with the first; line and column are those of its first letter."""

    line: int
    column: int


class NothingDrawn(Unreadable):
    """There is no tile in the text."""


class DrawingTooLarge(Unreadable):
    """The text is longer than any drawing of a board is."""

    limit: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The contents of a drawing; the first tile is at (0, 0), or the first space if there are no tiles."""

    tiles: Mapping[Cell, State]
    """In reading order."""
    labels: Mapping[Cell, str]
    """The text in spaces: labels, a writer's own marks, ``-`` for a null point."""

    def __str__(self) -> str:
        return draw(self.tiles, self.labels)


def read(text: str, states: States) -> Tiles:
    """The tiles of a drawing, in reading order; the first lies at (0, 0). Labels are passed over.

    Raises:
        Unreadable: as for `read_drawing`.
    """
    return dict(read_drawing(text, states).tiles)


def read_drawing(text: str, states: States) -> Drawing:
    """All that a drawing shows. The label of the first space alone is an empty table.

    Raises:
        UnreadableDrawing: something is drawn that these states do not make, or a null point where a state fits.
        TilesApart: a tile does not lie together with the first.
        NothingDrawn: there is no tile.
        DrawingTooLarge: the text is longer than any drawing of a board is.
    """
    drawn = _characters(text)
    if [*drawn.values()] in ([FIRST_LABEL], [FIRST_LABEL.lower()]):
        return Drawing({}, {Cell(0, 0): FIRST_LABEL})
    letters_drawn = _count_letters(drawn)
    overlaid = grids(drawn, states)
    matching = [(grid, tiles) for grid in overlaid if (tiles := grid.tiles())]
    for grid, tiles in matching:
        if not grid.faults(tiles):
            _check_together(grid, tiles)
            return _from_first(tiles, grid.labels(tiles))
    if not matching and letters_drawn > FEW_LETTERS:
        raise NothingDrawn
    raise _refusal(_latest_fault(matching) if matching else _fewest_faults(overlaid))


def _characters(text: str) -> Drawn:
    """Every character that is no blank, by its place; a tab leads to the next eighth column."""
    if len(text) > MOST_CHARACTERS:
        raise DrawingTooLarge(MOST_CHARACTERS)
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    drawn: dict[tuple[int, int], str] = {}
    for line, characters in enumerate(plain.split("\n")):
        for filled in _FILLED.finditer(characters.expandtabs()) if characters else ():
            drawn.update(((column, line), character) for column, character in enumerate(filled[0], filled.start()))
        if len(drawn) > MOST_DRAWN:
            raise DrawingTooLarge(MOST_DRAWN)
    return drawn


def _count_letters(drawn: Drawn) -> int:
    letters_drawn = sum(character in TILE_LETTERS for character in drawn.values())
    if not letters_drawn:
        raise NothingDrawn
    if letters_drawn > MOST_LETTERS:
        raise DrawingTooLarge(MOST_LETTERS)
    return letters_drawn


def _refusal(fault: Fault) -> UnreadableDrawing:
    # what is cut off above or to the left is told at the rim
    return UnreadableDrawing(max(fault.line, 0) + 1, max(fault.column, 0) + 1, fault.found, fault.expected)


def _latest_fault(matching: Iterable[tuple[Grid, Tiles]]) -> Fault:
    """The first fault of the drawing under the grid that fits it longest.

    So a missing line is reported at its place, wherever the larger part of the drawing is.
    """
    likely = sorted(matching, key=lambda match: -len(match[1]))[:MOST_GRIDS]
    found = [sorted(grid.faults(grid.nearest())) for grid, _ in likely]
    return max(found, key=lambda faults: (faults[0][:2], -len(faults)))[0]


def _fewest_faults(overlaid: Iterable[Grid]) -> Fault:
    """The first fault of the drawing under the grid that explains most of it, if no tile is whole."""
    found = [sorted(grid.faults(grid.nearest())) for grid in overlaid]
    return min(found, key=lambda faults: (len(faults), faults[0]))[0]


def _check_together(grid: Grid, tiles: Tiles) -> None:
    cells = sorted(tiles, key=reading_order)
    reached = reached_from(cells[0], tiles)
    apart = (grid.at(cell, letters(tiles[cell])[0][:2]) for cell in cells if cell not in reached)
    first = min(((line, column) for column, line in apart), default=None)
    if first is not None:
        raise TilesApart(first[0] + 1, first[1] + 1)


def _from_first(tiles: Tiles, labels: Mapping[Cell, str]) -> Drawing:
    first = min(tiles, key=reading_order)
    moved = {cell: Cell(cell.q - first.q, cell.r - first.r) for cell in sorted({**tiles, **labels}, key=reading_order)}
    return Drawing(
        {to: tiles[cell] for cell, to in moved.items() if cell in tiles},
        {to: labels[cell] for cell, to in moved.items() if cell in labels},
    )
