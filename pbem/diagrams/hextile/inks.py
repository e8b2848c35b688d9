"""The colours and strengths of what pictures are drawn with.

o and x differ from each other and from the white of a tile by 3 : 1 in contrast at least (WCAG 2.2, 1.4.11), so they
stay apart in black and white and for every kind of colour blindness; x has a light line along its borders besides.
Widths are measured by the side of a hexagon.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.hextile.grid import Colour


@dataclass(frozen=True, slots=True)
class Ink:
    """The drawing style of the shapes of one colour."""

    fill: str
    border: str
    inlay: str = ""
    """Of the line along the borders, if there is one."""


RED = Ink("#e4623a", "#8a2c12")
BLUE = Ink("#1b3a6e", "#0b1a36", "#8aa8dc")

PAPER = "#ffffff"
FACE = "#fbf4e1"
"""White, as it is printed on a tile."""
RIM = "#6d675c"
EDGE = "#857d70"
"""The outline of all tiles together: told from light ground and from dark."""
SPACE = "#c4c4c4"
"""The outline of a space."""
LABEL = "#404040"
BLOCKED = "#ece7dc"
"""The ground of a null point."""
BLOCKED_MARK = "#8c8c8c"
MARK = "#101010"
HALO = "#ffffff"
"""Around a mark, so that it shows on every colour."""

BORDER_WIDTH = 0.05
INLAY_WIDTH = 0.035
RIM_WIDTH = 0.025
BAR_WIDTH = 0.1
BAR_LENGTH = 0.4

MARK_RADII = (0.25, 0.2, 0.125)
"""The halo, the ring, and within it what is filled if a player laid the tile."""

LABEL_SIZES = (0.6, 0.55, 0.4)
"""Of one letter, of two, and of more."""


def ink(colour: Colour, *, dark: bool) -> Ink:
    """The ink of o or x; o is printed in blue where it is the side called Dark."""
    return RED if colour is Colour.O and not dark else BLUE


def label_size(label: str) -> float:
    """The height of a label's letters."""
    return LABEL_SIZES[min(len(label), len(LABEL_SIZES)) - 1]
