"""Pictures of positions as SVG, for pages.

Everything is drawn by presentation attributes, so a picture looks right alone and under the strictest content
policy, while any rule of a page's style sheet goes before them. Groups have the classes ``tile``, ``space``,
``null-point``, ``last`` and ``automatic``, and tell by ``data-q``, ``data-r``, ``data-state`` and ``data-label`` what
they show; in them are ``face``, ``bridge``, ``tip``, ``border``, ``inlay`` (these also ``o`` or ``x``), ``rim``,
``outline``, ``edge``, ``label``, ``bar``, ``halo``, ``ring`` and ``inner``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from pbem.diagrams import XY, Curve, number, pair, path
from pbem.diagrams.hextile import COLUMN_STEP, HALF_HEIGHT, Picture, inks, ribbons
from pbem.diagrams.hextile.ribbons import Shape
from pbem.diagrams.replay import animated
from pbem.games.hextile.grid import Cell, Colour, State, half_row

SIDE = 40
"""The side of a hexagon, in units of the drawing."""

MARGIN = 4


def draw(picture: Picture, least_rows: int = 1) -> str:
    """A drawing that stands alone or within a page, at least so many tiles high."""
    return "\n".join((_opening(picture, least_rows), *_lines(picture), "</svg>\n"))


def draw_replay(pictures: Sequence[Picture], lit: Collection[Cell] = (), least_rows: int = 1) -> str:
    """A game that plays by itself: its positions in their order, all at the scale of the last one.

    Args:
        pictures: the positions; their labels are not drawn.
        lit: the cells of tiles that have decided the game.
        least_rows: the least height of the drawing, in tiles.
    """
    last = pictures[-1]
    frames: list[dict[Cell | None, str]] = [
        {
            cell: f"<g{place(cell)}>{_tile(state.bridge, state.tip, state.tip_at, last.dark)}</g>"
            for cell, state in picture.tiles.items()
        }
        for picture in pictures
    ]
    frames[-1][None] = edge(last.tiles)
    return "\n".join((_opening(last, least_rows), animated(frames, lit and (*lit, None)), "</svg>\n"))


def _lines(picture: Picture) -> Iterator[str]:
    if picture.title:
        yield f"<title>{escape(picture.title)}</title>"
    for cell in picture.blocked:
        yield f'<g class="null-point"{place(cell)}>{null_point()}</g>'
    for cell, text in picture.labels.items():
        yield f'<g class="space" data-label={quoteattr(text)}{place(cell)}>{_space(text)}</g>'
    for cell, state in picture.tiles.items():
        art = _tile(state.bridge, state.tip, state.tip_at, picture.dark)
        yield f'<g class="tile" data-state="{state.number}"{place(cell)}>{art}</g>'
    yield edge(picture.tiles)
    for kind, cells in (("last", picture.last), ("automatic", picture.automatic)):
        for cell in cells:
            yield f'<g class="{kind}"{place(cell)}>{mark(kind)}</g>'


def box(picture: Picture) -> tuple[float, float, float, float]:
    """The area of a drawing, in its units: left, top, width, height."""
    left, right, top, bottom = picture.extent
    width = (COLUMN_STEP * (right - left) + 2) * SIDE + 2 * MARGIN
    height = HALF_HEIGHT * (bottom - top + 2) * SIDE + 2 * MARGIN
    return (COLUMN_STEP * left - 1) * SIDE - MARGIN, HALF_HEIGHT * (top - 1) * SIDE - MARGIN, width, height


def _opening(picture: Picture, least_rows: int) -> str:
    x, y, width, height = box(picture)
    more = max(0, 2 * HALF_HEIGHT * SIDE * least_rows - height)
    y, height = y - more / 2, height + more
    covered = " ".join(map(number, (x, y, width, height)))
    role = ' role="img"' if picture.title else ""  # what is an image must have a name
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hextile"{role} viewBox="{covered}" '
        f'width="{number(width)}" height="{number(height)}" stroke-linejoin="round" '
        'text-anchor="middle" font-family="sans-serif">'
    )


def middle(cell: Cell) -> XY:
    """The middle of a cell, in units of the drawing."""
    return XY(COLUMN_STEP * SIDE * cell.q, HALF_HEIGHT * SIDE * half_row(cell))


def place(cell: Cell) -> str:
    """The attributes that put what is drawn around (0, 0) into a cell."""
    x, y = middle(cell)
    return f' data-q="{cell.q}" data-r="{cell.r}" transform="translate({number(x)} {number(y)})"'


@cache
def _tile(bridge: Colour, tip: Colour, tip_at: int, dark: bool) -> str:
    drawn = (markup(*each, dark=dark) for each in _shapes(bridge, tip, tip_at))
    return "".join((face(), rim(), *drawn))


def shapes(state: State) -> tuple[tuple[str, Colour, Shape], ...]:
    """The shapes of a tile, in the order of drawing: name, colour and outline of each."""
    return _shapes(state.bridge, state.tip, state.tip_at)


def _shapes(bridge: Colour, tip: Colour, tip_at: int) -> tuple[tuple[str, Colour, Shape], ...]:
    return ("bridge", bridge, ribbons.bridge(tip_at)), ("tip", tip, ribbons.tip(tip_at))


def markup(name: str, colour: Colour, shape: Shape, *, dark: bool) -> str:
    """A bridge or a tip."""
    ink = inks.ink(colour, dark=dark)
    fill = f'<path class="{name} {colour}" d="{path(shape.overlapping, SIDE)}" fill="{ink.fill}"/>'
    border = _strokes("border", colour, shape.borders, ink.border, inks.BORDER_WIDTH)
    inlay = _strokes("inlay", colour, shape.inlay, ink.inlay, inks.INLAY_WIDTH) if ink.inlay else ""
    return fill + border + inlay


def face() -> str:
    """The white of a tile."""
    return f'<path class="face" d="{_hexagon()}" fill="{inks.FACE}"/>'


def rim() -> str:
    """The outline of a tile."""
    return f'<path class="rim" d="{_hexagon()}" fill="none" stroke="{inks.RIM}"{_width(inks.RIM_WIDTH)}/>'


def edge(cells: Collection[Cell]) -> str:
    """The outline of all tiles together, over the ends of their ribbons, which may be as dark as the ground."""
    drawn = "".join(map(_loop, ribbons.outline(cells)))
    if not drawn:
        return ""
    scale = f'transform="scale({number(SIDE / 2)} {number(HALF_HEIGHT * SIDE)})"'
    style = f'fill="none" stroke="{inks.EDGE}" vector-effect="non-scaling-stroke" pointer-events="none"'
    return f'<path class="outline edge" {scale} d="{drawn}" {style}/>'


def _loop(corners: Sequence[tuple[int, int]]) -> str:
    """A path around these corners."""
    (left, top), *_ = corners
    steps = (f"{to[0] - here[0]} {to[1] - here[1]}" for here, to in pairwise(corners))
    return f"M{left} {top}l{' '.join(steps)}z".replace(" -", "-")


def _strokes(name: str, colour: Colour, curves: Iterable[Curve], stroke: str, width: float) -> str:
    drawn = "".join(path((curve,), SIDE) for curve in curves)
    return f'<path class="{name} {colour}" d="{drawn}" fill="none" stroke="{stroke}"{_width(width)}/>'


@cache
def _space(text: str) -> str:
    return outline("none") + label(text)


def label(text: str) -> str:
    """The label of a space."""
    size = number(inks.label_size(text) * SIDE)
    return f'<text class="label" y=".36em" font-size="{size}" fill="{inks.LABEL}">{escape(text)}</text>'


@cache
def null_point() -> str:
    """A space where nothing fits."""
    half = number(inks.BAR_LENGTH / 2 * SIDE)
    bar = f'<path class="bar" d="M-{half} 0H{half}" stroke="{inks.BLOCKED_MARK}"{_width(inks.BAR_WIDTH)}/>'
    return outline(inks.BLOCKED) + bar


def outline(fill: str) -> str:
    """The outline of a space; all within can be clicked."""
    more = ' pointer-events="all"' if fill == "none" else ""
    return f'<path class="outline" d="{_hexagon()}" fill="{fill}" stroke="{inks.SPACE}"{_width(inks.RIM_WIDTH)}{more}/>'


@cache
def mark(kind: str) -> str:
    """A dot with a white edge, or only a ring where no player laid the tile."""
    inner = inks.MARK if kind == "last" else inks.HALO
    fills = zip(("halo", "ring", "inner"), inks.MARK_RADII, (inks.HALO, inks.MARK, inner), strict=True)
    return "".join(
        f'<circle class="{name}" r="{number(radius * SIDE)}" fill="{fill}"/>' for name, radius, fill in fills
    )


@cache
def _hexagon() -> str:
    return "M" + "L".join(pair(place, SIDE) for place in ribbons.RIM) + "Z"


def _width(width: float) -> str:
    return f' stroke-width="{number(width * SIDE)}"'
