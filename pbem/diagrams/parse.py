"""Reading a drawing of hexagonal tiles back, with or without labels, wherever it stands on its lines.

The drawing is taken apart and drawn again: what does not come out the same is refused with its place. As
nothing tells where the cells begin, every one of the few ways to lay the grid over the text is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pbem.diagrams.ascii import BRIDGES, LABEL_SPOT, TIPS, Spot, paint, spot
from pbem.errors import Unreadable
from pbem.games.hextile.grid import Cell, W, neighbours, reading_order
from pbem.games.hextile.notation import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.games.hextile.tiles import State

Tiles: TypeAlias = "dict[Cell, State]"
Drawn: TypeAlias = "Mapping[Spot, str]"
"""The characters of a text by column and line from 0, blanks left out."""

MOST_CHARACTERS = 200_000
MOST_LETTERS = 8_000
"""More than five hundred tiles have."""

LONGEST_LABEL = 3

LABEL_LETTERS = frozenset(LETTERS)

COLUMN_STEP, LINE_STEP, SLANT = 6, 4, 2
"""From a column of cells to the next, from a cell to the next below, and how far each column sinks."""

TILE_MARK = TIPS[W][3]
"""A spot that has a letter if and only if a tile lies in the cell."""


class UnreadableDrawing(Unreadable):
    """The text is no drawing of tiles that match; line and column count from 1."""

    def __init__(self, line: int, column: int, found: str) -> None:
        super().__init__(line=line, column=column, found=found)


class NothingDrawn(Unreadable):
    """There is no tile in the text."""


class DrawingTooLarge(Unreadable):
    """The text is longer than any drawing of a board is."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit=limit)


def read(text: str, states: Iterable[State]) -> Tiles:
    """The tiles of a drawing, in reading order; the first lies at (0, 0). Labels are passed over.

    Raises:
        UnreadableDrawing: something is drawn that these states do not make.
        NothingDrawn: there is no tile.
        DrawingTooLarge: the text is longer than any drawing of a board is.
    """
    if len(text) > MOST_CHARACTERS:
        raise DrawingTooLarge(MOST_CHARACTERS)
    drawn = {
        (column, line): character
        for line, characters in enumerate(text.splitlines())
        for column, character in enumerate(characters)
        if character != " "
    }
    letters = [at for at, character in drawn.items() if character in "ox"]
    if len(letters) > MOST_LETTERS:
        raise DrawingTooLarge(MOST_LETTERS)
    if not letters:
        raise NothingDrawn
    return _take_apart(drawn, letters, tuple(states))


def _take_apart(drawn: Drawn, letters: Iterable[Spot], states: tuple[State, ...]) -> Tiles:
    """The tiles of the grid under which the drawing comes out as it is."""
    wrong: dict[Spot, int] = {}
    grids = _grids(letters)
    for origin, cells in grids.items():
        tiles = _decode(drawn, origin, cells, states)
        wrong[origin] = len(_differences(drawn, origin, tiles))
        if not wrong[origin]:
            return _from_first(tiles)
    nearest = min(wrong, key=wrong.__getitem__)
    raise _first_fault(drawn, nearest, _guess(drawn, nearest, grids[nearest], states))


def _first_fault(drawn: Drawn, origin: Spot, meant: Tiles) -> UnreadableDrawing:
    faults = _differences(drawn, origin, meant)
    column, line = min(faults, key=lambda at: (at[1], at[0]))
    # what is cut off above or to the left is told at the rim
    return UnreadableDrawing(max(line, 0) + 1, max(column, 0) + 1, drawn.get((column, line), " "))


def _grids(letters: Iterable[Spot]) -> dict[Spot, list[Cell]]:
    """The ways to lay the grid, by the spot of the cell (0, 0), and the cells that may hold tiles then."""
    grids: dict[Spot, list[Cell]] = {}
    for column, line in letters:
        q, right = divmod(column - TILE_MARK[0], COLUMN_STEP)
        r, down = divmod(line - TILE_MARK[1] - SLANT * q, LINE_STEP)
        grids.setdefault((right, down), []).append(Cell(q, r))
    return grids


def _decode(drawn: Drawn, origin: Spot, cells: Iterable[Cell], states: Iterable[State]) -> Tiles:
    """The tiles that have every letter in its place."""
    return {cell: state for cell in cells for state in states if all(_matches(drawn, origin, cell, state))}


def _guess(drawn: Drawn, origin: Spot, cells: Iterable[Cell], states: Iterable[State]) -> Tiles:
    """The tiles that were most likely meant, where letters are wrong or missing."""
    return {cell: max(states, key=lambda state: sum(_matches(drawn, origin, cell, state))) for cell in cells}


def _matches(drawn: Drawn, origin: Spot, cell: Cell, state: State) -> Iterator[bool]:
    """For each letter of a tile, whether it stands in its place."""
    for within in BRIDGES[state.tip_at]:
        yield drawn.get(_at(origin, cell, within)) == state.bridge
    for within in TIPS[state.tip_at]:
        yield drawn.get(_at(origin, cell, within)) == state.tip


def _differences(drawn: Drawn, origin: Spot, tiles: Tiles) -> list[Spot]:
    """The spots that would be drawn otherwise, labels of spaces apart."""
    right, down = origin
    expected = {(column + right, line + down): mark for (column, line), mark in paint(tiles).items()}
    labels = {at for cell in _spaces(tiles) for at in _label(drawn, _at(origin, cell, LABEL_SPOT))}
    places = (drawn.keys() | expected.keys()) - labels
    return [at for at in places if drawn.get(at) != expected.get(at)]


def _spaces(tiles: Tiles) -> set[Cell]:
    return {beside for cell in tiles for beside in neighbours(cell) if beside not in tiles}


def _label(drawn: Drawn, start: Spot) -> list[Spot]:
    """The spots of the label that begins here, if there is one."""
    spots: list[Spot] = []
    for column in range(start[0], start[0] + LONGEST_LABEL):
        if drawn.get((column, start[1]), "").upper() not in LABEL_LETTERS:
            break
        spots.append((column, start[1]))
    return spots


def _at(origin: Spot, cell: Cell, within: Spot) -> Spot:
    column, line = spot(cell, within)
    return column + origin[0], line + origin[1]


def _from_first(tiles: Tiles) -> Tiles:
    cells = sorted(tiles, key=reading_order)
    first = cells[0]
    return {Cell(cell.q - first.q, cell.r - first.r): tiles[cell] for cell in cells}
