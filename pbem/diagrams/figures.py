"""Figures as elements of pictures, and as SVG and PNG."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from PIL import Image

from pbem.diagrams import (
    XY,
    Area,
    Curve,
    Disc,
    Element,
    Link,
    Stroke,
    Text,
    length,
    markup,
    number,
    place,
    polygon,
    rounded,
)
from pbem.diagrams.png import Palette, Pen
from pbem.diagrams.replay import animated
from pbem.games.figure import ARROWS, At, Bar, Figure, Held, Piece, Spot

UNIT = 44
"""From a place to the next, in units of the drawing."""
MARGIN = 0.8
"""Around the outermost places and coordinates."""


class Ink(NamedTuple):
    """The colours of a side's pieces."""

    body: str
    border: str
    letter: str


PAPER, COORDINATE, GRID = "#ffffff", "#5e5650", "#8a7560"
GROUNDS = ("#f0e0c4", "#e4cda6")
CHANGED, WALL, SIGN = "#2f7d4f", "#6b5d50", "#0b4f9e"
"""The mark of the last turn, a piece of nobody, and the mark of what has been chosen or can be reached."""
INKS: Mapping[str, Ink] = {
    "black": Ink("#2b2724", "#000000", "#ffffff"),
    "white": Ink("#fffdf8", "#5e5650", "#2b2724"),
    "red": Ink("#c8402c", "#7d1f12", "#ffffff"),
    "blue": Ink("#2f6fb4", "#163f6d", "#ffffff"),
    "green": Ink("#3b8a4f", "#1d5230", "#ffffff"),
    "yellow": Ink("#e5b93c", "#8a6a10", "#2b2724"),
}
_MAN, _RIM, _RING, _BAR = 0.38, 0.05, 0.45, 0.12
_STAR = 0.07
_LETTER, _LETTERS = 0.5, 0.38
"""The heights of one letter, and of several, on a piece."""

PALETTE = Palette(
    (PAPER, COORDINATE),
    (PAPER, GRID, GROUNDS[0], GROUNDS[1]),
    (PAPER, GROUNDS[0]),
    (GROUNDS[0], CHANGED, GROUNDS[1]),
    (GROUNDS[0], WALL, GROUNDS[1]),
    *((GROUNDS[0], ink.border, ink.body, ink.letter) for ink in INKS.values()),
    *((PAPER, ink.border, ink.body, CHANGED) for ink in INKS.values()),
)


def _xy(at: At) -> XY:
    return XY(*at)


def ground(spot: Spot) -> Sequence[Element]:
    """A place without anything on it."""
    if not spot.outline:
        return (Disc("point", _xy(spot.at), _STAR, GRID),) if spot.shade else ()
    corners = polygon(*(XY(spot.at[0] + x, spot.at[1] + y) for x, y in spot.outline))
    return Area("ground", corners, GROUNDS[spot.shade]), Stroke("line", corners, GRID, 0.02)


def piece(drawn: Piece, at: At, colours: Sequence[str]) -> Sequence[Element]:
    """A piece on its place."""
    middle = _xy(at)
    if drawn.side < 0:
        corners = polygon(*(XY(middle.x + x * _MAN, middle.y + y * _MAN) for x, y in _CORNERS))
        return (Area("wall", corners, WALL),)
    ink = INKS[colours[drawn.side]]
    if drawn.kind in CHESSMEN:
        return tuple(_chessman(CHESSMEN[drawn.kind], middle, ink))
    if drawn.kind == "koma":
        return tuple(_koma(drawn, middle, ink))
    disc = Disc("border", middle, _MAN + _RIM / 2, ink.border), Disc("body", middle, _MAN - _RIM / 2, ink.body)
    if drawn.kind == "man":
        return disc
    size = _LETTER if len(drawn.letter) == 1 else _LETTERS
    return (*disc, Text("mark", middle, drawn.letter.upper(), size, ink.letter, bold=True))


