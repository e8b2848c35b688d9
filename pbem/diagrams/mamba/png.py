"""Pictures of boards of Mamba as PNG, for mails: no mail program shows SVG reliably."""

from __future__ import annotations

from pbem.diagrams.mamba import board, sprites
from pbem.diagrams.mamba.picture import Picture
from pbem.diagrams.mamba.sprites import PALETTE


def draw(picture: Picture) -> bytes:
    """A PNG on white paper, at most `sprites.MOST_PIXELS` wide and high."""
    table, scale = board.table(picture), sprites.fitting(picture.size)
    image = sprites.around(scale, table).copy()
    for cell, mark in enumerate(picture.squares):
        sprite = sprites.cell(scale, table.face(mark, changed=cell in picture.changed))
        image.paste(sprite, scale.corner(table.middle(cell)))
    return PALETTE.png(image)
