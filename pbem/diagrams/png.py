"""Pixels: a pen that draws smooth shapes, and palettes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from io import BytesIO
from itertools import pairwise
from typing import Protocol

from PIL import Image, ImageColor, ImageDraw, ImageFont

from pbem.diagrams import XY, Area, Curve, Disc, Element, Stroke, Text

COMPRESSION = 6
"""Of zlib: more costs time and gains next to nothing."""

SHADE = 36
"""The distance of the shades between two colours, in red, green or blue, whichever differs most."""


class Palette:
    """The colours of a picture.

    Args:
        blends: colours of which each lies beside the next somewhere; the very first is the paper.
    """

    def __init__(self, *blends: tuple[str, ...]) -> None:
        self._blends = blends

    @cached_property
    def values(self) -> list[int]:
        """Red, green and blue of each index in turn; 0 is the paper."""
        blends = (shade for colours in self._blends for pair in pairwise(colours) for shade in _shades(*pair))
        return [value for shade in dict.fromkeys(blends) for value in shade]

    def indexed(self, image: Image.Image) -> Image.Image:
        """The nearest of our colours, as indices."""
        colours = Image.new("P", (1, 1))
        colours.putpalette(self.values)
        nearest = image.quantize(palette=colours, dither=Image.Dither.NONE)
        return Image.frombytes("L", nearest.size, nearest.tobytes())

    def png(self, image: Image.Image) -> bytes:
        """A picture whose pixels are indices of ours, as a file."""
        image.putpalette(self.values)
        file = BytesIO()
        image.save(file, "PNG", compress_level=COMPRESSION)
        return file.getvalue()


def _shades(first: str, last: str) -> Iterator[tuple[int, ...]]:
    """From one colour to another, both included."""
    ends = [ImageColor.getrgb(colour) for colour in (first, last)]
    ways = [there - here for here, there in zip(*ends, strict=True)]
    steps = max(map(abs, ways)) // SHADE + 1
    for step in range(steps + 1):
        yield tuple(round(here + way * step / steps) for here, way in zip(ends[0], ways, strict=True))


FINENESS = 4
"""Everything is drawn at this many times its final size."""

ARC_STEPS = 24

THINNEST = 0.6
"""The width in pixels of the finest line that still shows."""


BOLD = 0.03
"""The additional width of bold letters on each side, in parts of their size."""


class Frame(Protocol):
    """The size of a picture."""

    @property
    def middle(self) -> tuple[int, int]:
        """The middle in pixels; right and below of it lies as much again."""

    @property
    def unit(self) -> XY:
        """The pixels of what lengths are measured by, across and down."""


class Pen:
    """Draws around the middle of a picture.

    Args:
        frame: how large it is to be; places and lengths are in its units.
        ground: the colour of the paper.
    """

    def __init__(self, frame: Frame, ground: str) -> None:
        self._middle = XY(*frame.middle)
        self._unit = frame.unit
        size = (int(self._middle.x) * 2 * FINENESS, int(self._middle.y) * 2 * FINENESS)
        self._image = Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self._image)

    def area(self, places: Iterable[XY], fill: str) -> None:
        """Fill what lies between these places."""
        self._draw.polygon(self._pixels(places), fill=fill)

    def line(self, places: Iterable[XY], colour: str, width: float) -> None:
        """Draw from each place to the next."""
        thick = round(max(width * self._unit.x, THINNEST) * FINENESS)
        self._draw.line(self._pixels(places), fill=colour, width=thick, joint="curve")

    def disc(self, centre: XY, radius: float, fill: str, *, least: float = 0) -> None:
        """Fill a circle, of this many pixels at least."""
        ((x, y),) = self._pixels((centre,))
        across, down = (max(radius * unit, least) * FINENESS for unit in self._unit)
        self._draw.ellipse((x - across, y - down, x + across, y + down), fill=fill)

    def letters(self, element: Text) -> None:
        """Write some letters."""
        (place,) = self._pixels((element.baseline,))
        height = round(element.size * self._unit.y * FINENESS)
        stroke = round(height * BOLD) if element.bold else 0
        self._draw.text(place, element.text, element.fill, font(height), anchor="ms", stroke_width=stroke)

    def put(self, element: Element) -> None:
        """Draw an element of a picture."""
        match element:
            case Area(_, outline, fill):
                self.area(places(outline), fill)
            case Stroke(_, curves, stroke, width):
                way = places(curves)
                self.line(way + way[1:2] * element.is_closed, stroke, width)
            case Disc(_, centre, radius, fill):
                self.disc(centre, radius, fill)
            case Text():
                self.letters(element)

    def finished(self) -> Image.Image:
        """The drawing in its final size."""
        return self._image.reduce(FINENESS)

    def _pixels(self, places: Iterable[XY]) -> list[tuple[float, float]]:
        middle, unit = self._middle, self._unit
        return [((middle.x + x * unit.x) * FINENESS, (middle.y + y * unit.y) * FINENESS) for x, y in places]


def places(curves: Iterable[Curve]) -> list[XY]:
    """Places along curves of which each goes on where the one before ended."""
    return [place for curve in curves for place in curve.points(ARC_STEPS)]


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The one that comes with Pillow, in pixels."""
    return ImageFont.load_default(size)
