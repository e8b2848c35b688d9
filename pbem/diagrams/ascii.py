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

from typing import TYPE_CHECKING, TypeAlias

from pbem.games.hextile.grid import NE, SE, Cell, W, cells_at, neighbours, white_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.games.hextile.tiles import State

Spot: TypeAlias = tuple[int, int]
"""A column and a line, within a cell or on the whole canvas."""

TIPS: dict[int, tuple[Spot, ...]] = {
    W: ((2, 1), (1, 2), (2, 2), (3, 2), (2, 3)),
    NE: ((6, 0), (7, 0), (7, 1), (8, 1)),
    SE: ((7, 3), (8, 3), (6, 4), (7, 4)),
}
"""Where a tip has its letters, by its corner."""

BRIDGES: dict[int, tuple[Spot, ...]] = {
    W: tuple((column, line) for line in range(5) for column in (6, 7)),
    NE: ((1, 2), (2, 2), (3, 2), (4, 2), (4, 3), (5, 3), (6, 3), (6, 4), (7, 4)),
    SE: ((1, 2), (2, 2), (3, 2), (4, 2), (4, 1), (5, 1), (6, 1), (6, 0), (7, 0)),
}
"""Where a bridge has its letters, by the corner it leaves to the tip."""

EDGES: tuple[tuple[str, Spot], ...] = (
    ("--", (4, 0)),
    ("\\", (8, 1)),
    ("/", (8, 3)),
    ("--", (4, 4)),
    ("\\", (2, 3)),
    ("/", (2, 1)),
)
"""The marks of the six edges, clockwise from n, and where they begin."""

POINTS: tuple[tuple[str, Spot], ...] = ((")", (9, 2)), ("`", (3, 4)), (".", (3, 0)))
"""The marks of the white points E, SW and NW, and where they stand."""

SEEN_FROM = ")`."
"""The mark of one white point for each of the three cells that meet there, in the order of `cells_at`."""

INSIDE_MARK = "."
"""The mark of a white point where three tiles meet."""

LABEL_SPOT: Spot = (5, 2)
"""Where the label of a space begins."""


STATES_A_ROW = 6
"""How many numbered states stand side by side in a mail of 78 columns."""


def draw(tiles: Mapping[Cell, State], labels: Mapping[Cell, str] | None = None) -> str:
    """Draw tiles, and spaces by their labels, cropped to what is drawn; no blanks at the ends of lines."""
    canvas = paint(tiles)
    for cell, label in (labels or {}).items():
        _write(canvas, label, spot(cell, LABEL_SPOT))
    return _crop(canvas)


def draw_states(states: Iterable[State]) -> str:
    """Draw each state alone behind its number, a few in a row, at most 78 columns wide."""
    blocks = [_numbered(state) for state in states]
    rows = [blocks[start : start + STATES_A_ROW] for start in range(0, len(blocks), STATES_A_ROW)]
    lines = ("\n".join("".join(parts).rstrip() for parts in zip(*row, strict=True)) for row in rows)
    return "\n\n".join(lines)


def paint(tiles: Mapping[Cell, State]) -> dict[Spot, str]:
    """The characters that show these tiles, blanks left out."""
    canvas: dict[Spot, str] = {}
    for cell in tiles:
        _write_rim(canvas, cell, tiles)
    for cell, state in tiles.items():
        _write_letters(canvas, cell, state)
    return canvas


def spot(cell: Cell, within: Spot) -> Spot:
    """Where a spot of a cell lies on the whole canvas."""
    return 6 * cell.q + within[0], 4 * cell.r + 2 * cell.q + within[1]


def _write_rim(canvas: dict[Spot, str], cell: Cell, tiles: Mapping[Cell, State]) -> None:
    for neighbour, (mark, within) in zip(neighbours(cell), EDGES, strict=True):
        if neighbour not in tiles:
            _write(canvas, mark, spot(cell, within))
    for point, (mark, within) in zip(white_points(cell), POINTS, strict=True):
        empty = [seen for other, seen in zip(cells_at(point), SEEN_FROM, strict=True) if other not in tiles]
        _write(canvas, _point_mark(mark, empty), spot(cell, within))


def _point_mark(own: str, empty: Sequence[str]) -> str:
    """The mark of a white point: a lone tile's own, else that of the empty cell, if there is one."""
    if len(empty) > 1:
        return own
    return empty[0] if empty else INSIDE_MARK


def _write_letters(canvas: dict[Spot, str], cell: Cell, state: State) -> None:
    for within in BRIDGES[state.tip_at]:
        canvas[spot(cell, within)] = state.bridge
    for within in TIPS[state.tip_at]:
        canvas[spot(cell, within)] = state.tip


def _numbered(state: State) -> list[str]:
    drawn = draw({Cell(0, 0): state}).splitlines()
    margins = ["   ", "   ", f"{state.number:2} ", "   ", "   "]
    return [f"{margin}{line:10}" for margin, line in zip(margins, drawn, strict=True)]


def _write(canvas: dict[Spot, str], text: str, at: Spot) -> None:
    for column, character in enumerate(text, start=at[0]):
        canvas[column, at[1]] = character


def _crop(canvas: Mapping[Spot, str]) -> str:
    if not canvas:
        return ""
    left, top = min(column for column, _ in canvas), min(line for _, line in canvas)
    lines: dict[int, dict[int, str]] = {}
    for (column, line), character in canvas.items():
        lines.setdefault(line - top, {})[column - left] = character
    return "\n".join(_join(lines.get(line, {})) for line in range(max(lines) + 1))


def _join(line: Mapping[int, str]) -> str:
    return "".join(line.get(column, " ") for column in range(max(line, default=-1) + 1))
