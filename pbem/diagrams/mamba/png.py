"""Pictures of boards of Mamba as PNG, for mails: no mail program shows SVG reliably.

Parts of pictures are kept to be pasted again; their pixels are indices of one palette for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from pbem.diagrams import XY, Element
from pbem.diagrams.mamba import Picture, board, inks
from pbem.diagrams.mamba.board import MARGIN, Face, Table, elements
from pbem.diagrams.png import Palette, Pen

PALETTE = Palette(
    (inks.PAPER, inks.COORDINATE),
    (inks.PAPER, inks.FRAME, inks.GROUND, inks.LINE, inks.CHANGED, inks.RING),
    (inks.GROUND, inks.HEAD_BORDER, inks.CHANGED),
    (inks.HEAD_BORDER, inks.HEAD, inks.EYE),
    *((inks.PAPER, ink.border, inks.GROUND) for ink in inks.INKS.values()),
    *((inks.CHANGED, ink.border, ink.body, ink.letter) for ink in inks.INKS.values()),
)
"""Of everything on the table."""

MOST_PIXELS = 504
"""To a side: sharp where a picture is 400 pixels wide, and where it is as many as 800."""

KEPT_TABLES = 64
KEPT_CELLS = 512


def draw(picture: Picture) -> bytes:
    """A PNG on white paper, at most `MOST_PIXELS` wide and high."""
    return PALETTE.png(_image(picture, fitting(picture.size)))


def images(pictures: Sequence[Picture], most: int) -> Iterator[Image.Image]:
    """The positions of a game as indices of `PALETTE`, at most ``most`` pixels wide and high."""
    return (_image(each, fitting(each.size, most)) for each in pictures)


def _image(picture: Picture, scale: Scale) -> Image.Image:
    table = board.table(picture)
    image = table_image(scale, table).copy()
    for cell, mark in enumerate(picture.squares):
        sprite = cell_image(scale, table.face(mark, changed=cell in picture.changed))
        image.paste(sprite, scale.corner(table.middle(cell)))
    return image


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a board, in pixels."""

    side: int
    """Of a cell; even, so that a cell has its middle between pixels."""
    size: int
    """Cells in a row."""

    @property
    def unit(self) -> XY:
        """The pixels of what lengths are measured by."""
        return XY(self.side, self.side)

    @property
    def margin(self) -> int:
        """Around the cells."""
        return round(MARGIN * self.side)

    @property
    def middle(self) -> tuple[int, int]:
        """The middle of the board's picture."""
        half = self.side * self.size // 2 + self.margin
        return half, half

    def corner(self, middle: XY) -> tuple[int, int]:
        """The left upper pixel of the cell that has its middle there."""
        x, y = (round(half + (place - 0.5) * self.side) for half, place in zip(self.middle, middle, strict=True))
        return x, y


def fitting(size: int, most: int = MOST_PIXELS) -> Scale:
    """The largest scale at which a board is not too large."""
    return Scale(int(most / (size + 2 * MARGIN)) // 2 * 2, size)


@lru_cache(maxsize=KEPT_TABLES)
def table_image(scale: Scale, table: Table) -> Image.Image:
    """A table with nothing on its board."""
    return _drawn(scale, table.around)


@lru_cache(maxsize=KEPT_CELLS)
def cell_image(scale: Scale, face: Face) -> Image.Image:
    """One cell, to be pasted over the table."""
    alone = Scale(scale.side, 1)
    start, end = alone.margin, alone.margin + alone.side
    return _drawn(alone, elements(face)).crop((start, start, end, end))


def _drawn(scale: Scale, parts: Iterable[Element]) -> Image.Image:
    pen = Pen(scale, inks.PAPER)
    for element in parts:
        pen.put(element)
    return PALETTE.indexed(pen.finished())
