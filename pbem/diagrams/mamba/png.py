"""Pictures of boards of Mamba as PNG, for mails: no mail program shows SVG reliably."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from pbem.diagrams.mamba import board, sprites
from pbem.diagrams.mamba.sprites import PALETTE

if TYPE_CHECKING:
    from PIL import Image

    from pbem.diagrams.mamba.picture import Picture

COMPRESSION = 6
"""Of zlib: more costs time and gains next to nothing."""


def draw(picture: Picture) -> bytes:
    """A PNG on white paper, at most `sprites.MOST_PIXELS` wide and high."""
    table, scale = board.table(picture), sprites.fitting(picture.size)
    image = sprites.around(scale, table).copy()
    for cell, mark in enumerate(picture.squares):
        sprite = sprites.cell(scale, table.face(mark, changed=cell in picture.changed))
        image.paste(sprite, scale.corner(table.middle(cell)))
    return _encoded(image)


def _encoded(image: Image.Image) -> bytes:
    """The whole as a file."""
    image.putpalette(PALETTE.values)
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()
