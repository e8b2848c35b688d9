"""Pictures of positions as SVG, for pages.

Everything is drawn by presentation attributes, so a picture looks right alone and under the strictest content
policy, while any rule of a page's style sheet goes before them. Groups have the classes ``tile``, ``space``,
``null-point``, ``last`` and ``automatic``, and tell by ``data-q``, ``data-r``, ``data-state`` and ``data-label`` what
they show; in them are ``face``, ``bridge``, ``tip``, ``border``, ``inlay`` (these also ``o`` or ``x``), ``rim``,
``outline``, ``label``, ``bar``, ``halo``, ``ring`` and ``inner``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pbem.diagrams import inks, ribbons
from pbem.diagrams.paths import number, pair, path
from pbem.diagrams.picture import COLUMN_STEP, HALF_HEIGHT
from pbem.games.hextile.grid import half_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.diagrams.curves import Curve
    from pbem.diagrams.picture import Picture
    from pbem.diagrams.ribbons import Shape
    from pbem.games.hextile.grid import Cell
    from pbem.games.hextile.tiles import Colour

SIDE = 40
"""The side of a hexagon, in units of the drawing."""

MARGIN = 4


def draw(picture: Picture) -> str:
    """A drawing that stands alone or within a page."""
    return "\n".join((_opening(picture), *_lines(picture), "</svg>\n"))


def _lines(picture: Picture) -> Iterator[str]:
    if picture.title:
        yield f"<title>{escape(picture.title)}</title>"
    for cell in picture.blocked:
        yield f'<g class="null-point"{_place(cell)}>{_null_point()}</g>'
    for cell, label in picture.labels.items():
        yield f'<g class="space" data-label={quoteattr(label)}{_place(cell)}>{_space(label)}</g>'
    for cell, state in picture.tiles.items():
        art = _tile(state.bridge, state.tip, state.tip_at, picture.dark)
        yield f'<g class="tile" data-state="{state.number}"{_place(cell)}>{art}</g>'
    for kind, cells in (("last", picture.last), ("automatic", picture.automatic)):
        for cell in cells:
            yield f'<g class="{kind}"{_place(cell)}>{_mark(kind)}</g>'


def _opening(picture: Picture) -> str:
    left, right, top, bottom = picture.extent
    width = (COLUMN_STEP * (right - left) + 2) * SIDE + 2 * MARGIN
    height = HALF_HEIGHT * (bottom - top + 2) * SIDE + 2 * MARGIN
    x = (COLUMN_STEP * left - 1) * SIDE - MARGIN
    y = HALF_HEIGHT * (top - 1) * SIDE - MARGIN
    box = " ".join(map(number, (x, y, width, height)))
    role = ' role="img"' if picture.title else ""  # what is an image must have a name
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hextile"{role} viewBox="{box}" '
        f'width="{number(width)}" height="{number(height)}" stroke-linejoin="round" '
        'text-anchor="middle" font-family="sans-serif">'
    )


def _place(cell: Cell) -> str:
    x, y = COLUMN_STEP * SIDE * cell.q, HALF_HEIGHT * SIDE * half_row(cell)
    return f' data-q="{cell.q}" data-r="{cell.r}" transform="translate({number(x)} {number(y)})"'


@cache
def _tile(bridge: Colour, tip: Colour, tip_at: int, dark: bool) -> str:
    face = f'<path class="face" d="{_hexagon()}" fill="{inks.FACE}"/>'
    shapes = (
        _shape("bridge", bridge, ribbons.bridge(tip_at), dark=dark),
        _shape("tip", tip, ribbons.tip(tip_at), dark=dark),
    )
    rim = f'<path class="rim" d="{_hexagon()}" fill="none" stroke="{inks.RIM}"{_width(inks.RIM_WIDTH)}/>'
    return "".join((face, *shapes, rim))


def _shape(name: str, colour: Colour, shape: Shape, *, dark: bool) -> str:
    ink = inks.ink(colour, dark=dark)
    fill = f'<path class="{name} {colour}" d="{path(shape.outline, SIDE)}" fill="{ink.fill}"/>'
    border = _strokes("border", colour, shape.borders, ink.border, inks.BORDER_WIDTH)
    inlay = _strokes("inlay", colour, shape.inlay, ink.inlay, inks.INLAY_WIDTH) if ink.inlay else ""
    return fill + border + inlay


def _strokes(name: str, colour: Colour, curves: Iterable[Curve], stroke: str, width: float) -> str:
    drawn = "".join(path((curve,), SIDE) for curve in curves)
    return f'<path class="{name} {colour}" d="{drawn}" fill="none" stroke="{stroke}"{_width(width)}/>'


@cache
def _space(label: str) -> str:
    size = number(inks.label_size(label) * SIDE)
    outline = _outline("none", ' pointer-events="all"')  # so that the whole space can be clicked
    return f'{outline}<text class="label" y=".36em" font-size="{size}" fill="{inks.LABEL}">{escape(label)}</text>'


@cache
def _null_point() -> str:
    half = number(inks.BAR_LENGTH / 2 * SIDE)
    bar = f'<path class="bar" d="M-{half} 0H{half}" stroke="{inks.BLOCKED_MARK}"{_width(inks.BAR_WIDTH)}/>'
    return _outline(inks.BLOCKED) + bar


def _outline(fill: str, more: str = "") -> str:
    return f'<path class="outline" d="{_hexagon()}" fill="{fill}" stroke="{inks.SPACE}"{_width(inks.RIM_WIDTH)}{more}/>'


@cache
def _mark(kind: str) -> str:
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
