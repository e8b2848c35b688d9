"""Pictures of positions as PNG, for mails: no mail program shows SVG reliably.

Parts of pictures are kept to be pasted again; their pixels are indices of one palette for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from pbem.diagrams import XY
from pbem.diagrams.hextile import Extent, Picture, Scale, inks, ribbons
from pbem.diagrams.hextile.ribbons import Shape
from pbem.diagrams.png import Palette, Pen, font, places
from pbem.games.hextile.grid import Cell, Colour, State, half_row

MOST_PIXELS = 700
"""To a side."""
MOST_SHOWN = 560
"""The width at which a mail shows larger pictures; screens with finer pixels show all of them."""

LARGEST_COLUMN = 48
"""From a column to the next on a small board."""

PALETTE = Palette(
    (inks.PAPER, inks.SPACE, inks.BLOCKED, inks.BLOCKED_MARK),
    (inks.PAPER, inks.RIM, inks.FACE),
    (inks.PAPER, inks.LABEL),
    (inks.FACE, inks.RED.border, inks.RED.fill, inks.RIM, inks.BLUE.fill),
    (inks.FACE, inks.BLUE.border, inks.BLUE.fill, inks.BLUE.inlay),
    (inks.FACE, inks.HALO, inks.MARK),
    (inks.RED.fill, inks.HALO, inks.BLUE.fill),
)
"""Of everything on the board."""

SMALLEST_FONT = 8
"""In pixels."""

SMALLEST_LABELLED = 6
"""Half the height of the smallest cell into which such letters go."""

LEAST_MARK = (3, 2.2, 1.2)
"""The smallest radii of a mark, in pixels."""

SHARE_OF_THREE = 85
"""A third of the light that a whole pixel gives: where three cells meet, one at least has so much of it."""

KEPT = 2048
"""Enough for the tiles and labels of all scales in use together."""


def draw(picture: Picture) -> bytes:
    """A PNG on white paper, at most `MOST_PIXELS` wide and high."""
    board = _Board(picture.extent, _fitting(picture.extent))
    board.draw(picture)
    return board.encoded()


def images(pictures: Sequence[Picture], width: int, height: int, largest: int) -> Iterator[Image.Image]:
    """The positions of a game as indices of `PALETTE`, all of one size, without labels of spaces.

    Args:
        pictures: the positions.
        width: in pixels, at most.
        height: in pixels, at most.
        largest: pixels from a column to the next, at most.
    """
    extents = [each.extent for each in pictures]
    extent = Extent(
        min(each.left for each in extents),
        max(each.right for each in extents),
        min(each.top for each in extents),
        max(each.bottom for each in extents),
    )
    scale = _fitting(extent, width, height, largest)
    for picture in pictures:
        board = _Board(extent, scale)
        board.draw(picture)
        yield board.shrunk(width, height)


class Spot(NamedTuple):
    """The place of the label of a space in a picture, in pixels."""

    label: str
    x: int
    y: int
    radius: int


def spots(picture: Picture) -> tuple[tuple[int, int], tuple[Spot, ...]]:
    """The width and height at which a mail shows a picture, and the labelled spaces there; none if it was shrunk."""
    extent = picture.extent
    scale = _fitting(extent)
    size = _size(extent, scale)
    if max(size) > MOST_PIXELS:
        return size, ()
    shown = min(1, MOST_SHOWN / size[0])
    x, y = scale.middle
    return (round(size[0] * shown), round(size[1] * shown)), tuple(
        Spot(
            text,
            round(((cell.q - extent.left) * scale.column + x) * shown),
            round(((half_row(cell) - extent.top) * scale.half_height + y) * shown),
            int((scale.half_height - 1) * shown),
        )
        for cell, text in picture.labels.items()
    )


class _Board:
    """The paper; its pixels are indices of `PALETTE`."""

    def __init__(self, extent: Extent, scale: Scale) -> None:
        self._scale = scale
        self._left, self._top = extent.left, extent.top
        self._image = Image.new("L", _size(extent, self._scale))
        self._has_pale = False

    def draw(self, picture: Picture) -> None:
        """Draw what lies below first: the outer half of a rim below all tiles."""
        scale = self._scale
        for cell, text in picture.labels.items():
            self._paste(cell, space(scale, text))
        for cell in picture.blocked:
            self._paste(cell, null_point(scale))
        for cell in sorted(picture.tiles, key=picture.pale.__contains__, reverse=True):
            self._paste(cell, rim(scale, inks.RIM), is_pale=cell in picture.pale)
        for cell, state in picture.tiles.items():
            self._paste(cell, tile(scale, _face(picture, cell, state)), is_pale=cell in picture.pale)

    def encoded(self) -> bytes:
        """The whole as a file."""
        return PALETTE.png(self.shrunk(MOST_PIXELS, MOST_PIXELS), has_pale=self._has_pale)

    def shrunk(self, width: int, height: int) -> Image.Image:
        """The whole, made smaller if it is larger than this."""
        self._image.thumbnail((width, height), Image.Resampling.NEAREST)
        return self._image

    def _paste(self, cell: Cell, sprite: Sprite, *, is_pale: bool = False) -> None:
        image = PALETTE.paled(sprite.image) if is_pale else sprite.image
        self._has_pale |= is_pale
        x = (cell.q - self._left) * self._scale.column
        y = (half_row(cell) - self._top) * self._scale.half_height
        self._image.paste(image, (x, y), sprite.mask)


def _fitting(
    extent: Extent, width: int = MOST_PIXELS, height: int = MOST_PIXELS, largest: int = LARGEST_COLUMN
) -> Scale:
    """The largest scale at which the board is not too large; the smallest there is, if all are."""
    for scale in map(Scale, range(largest, 0, -1)):
        across, down = _size(extent, scale)
        if across <= width and down <= height:
            return scale
    return Scale(1)


def _size(extent: Extent, scale: Scale) -> tuple[int, int]:
    x, y = scale.middle
    width = (extent.right - extent.left) * scale.column + 2 * x
    return width, (extent.bottom - extent.top) * scale.half_height + 2 * y


def _face(picture: Picture, cell: Cell, state: State) -> Face:
    mark = Mark.BY_HAND if cell in picture.last else Mark.AUTOMATIC if cell in picture.automatic else Mark.NONE
    return Face(state.bridge, state.tip, state.tip_at, picture.dark, mark)


class Mark(Enum):
    """The ways to mark a tile."""

    NONE = 0
    BY_HAND = 1
    AUTOMATIC = 2


class Sprite(NamedTuple):
    """A picture, and which of its pixels count."""

    image: Image.Image
    mask: Image.Image


class Face(NamedTuple):
    """All that tells one tile from another."""

    bridge: Colour
    tip: Colour
    tip_at: int
    dark: bool
    """As of a `Picture`."""
    mark: Mark


@lru_cache(maxsize=KEPT)
def tile(scale: Scale, face: Face) -> Sprite:
    """A tile, out to the middle of its rim: there the neighbour's begins."""
    pen = Pen(scale, inks.FACE)
    _draw_shape(pen, ribbons.bridge(face.tip_at), inks.ink(face.bridge, dark=face.dark))
    _draw_shape(pen, ribbons.tip(face.tip_at), inks.ink(face.tip, dark=face.dark))
    _draw_rim(pen, inks.RIM)
    _draw_mark(pen, face.mark)
    return Sprite(PALETTE.indexed(pen.finished()), _hexagon(scale))


