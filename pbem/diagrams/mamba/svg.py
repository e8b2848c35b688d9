"""Pictures of boards of Mamba as SVG, for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from pbem.diagrams.mamba import letters

if TYPE_CHECKING:
    from pbem.diagrams.mamba.picture import Picture


def draw(picture: Picture) -> str:
    """A drawing that stands alone or within a page."""
    text = letters.draw(picture.squares, picture.size, picture.changed)
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{escape(text)}</text></svg>\n'
