"""The colours and strengths of pictures of Mamba.

The bodies of the four players differ in brightness as well as in hue, so they stay apart in black and white and for
every kind of colour blindness; besides, each piece bears its owner's mark and turns its tail to them. Lengths are
measured by the side of a cell.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ink:
    """The drawing style of one player's pieces."""

    body: str
    border: str
    letter: str


INKS = {
    "A": Ink("#d1431f", "#6d1d08", "#ffffff"),
    "B": Ink("#1b4a9c", "#0a1f47", "#ffffff"),
    "C": Ink("#83d1a2", "#1f5a38", "#10331f"),
    "D": Ink("#2b2330", "#0c090e", "#ffffff"),
}
"""By mark."""

PAPER = "#ffffff"
GROUND = "#f2e8d0"
"""Of a cell."""
LINE = "#b8a67c"
"""Between cells."""
FRAME = "#5c4d2e"
"""Around the board."""
COORDINATE = "#404040"

HEAD = "#ffd21f"
HEAD_BORDER = "#3d2c00"
EYE = "#1a1200"

CHANGED = "#cfe3fb"
"""The ground of a cell that has changed."""
RING = "#1c4f8f"
"""Along its sides, and the cross where a piece was taken away."""

LINE_WIDTH = 0.03
FRAME_WIDTH = 0.06
BORDER_WIDTH = 0.035
GROOVE_WIDTH = 0.025
RING_WIDTH = 0.055

COORDINATE_SIZE = 0.36
MARK_SIZE = 0.36
"""Of the letter on a piece."""
