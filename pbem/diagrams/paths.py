"""Numbers, places and curves as SVG writes them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.diagrams.curves import XY, Curve


def number(value: float) -> str:
    """A number, no longer than need be."""
    return f"{round(value, 2) + 0:g}"


def pair(place: XY, unit: float) -> str:
    """A place; what lengths are measured by is so many units of the drawing."""
    return f"{number(place.x * unit)} {number(place.y * unit)}"


def path(curves: Sequence[Curve], unit: float) -> str:
    """The commands that draw these curves, each going on where the one before ended."""
    return "M" + pair(curves[0].start, unit) + "".join(_command(curve, unit) for curve in curves)


def _command(curve: Curve, unit: float) -> str:
    if curve.centre is None:
        return "L" + pair(curve.end, unit)
    radius, clockwise = number(curve.radius * unit), int(curve.turn > 0)
    return f"A{radius} {radius} 0 0 {clockwise} {pair(curve.end, unit)}"