@lru_cache(maxsize=KEPT)
def rim(scale: Scale, colour: str) -> Sprite:
    """The rim of a cell and nothing within."""
    pen = Pen(scale, inks.PAPER)
    _draw_rim(pen, colour)
    return _cut_out(pen.finished())


@lru_cache(maxsize=KEPT)
def null_point(scale: Scale) -> Sprite:
    """A space that no tile can fill."""
    pen = Pen(scale, inks.PAPER)
    pen.area(ribbons.RIM, inks.BLOCKED)
    _draw_rim(pen, inks.SPACE)
    half = inks.BAR_LENGTH / 2
    pen.line((XY(-half, 0), XY(half, 0)), inks.BLOCKED_MARK, inks.BAR_WIDTH)
    return _cut_out(pen.finished())


@lru_cache(maxsize=KEPT)
def space(scale: Scale, text: str) -> Sprite:
    """A space with its label, unless the letters would be too small to read."""
    pen = Pen(scale, inks.PAPER)
    _draw_rim(pen, inks.SPACE)
    image = pen.finished()
    if scale.half_height >= SMALLEST_LABELLED:
        size = max(SMALLEST_FONT, round(inks.label_size(text) * scale.side))
        ImageDraw.Draw(image).text(scale.middle, text, inks.LABEL, font(size), anchor="mm")
    return _cut_out(image)


def _draw_shape(pen: Pen, shape: Shape, ink: inks.Ink) -> None:
    pen.area(places(shape.outline), ink.fill)
    for curve in shape.borders:
        pen.line(places((curve,)), ink.border, inks.BORDER_WIDTH)
    for curve in shape.inlay if ink.inlay else ():
        pen.line(places((curve,)), ink.inlay, inks.INLAY_WIDTH)


def _draw_rim(pen: Pen, colour: str) -> None:
    pen.line((*ribbons.RIM, *ribbons.RIM[:2]), colour, inks.RIM_WIDTH)


def _draw_mark(pen: Pen, mark: Mark) -> None:
    if mark is Mark.NONE:
        return
    inner = inks.MARK if mark is Mark.BY_HAND else inks.HALO
    for radius, least, fill in zip(inks.MARK_RADII, LEAST_MARK, (inks.HALO, inks.MARK, inner), strict=True):
        pen.disc(XY(0, 0), radius, fill, least=least)


@cache
def _hexagon(scale: Scale) -> Image.Image:
    """A mask of the pixels of a cell; those on a border belong to all who meet there, so that none is left out."""
    pen = Pen(scale, "black")
    pen.area(ribbons.RIM, "white")
    return pen.finished().convert("L").point([255 * (light >= SHARE_OF_THREE) for light in range(256)])


def _cut_out(image: Image.Image) -> Sprite:
    """A picture of which only what is not paper counts."""
    indexed = PALETTE.indexed(image)
    return Sprite(indexed, indexed.point([255 * (index > 0) for index in range(256)]))
