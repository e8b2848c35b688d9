"""SVG elements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias
from xml.sax.saxutils import quoteattr

from pbem.diagrams.curves import XY, Curve


@dataclass(frozen=True, slots=True)
class Area:
    """What lies within an outline."""

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
        """Whether it ends where it begins."""
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
    """How high lines of them would be."""
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


@dataclass(frozen=True, slots=True)
class Link:
    """Where a click leads, and what that is called."""

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
