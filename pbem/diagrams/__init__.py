"""Positions as text, drawn for mails and read back, and as pictures; a package for each family of games.

Here are the SVG elements that pictures are made of, and curves as paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, pi, sin
from typing import NamedTuple, TypeAlias
from xml.sax.saxutils import escape, quoteattr


class XY(NamedTuple):
    """A place on the plane."""

    x: float
    y: float

    def turned(self, quarters: int) -> XY:
        """The same seen after that many quarter turns clockwise around (0, 0)."""
        x, y = self
        return (self, XY(-y, x), XY(-x, -y), XY(y, -x))[quarters % 4]


@dataclass(frozen=True, slots=True)
class Curve:
    """A line, or the shorter arc around a centre."""

    start: XY
    end: XY
    centre: XY | None = None

    @property
    def radius(self) -> float:
        """The distance of an arc from its centre; 0 for a line."""
        if self.centre is None:
            return 0
        return hypot(self.start.x - self.centre.x, self.start.y - self.centre.y)

    @property
    def turn(self) -> float:
        """The angle of an arc in radians, positive if it goes clockwise on the page; 0 for a line."""
        if self.centre is None:
            return 0
        return (_angle(self.centre, self.end) - _angle(self.centre, self.start) + pi) % (2 * pi) - pi

    def turned(self, quarters: int) -> Curve:
        """The same after that many quarter turns clockwise around (0, 0)."""
        centre = None if self.centre is None else self.centre.turned(quarters)
        return Curve(self.start.turned(quarters), self.end.turned(quarters), centre)

    def points(self, steps: int) -> list[XY]:
        """Places along the curve, both ends included; a line has no others."""
        if self.centre is None:
            return [self.start, self.end]
        begin, radius, turn = _angle(self.centre, self.start), self.radius, self.turn
        angles = [begin + turn * step / steps for step in range(steps + 1)]
        return [XY(self.centre.x + radius * cos(angle), self.centre.y + radius * sin(angle)) for angle in angles]


def _angle(centre: XY, place: XY) -> float:
    return atan2(place.y - centre.y, place.x - centre.x)


def polygon(*corners: XY) -> tuple[Curve, ...]:
    """Lines from corner to corner and back to the first."""
    return tuple(Curve(start, end) for start, end in zip(corners, corners[1:] + corners[:1], strict=True))


def rounded(middle: XY, across: float, down: float, radius: float) -> tuple[Curve, ...]:
    """The outline of a rectangle with round corners, clockwise from its left upper corner."""
    x, y = across / 2 - radius, down / 2 - radius
    centres = [XY(middle.x + right * x, middle.y + below * y) for right, below in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    arcs = [_quarter(centre, XY(-radius, 0).turned(turns)) for turns, centre in enumerate(centres)]
    sides = [Curve(arc.end, following.start) for arc, following in zip(arcs, arcs[1:] + arcs[:1], strict=True)]
    return tuple(curve for pair in zip(arcs, sides, strict=True) for curve in pair)


def _quarter(centre: XY, outwards: XY) -> Curve:
    """The arc from that far of a centre, clockwise."""
    start, end = (XY(centre.x + x, centre.y + y) for x, y in (outwards, outwards.turned(1)))
    return Curve(start, end, centre)


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


@dataclass(frozen=True, slots=True)
class Area:
    """A filled outline."""

    name: str
    outline: tuple[Curve, ...]
    """Closed: each curve begins where the one before ends."""
    fill: str

    def turned(self, quarters: int) -> Area:
        """The same after that many quarter turns clockwise around (0, 0)."""
        return replace(self, outline=tuple(curve.turned(quarters) for curve in self.outline))


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stroke along curves of which each goes on where the one before ended."""

    name: str
    curves: tuple[Curve, ...]
    stroke: str
    width: float

    @property
    def is_closed(self) -> bool:
        """It ends where it begins."""
        return self.curves[0].start == self.curves[-1].end

    def turned(self, quarters: int) -> Stroke:
        """The same after that many quarter turns clockwise around (0, 0)."""
        return replace(self, curves=tuple(curve.turned(quarters) for curve in self.curves))


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    name: str
    centre: XY
    radius: float
    fill: str

    def turned(self, quarters: int) -> Disc:
        """The same after that many quarter turns clockwise around (0, 0)."""
        return replace(self, centre=self.centre.turned(quarters))


@dataclass(frozen=True, slots=True)
class Text:
    """Letters, in the middle of a place."""

    name: str
    centre: XY
    text: str
    size: float
    """The height of its lines."""
    fill: str
    bold: bool = False

    @property
    def baseline(self) -> XY:
        """Below the middle of the letters, where they stand."""
        return self.centre._replace(y=self.centre.y + 0.36 * self.size)

    def turned(self, quarters: int) -> Text:
        """The same after that many quarter turns clockwise around (0, 0); the letters stay upright."""
        return replace(self, centre=self.centre.turned(quarters))


Element: TypeAlias = Area | Stroke | Disc | Text


def markup(elements: Iterable[Element], unit: float) -> str:
    """Elements as SVG; what lengths are measured by is so many units of the drawing."""
    return "".join(_element(element, unit) for element in elements)


def _element(element: Element, unit: float) -> str:
    match element:
        case Area(name, outline, fill):
            return f'<path class="{name}" d="{path(outline, unit)}Z" fill="{fill}"/>'
        case Stroke(name, curves, stroke, width):
            drawn = path(curves, unit) + "Z" * element.is_closed
            return f'<path class="{name}" d="{drawn}" stroke="{stroke}" {length("stroke-width", width, unit)}/>'
        case Disc(name, centre, radius, fill):
            at = place("cx", "cy", centre, unit)
            return f'<circle class="{name}" {at} {length("r", radius, unit)} fill="{fill}"/>'
        case Text(name, _, text, size, fill, bold):
            weight = ' font-weight="bold"' if bold else ""
            font = f'{length("font-size", size, unit)}{weight} fill="{fill}"'
            return f'<text class="{name}" {place("x", "y", element.baseline, unit)} {font}>{escape(text)}</text>'


def place(across: str, down: str, at: XY, unit: float) -> str:
    """The attributes that name a place."""
    return f"{length(across, at.x, unit)} {length(down, at.y, unit)}"


def length(name: str, value: float, unit: float) -> str:
    """An attribute that is a length."""
    return f'{name}="{number(value * unit)}"'


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a click, and its name."""

    href: str
    words: str
    """For those who do not see the drawing."""
    kind: str = "place"
    """A class for the style sheet."""
    step: str = ""
    """The step that it plays, as it is typed; empty if it plays none."""

    def around(self, drawn: str) -> str:
        """The link with what is drawn in it, as markup."""
        step = f" data-step={quoteattr(self.step)}" if self.step else ""
        return (
            f'<a href={quoteattr(self.href)} aria-label={quoteattr(self.words)} class="{self.kind}"{step}>{drawn}</a>'
        )