def _chessman(parts: Sequence[Sequence[At]], middle: XY, ink: Ink) -> Iterator[Element]:
    """A silhouette: outlines, and circles, which have the place of their middle alone."""
    for part in parts:
        corners = [XY(middle.x + x, middle.y + y) for x, y in part]
        if len(corners) == 1:
            yield Disc("border", corners[0], _KNOB + _RIM / 2, ink.border)
            yield Disc("body", corners[0], _KNOB, ink.body)
            continue
        outline = polygon(*corners)
        yield Area("body", outline, ink.body)
        yield Stroke("line", outline, ink.letter if ink is INKS["black"] else ink.border, _RIM)


def _koma(drawn: Piece, middle: XY, ink: Ink) -> Iterator[Element]:
    """A man of Shogi, which points to where it goes."""
    ahead = 1 if drawn.side == 0 else -1
    outline = polygon(*(XY(middle.x + x, middle.y + y * ahead) for x, y in _KOMA))
    yield Area("body", outline, ink.body)
    yield Stroke("line", outline, ink.border, _RIM)
    yield Text("mark", XY(middle.x, middle.y + 0.04 * ahead), drawn.letter.upper(), 0.42, ink.letter, bold=True)


_KNOB = 0.09
_KOMA: Sequence[At] = ((0, -0.44), (0.27, -0.3), (0.36, 0.4), (-0.36, 0.4), (-0.27, -0.3))


def _symmetric(*right: At) -> Sequence[At]:
    """An outline from what lies to the right of its axis, from above."""
    return (*right, *((-x, y) for x, y in reversed(right) if x))


_FOOT: Sequence[At] = ((0.29, 0.3), (0.29, 0.38))
CHESSMEN: Mapping[str, Sequence[Sequence[At]]] = {
    "pawn": (
        _symmetric((0.08, -0.04), (0.12, 0.2), (0.24, 0.3), (0.24, 0.38)),
        _symmetric((0.05, -0.24), (0.11, -0.19), (0.13, -0.12), (0.11, -0.05), (0.06, -0.01)),
    ),
    "rook": (_symmetric((0.05, -0.36), (0.05, -0.29), (0.14, -0.29), (0.14, -0.36), (0.25, -0.36), (0.25, -0.2),
                        (0.17, -0.13), (0.19, 0.2), *_FOOT),),
    "knight": (((0.02, -0.38), (0.16, -0.3), (0.26, -0.1), (0.27, 0.38), (-0.22, 0.38), (-0.2, 0.24), (0.0, 0.02),
                (-0.13, 0.04), (-0.2, 0.12), (-0.29, 0.05), (-0.26, -0.08), (-0.13, -0.27), (-0.1, -0.4)),),
    "bishop": (
        _symmetric((0.1, 0.08), (0.12, 0.24), *_FOOT),
        _symmetric((0, -0.36), (0.11, -0.24), (0.18, -0.08), (0.17, 0.03), (0.1, 0.1)),
        ((0.0, -0.16), (0.09, -0.07)),
        ((0, -0.38),),
    ),
    "queen": (_symmetric((0, -0.26), (0.06, -0.02), (0.17, -0.28), (0.18, 0.0), (0.33, -0.2), (0.22, 0.22),
                         (0.26, 0.38)), ((-0.33, -0.24),), ((-0.17, -0.32),), ((0, -0.33),), ((0.17, -0.32),),
              ((0.33, -0.24),)),
    "king": (_symmetric((0.04, -0.44), (0.04, -0.37), (0.11, -0.37), (0.11, -0.3), (0.04, -0.3), (0.04, -0.17),
                        (0.18, -0.22), (0.31, -0.12), (0.31, 0.02), (0.21, 0.2), (0.26, 0.38)),),
}  # fmt: skip
"""The outlines of chessmen; one place is the middle of a knob."""

_CORNERS: Sequence[At] = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _ring(at: At) -> tuple[Curve, ...]:
    return rounded(_xy(at), 2 * _RING, 2 * _RING, _RING)


