"""The pieces: a coiled snake, its round tail towards the owner and its yellow head away from them.

A piece lies around (0, 0) in a cell of side 1 and looks upwards, so its owner sits below; others see it turned.
The neck is an S of two arcs that go on into each other, from the right of the coil to the head.
"""

from __future__ import annotations

from functools import cache
from math import atan, cos, hypot, pi, sin, sqrt

from pbem.diagrams import XY, Area, Curve, Disc, Element, Stroke, Text
from pbem.diagrams.mamba import inks

COIL = XY(0, 0.17)
COIL_RADIUS = 0.275

NECK_WIDTH = 0.15
NECK_START = XY(COIL.x + COIL_RADIUS - NECK_WIDTH / 2, COIL.y)
"""On the rim of the coil, going upwards."""
NECK_END = XY(0, -0.24)
"""In the head, going upwards again."""
BEND = 0.4
"""The part of the way across that the neck's upper arc takes."""

GROOVE_RADIUS = 0.205
GROOVE = (-40, 80, 200)
"""The line that shows the body coiled: its begin, middle and end, in degrees clockwise from the right."""

JAW, SNOUT = XY(0.145, -0.235), XY(0.05, -0.435)
"""Of the head, on the right."""
CHEEK_RADIUS, SNOUT_RADIUS, NAPE_RADIUS = 0.3, 0.06, 0.18

EYE = XY(0.062, -0.3)
EYE_RADIUS = 0.026


@cache
def piece(mark: str, quarters: int) -> tuple[Element, ...]:
    """A player's piece after that many quarter turns clockwise; its letter stays upright."""
    ink = inks.INKS[mark]
    elements = (*_body(ink), *_head(), Text("mark", COIL, mark, inks.MARK_SIZE, ink.letter, bold=True))
    return tuple(element.turned(quarters) for element in elements)


def _body(ink: inks.Ink) -> tuple[Element, ...]:
    curves, border = neck(), inks.BORDER_WIDTH
    return (
        Disc("border", COIL, COIL_RADIUS, ink.border),
        Stroke("border", curves, ink.border, NECK_WIDTH),
        Disc("body", COIL, COIL_RADIUS - border, ink.body),
        Stroke("body", curves, ink.body, NECK_WIDTH - 2 * border),
        Stroke("groove", _groove(), ink.border, inks.GROOVE_WIDTH),
    )


def neck() -> tuple[Curve, Curve]:
    """From the coil to the head."""
    across, along = NECK_START.x - NECK_END.x, NECK_START.y - NECK_END.y
    angle = 2 * atan(across / along)
    radius = across / (1 - cos(angle))
    upper, lower = BEND * radius, (1 - BEND) * radius
    lower_centre, upper_centre = XY(NECK_START.x - lower, NECK_START.y), XY(NECK_END.x + upper, NECK_END.y)
    middle = XY(upper_centre.x - upper * cos(angle), upper_centre.y + upper * sin(angle))
    return Curve(NECK_START, middle, lower_centre), Curve(middle, NECK_END, upper_centre)


def _groove() -> tuple[Curve, Curve]:
    """From within the neck around the lower half of the coil."""
    places = [
        XY(COIL.x + GROOVE_RADIUS * cos(degrees * pi / 180), COIL.y + GROOVE_RADIUS * sin(degrees * pi / 180))
        for degrees in GROOVE
    ]
    return Curve(places[0], places[1], COIL), Curve(places[1], places[2], COIL)


def _head() -> tuple[Element, ...]:
    left_jaw, left_snout = XY(-JAW.x, JAW.y), XY(-SNOUT.x, SNOUT.y)
    outline = (
        _bowed(left_jaw, left_snout, CHEEK_RADIUS),
        _bowed(left_snout, SNOUT, SNOUT_RADIUS),
        _bowed(SNOUT, JAW, CHEEK_RADIUS),
        _bowed(JAW, left_jaw, NAPE_RADIUS),
    )
    eyes = (Disc("eye", XY(side * EYE.x, EYE.y), EYE_RADIUS, inks.EYE) for side in (-1, 1))
    border = Stroke("border", outline, inks.HEAD_BORDER, inks.BORDER_WIDTH)
    return Area("head", outline, inks.HEAD), border, *eyes


def _bowed(start: XY, end: XY, radius: float) -> Curve:
    """The shorter arc of that radius that goes clockwise."""
    x, y = end.x - start.x, end.y - start.y
    chord = hypot(x, y)
    away = sqrt(radius**2 - chord**2 / 4) / chord
    return Curve(start, end, XY((start.x + end.x) / 2 - y * away, (start.y + end.y) / 2 + x * away))
