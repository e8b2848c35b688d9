"""Reading a drawing of hexagonal tiles back, with or without labels, wherever it stands on its lines.

The drawing is taken apart and drawn again: what does not come out the same is refused with its place. As
nothing tells where the cells begin, every one of the few ways to lay the grid over the text is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.diagrams.hextile.grids import TILE_LETTERS, Drawn, Fault, Grid, Tiles, grids
from pbem.diagrams.hextile.letters import draw, letters
from pbem.errors import Unreadable
from pbem.games.hextile import notation
from pbem.games.hextile.grid import Cell, reached_from, reading_order
from pbem.games.hextile.tiles import State, States

MOST_CHARACTERS = 4_000_000
"""With blanks: four hundred tiles in a slanting row, and a wide margin."""

MOST_DRAWN = 20_000
"""Without blanks: six hundred tiles and their labels."""

MOST_LETTERS = 8_000
"""Of tiles."""

FEW_LETTERS = 1_000
"""What has more and no whole tile among them is no damaged drawing."""

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
    """What a drawing shows; the first tile lies at (0, 0), or the first space if there are no tiles."""

    tiles: Mapping[Cell, State]
    """In reading order."""
    labels: Mapping[Cell, str]
    """What stands in spaces, as it is written: labels, marks of a writer's own, ``-`` for a null point."""

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
    """Where the drawing goes wrong under the grid under which it goes well for longest.

    So a missing line is told at its place, wherever the larger part of the drawing lies.
    """
    likely = sorted(matching, key=lambda match: -len(match[1]))[:MOST_GRIDS]
    found = [sorted(grid.faults(grid.nearest())) for grid, _ in likely]
    return max(found, key=lambda faults: (faults[0][:2], -len(faults)))[0]


def _fewest_faults(overlaid: Iterable[Grid]) -> Fault:
    """Where the drawing goes wrong under the grid that explains most of it, when no tile is whole."""
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