def changed(figure: Figure, name: str, at: At | None = None) -> Sequence[Element]:
    """The mark of a place that the last turn has changed, around a piece with a sign of its own; ``at``: elsewhere."""
    at, drawn = at or figure.spots[name].at, figure.pieces.get(name)
    if drawn is None or drawn.kind in _PLAIN:
        return (Disc("changed", _xy(at), 0.12, CHANGED),)
    return (Stroke("changed", _ring(at), CHANGED, 0.07),)


_PLAIN = frozenset(("man", "wall"))
"""Kinds of pieces in whose middle there is nothing."""


def around(figure: Figure) -> Iterator[Element]:
    """Everything that is always there: places, lines, coordinates and the edges that are goals."""
    if figure.lines:
        yield Area("ground", _table(figure), GROUNDS[0])
    for start, end in figure.lines:
        yield Stroke("line", (Curve(_xy(start), _xy(end)),), GRID, 0.03)
    for spot in figure.spots.values():
        yield from ground(spot)
    for bar in figure.edges:
        yield from _bar(bar, figure.colours)
    for at, text in figure.labels:
        yield _sign(at, text)


def _sign(at: At, text: str) -> Element:
    """A coordinate, or a sign next to the board."""
    return _arrow(at, ARROWS[text]) if text in ARROWS else Text("coordinate", _xy(at), text, 0.42, COORDINATE)


def _arrow(at: At, way: At) -> Element:
    """An arrow as one line, which goes back from its tip to the ends of both barbs."""
    (x, y), (across, down) = at, way
    tip, tail = XY(x + across * _SHAFT, y + down * _SHAFT), XY(x - across * _SHAFT, y - down * _SHAFT)
    barbs = (
        XY(tip.x - across * _BARB + side * down * _BARB, tip.y - down * _BARB + side * across * _BARB)
        for side in (-1, 1)
    )
    places = (tail, tip, next(barbs), tip, next(barbs))
    return Stroke("arrow", tuple(map(Curve, places, places[1:])), COORDINATE, 0.06)


_SHAFT, _BARB = 0.26, 0.16


def held(each: Held, colours: Sequence[str], at: At | None = None) -> Iterator[Element]:
    """Pieces next to the board on a tray, with their number; ``at``: elsewhere."""
    x, y = at or each.at
    right = x + (_TRAY if each.count == 1 else _TRAY_OF_SEVERAL)
    yield Area("tray", polygon(XY(x - _TRAY, y - _TRAY), XY(right, y - _TRAY), XY(right, y + _TRAY),
                               XY(x - _TRAY, y + _TRAY)), GROUNDS[0])  # fmt: skip
    yield from piece(each.piece, (x, y), colours)
    if each.count > 1:
        yield Text("count", XY(x + _COUNT, y), str(each.count), 0.42, COORDINATE, bold=True)


_TRAY, _TRAY_OF_SEVERAL, _COUNT = 0.48, 0.84, 0.62


def _bar(bar: Bar, colours: Sequence[str]) -> Iterator[Element]:
    ink = INKS[colours[bar.side]].body if bar.side >= 0 else GRID
    yield Stroke("edge", (Curve(_xy(bar.start), _xy(bar.end)),), ink, _BAR)


def _table(figure: Figure) -> tuple[Curve, ...]:
    """The ground below lines, half a unit wider than they are."""
    xs, ys = zip(*(spot.at for spot in figure.spots.values()), strict=True)
    left, top, right, bottom = min(xs) - 0.5, min(ys) - 0.5, max(xs) + 0.5, max(ys) + 0.5
    return polygon(XY(left, top), XY(right, top), XY(right, bottom), XY(left, bottom))


def laid(figure: Figure) -> Iterator[Element]:
    """The bars of the game, and the signs next to the board."""
    for bar in figure.bars:
        yield from _bar(bar, figure.colours)
    for at, text in figure.beside:
        yield _sign(at, text)


