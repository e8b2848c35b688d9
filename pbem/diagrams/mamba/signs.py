"""The signs of what can be chosen on a page: a frame within the cell; where a chosen piece can go, a dot or a circle.

They lie wholly within their cells, so the cells beside do not cover them, and around the pieces.
"""

from __future__ import annotations

from pbem.diagrams.curves import XY, rounded
from pbem.diagrams.elements import Disc, Element, Stroke

INK = "#0b4f9e"

OPEN_SIDE, OPEN_CORNER, OPEN_WIDTH = 0.91, 0.05, 0.05

DOT_RADIUS, CIRCLE_RADIUS, CIRCLE_WIDTH = 0.125, 0.25, 0.06
"""A dot has room within a circle, where a piece can move and lay."""


def _round(side: float, corner: float, name: str, width: float) -> Element:
    return Stroke(name, rounded(XY(0, 0), side, side, corner), INK, width)


SIGNS: dict[str, Element] = {
    "open": _round(OPEN_SIDE, OPEN_CORNER, "sign-open", OPEN_WIDTH),
    "move": Disc("sign-move", XY(0, 0), DOT_RADIUS, INK),
    "lay": _round(2 * CIRCLE_RADIUS, CIRCLE_RADIUS, "sign-lay", CIRCLE_WIDTH),
}
"""A cell that can be chosen, one that the chosen piece can move to, one where it can lay another."""
