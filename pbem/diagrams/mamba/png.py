"""Pictures of boards of Mamba as PNG, for mails."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from pbem.diagrams.mamba import letters

if TYPE_CHECKING:
    from pbem.diagrams.mamba.picture import Picture


def draw(picture: Picture) -> bytes:
    """A PNG."""
    image = Image.new("P", (500, 500), "white")
    text = letters.draw(picture.squares, picture.size, picture.changed)
    ImageDraw.Draw(image).text((8, 8), text, "black", ImageFont.load_default())
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