def on_it(figure: Figure) -> Iterator[Element]:
    """The bars and pieces, those next to the board too, and the marks of the last turn."""
    yield from laid(figure)
    for beside in figure.held:
        yield from held(beside, figure.colours)
    for name, each in figure.pieces.items():
        yield from piece(each, figure.spots[name].at, figure.colours)
    for name in sorted(figure.last):
        yield from changed(figure, name)


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a picture in pixels, and its middle."""

    side: float
    """Pixels of a unit."""
    left: float
    top: float
    width: float
    height: float
    """In units, as are the others."""

    @property
    def unit(self) -> XY:
        """The pixels of a unit, across and down."""
        return XY(self.side, self.side)

    @property
    def middle(self) -> tuple[int, int]:
        """The middle of the picture in pixels."""
        return int(self.width * self.side / 2) + 1, int(self.height * self.side / 2) + 1

    def there(self, place: XY) -> XY:
        """A place, with the middle of the picture as its origin."""
        return XY(place.x - self.left - self.width / 2, place.y - self.top - self.height / 2)


def scale(figure: Figure, width: int, height: int, most: float = 48) -> Scale:
    """The largest scale at which a picture is not larger than this."""
    left, top, across, down = box(figure)
    return Scale(min(width / across, height / down, most), left, top, across, down)


def box(figure: Figure) -> tuple[float, float, float, float]:
    """The left, top, width and height of everything, in units."""
    places = [spot.at for spot in figure.spots.values()] + [at for at, _ in figure.labels]
    places += [at for at, _ in figure.beside] + [each.at for each in figure.held]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top


MOST_PIXELS = 504


def draw(figure: Figure) -> bytes:
    """A PNG on white paper."""
    return PALETTE.png(image(figure, scale(figure, MOST_PIXELS, MOST_PIXELS)))


def image(figure: Figure, size: Scale) -> Image.Image:
    """The picture as indices of `PALETTE`."""
    spots, lines, edges, labels = map(tuple, (figure.spots.values(), figure.lines, figure.edges, figure.labels))
    picture = _ground(spots, lines, edges, labels, tuple(figure.colours), size).copy()
    for bar in figure.bars:
        across, down = bar.end[0] - bar.start[0], bar.end[1] - bar.start[1]
        there = replace(bar, start=(0, 0), end=(across, down))
        _put(picture, size, bar.start, tuple(_bar(there, figure.colours)), max(abs(across), abs(down)) + _BAR)
    for at, text in figure.beside:
        _put(picture, size, at, (_sign((0, 0), text),))
    for beside in figure.held:
        _put(picture, size, beside.at, tuple(held(beside, figure.colours, (0, 0))), 1)
    for name, each in figure.pieces.items():
        _paste(picture, size, figure.spots[name].at, _piece_tile(each, tuple(figure.colours), size.side))
    for name in sorted(figure.last):
        _put(picture, size, figure.spots[name].at, tuple(changed(figure, name, (0, 0))))
    return PALETTE.indexed(picture)


@lru_cache(maxsize=8)
def _ground(
    spots: Sequence[Spot],
    lines: Sequence[tuple[At, At]],
    edges: Sequence[Bar],
    labels: Sequence[tuple[At, str]],
    colours: Sequence[str],
    size: Scale,
) -> Image.Image:
    """A board without anything on it; nobody may change it."""
    pen, named = Pen(size, PAPER), {str(number): spot for number, spot in enumerate(spots)}
    pen.begin_at(size.there(XY(0, 0)))
    for element in around(Figure(named, {}, "", lines, edges, labels, colours=colours)):
        pen.put(element)
    return pen.finished()


_REACH = 0.6
"""Half the side of the square that a piece with its rim fits into, in units."""


def _put(picture: Image.Image, size: Scale, at: At, elements: Sequence[Element], reach: float = _REACH) -> None:
    """Draw elements, which are around (0, 0) and reach so far from it, at a place."""
    _paste(picture, size, at, _tile(elements, size.side, reach))


def _paste(picture: Image.Image, size: Scale, at: At, tile: Image.Image) -> None:
    middle = size.there(_xy(at))
    left = round(size.middle[0] + middle.x * size.side - tile.width / 2)
    top = round(size.middle[1] + middle.y * size.side - tile.height / 2)
    picture.paste(tile, (left, top), tile)


@lru_cache(maxsize=256)
def _piece_tile(drawn: Piece, colours: Sequence[str], side: float) -> Image.Image:
    """A piece on transparent ground; nobody may change it."""
    return _drawn(piece(drawn, (0, 0), colours), side, _REACH)


@lru_cache(maxsize=256)
def _tile(elements: Sequence[Element], side: float, reach: float) -> Image.Image:
    """Elements on transparent ground; nobody may change it."""
    return _drawn(elements, side, reach)


def _drawn(elements: Sequence[Element], side: float, reach: float) -> Image.Image:
    pen = Pen(Scale(side, -reach, -reach, 2 * reach, 2 * reach), None)
    for element in elements:
        pen.put(element)
    return pen.finished()


def draw_still(figure: Figure) -> str:
    """A drawing that is only looked at."""
    return "\n".join((_opening(figure, ""), _markup(around(figure)), _markup(on_it(figure)), "</svg>\n"))


def draw_replay(figures: Sequence[Figure]) -> str:
    """A game that plays by itself: its positions in their order."""
    frames = [dict(_parts(figure)) for figure in figures]
    return "\n".join((_opening(figures[-1], ""), _markup(around(figures[-1])), animated(frames), "</svg>\n"))


def _parts(figure: Figure) -> Iterator[tuple[Hashable, str]]:
    """Everything that lies on the board and next to it, each with its place."""
    for bar in figure.bars:
        yield bar, _markup(_bar(bar, figure.colours))
    for at, text in figure.beside:
        yield at, _markup([_sign(at, text)])
    for beside in figure.held:
        yield beside.at, _markup(held(beside, figure.colours))
    for name, each in figure.pieces.items():
        yield name, _markup(piece(each, figure.spots[name].at, figure.colours))


def draw_for_page(figure: Figure, links: Mapping[str, Link], picked: str | None, label: str) -> str:
    """A drawing within a page, with places that can be clicked and one that has been."""
    parts = [_opening(figure, f' role="group" aria-label={quoteattr(label)}')]
    parts += [_markup(around(figure)), _markup(laid(figure))]
    parts += [_markup(held(each, figure.colours)) for each in figure.held]
    for name, spot in figure.spots.items():
        drawn = _markup(piece(figure.pieces[name], spot.at, figure.colours)) if name in figure.pieces else ""
        if name in figure.last:
            drawn += _markup(changed(figure, name))
        kind = "cell picked" if name == picked else "cell"
        if name == picked:
            drawn += _markup((Stroke("ring", _ring(spot.at), SIGN, 0.07),))
        elif name in links and "target" in links[name].kind:
            drawn += _markup((Disc("sign", _xy(spot.at), 0.14, SIGN),))
        at = place("cx", "cy", _xy(spot.at), UNIT)
        reach = f'<circle class="reach" {at} {length("r", 0.48, UNIT)} fill="transparent"/>'
        group = f'<g class="{kind}" data-cell="{name}">{reach}{drawn}</g>'
        parts.append(links[name].around(group) if name in links else group)
    return "\n".join((*parts, "</svg>\n"))


def _opening(figure: Figure, role: str) -> str:
    left, top, width, height = (number(each * UNIT) for each in box(figure))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="figure"{role} viewBox="{left} {top} {width} {height}" '
        f'width="{width}" height="{height}" fill="none" stroke-linejoin="round" stroke-linecap="round" '
        'text-anchor="middle" font-family="sans-serif">'
    )


def _markup(elements: Iterable[Element]) -> str:
    return markup(elements, UNIT)
