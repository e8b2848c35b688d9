"""Laying the grid of cells over a text, and holding tiles against what is drawn there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from pbem.diagrams.hextile.letters import BRIDGES, LABEL_SPOT, NULL_POINT, TIPS, Piece, Spot, letters, rim, spot
from pbem.games.hextile.grid import NE, SE, SHARED, Cell, W, neighbours
from pbem.games.hextile.notation import LETTERS
from pbem.games.hextile.tiles import UNDECIDED, State, States, decide

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
"""Where no tile of another cell has letters."""

CORE = {corner: INSIDE.intersection(TIPS[corner] + BRIDGES[corner]) for corner in (W, NE, SE)}
"""What of `INSIDE` has letters, by the corner of the tip."""


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
        """What stands in the middle of the spaces beside ``tiles``, as it is written; a null point is `NULL_POINT`."""
        found = ((cell, self._label(cell, decided)) for cell, decided in _spaces(tiles).items())
        return {cell: label for cell, label in found if label}

    def faults(self, tiles: Tiles) -> list[Fault]:
        """Where the drawing of ``tiles`` would differ from the text, labels of spaces apart."""
        expected = dict(self._painted(tiles))
        labelled = {at for cell, label in self.labels(tiles).items() for at in self._label_spots(cell, label)}
        return [
            Fault(at[1], at[0], self._drawn.get(at, " "), expected.get(at, " "))
            for at in (self._drawn.keys() | expected.keys()) - labelled
            if self._drawn.get(at) != expected.get(at)
        ]

    def at(self, cell: Cell, within: Spot) -> Spot:
        """Where a spot of a cell lies in the text."""
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
            for at, character in enumerate(text, start=right + column):
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
