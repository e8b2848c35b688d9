"""Pixels: a pen that draws smooth shapes, palettes, and animations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import pairwise
from struct import pack
from typing import Protocol

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont
from zlib_ng import zlib_ng

from pbem.diagrams import XY, Area, Curve, Disc, Element, Stroke, Text
from pbem.diagrams.replay import PALE

COMPRESSION = 5
"""Of zlib-ng, which makes the same bytes as zlib at 6 in half the time; 4 would need a sixth more bytes."""

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

    @cached_property
    def _pale(self) -> list[int]:
        """The index of the pale twin of each index."""
        return [min(255, index + len(self.values) // 3) for index in range(256)]

    def paled(self, image: Image.Image) -> Image.Image:
        """A picture whose pixels are indices of ours, in the pale twins of our colours, which follow them."""
        return image.point(self._pale)

    def png(self, image: Image.Image, paper: str | None = None, *, has_pale: bool = False) -> bytes:
        """A picture whose pixels are indices of ours, as a file.

        Pillow would need a quarter longer to write the same pixels.

        Args:
            image: the picture.
            paper: its ground, if not ours.
            has_pale: some of it is paled.
        """
        values = self.values if paper is None else [*ImageColor.getrgb(paper), *self.values[3:]]
        pale = [round(255 - PALE * (255 - value)) for value in values] if has_pale else []
        pixels = _chunk(b"IDAT", _compressed(image))
        return b"".join([_SIGNATURE, _header(image), _chunk(b"PLTE", bytes(values + pale)), pixels, _END])

    def animation(self, images: Iterable[Image.Image], step: float, last: float) -> bytes:
        """Pictures of one size, shown one after the other over and over, as a file (PNG 3rd edition, s 11.3.6).

        Of each picture only the pixels that differ from the one before are written.

        Args:
            images: the pictures; their pixels are indices of ours.
            step: seconds for which each is shown.
            last: seconds for which the last one is shown.
        """
        clear = len(self.values) // 3
        frames, before = list[tuple[Image.Image, int, int]](), None
        for image in images:
            frames.append(_changed(image, before, clear))
            before = image
        palette = _chunk(b"PLTE", bytes([*self.values, 0, 0, 0])) + _chunk(b"tRNS", b"\xff" * clear + b"\0")
        parts = [_SIGNATURE, _header(frames[0][0]), palette]
        parts.append(_chunk(b"acTL", pack(">II", len(frames), _FOR_EVER)))
        sequence = 0
        for number, (image, x, y) in enumerate(frames, 1):
            seconds = last if number == len(frames) else step
            shown = pack(">HHBB", round(seconds * 1000), 1000, _KEPT, _OVER)
            parts.append(_chunk(b"fcTL", pack(">IIIII", sequence, *image.size, x, y) + shown))
            pixels, sequence = _compressed(image), sequence + 1
            if number == 1:
                parts.append(_chunk(b"IDAT", pixels))
            else:
                parts.append(_chunk(b"fdAT", pack(">I", sequence) + pixels))
                sequence += 1
        return b"".join([*parts, _END])


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3
"""The colour type of pixels that are indices."""
_FOR_EVER = 0
"""The number of times that an animation is shown."""
_KEPT, _OVER = 0, 1
"""A frame stays when its time is up, and the next is laid over it."""


def _chunk(kind: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + kind + content + pack(">I", zlib_ng.crc32(kind + content))


_END = _chunk(b"IEND", b"")


def _header(image: Image.Image) -> bytes:
    """The size of a picture, and that its pixels are indices of a byte each."""
    return _chunk(b"IHDR", pack(">IIBBBBB", *image.size, 8, _INDEXED, 0, 0, 0))


def _compressed(image: Image.Image) -> bytes:
    """The rows of a picture, each behind the sign that it is not filtered."""
    rows, width = image.tobytes(), image.width
    lines = b"".join([b"\0" + rows[at : at + width] for at in range(0, len(rows), width)])
    return zlib_ng.compress(lines, COMPRESSION)


def _changed(image: Image.Image, before: Image.Image | None, clear: int) -> tuple[Image.Image, int, int]:
    """The part of a picture that differs from the one before, ``clear`` where it does not, and its place."""
    if before is None:
        return image, 0, 0
    differs = ImageChops.difference(image, before).point([0] + [255] * 255)
    box = differs.getbbox() or (0, 0, 1, 1)
    part = Image.new("L", (box[2] - box[0], box[3] - box[1]), clear)
    part.paste(image.crop(box), mask=differs.crop(box))
    return part, box[0], box[1]


def centred(image: Image.Image, width: int, height: int) -> Image.Image:
    """A picture whose pixels are indices, in the middle of a larger paper."""
    paper = Image.new("L", (width, height))
    paper.paste(image, ((width - image.width) // 2, (height - image.height) // 2))
    return paper


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
        ground: the colour of the paper; None: there is none, and what is not drawn on stays transparent.
    """

    def __init__(self, frame: Frame, ground: str | None) -> None:
        self._frame = frame
        self._middle = XY(*frame.middle)
        self._unit = frame.unit
        size = (int(self._middle.x) * 2 * FINENESS, int(self._middle.y) * 2 * FINENESS)
        # What is transparent still has a colour, which shows in the half transparent pixels at a border: that is dark.
        self._image = Image.new("RGBA", size, (43, 39, 36, 0)) if ground is None else Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self._image)

    def begin_at(self, place: XY) -> None:
        """Draw around another place than the middle, from which it lies so many units to the right and below."""
        middle = self._frame.middle
        self._middle = XY(middle[0] + place.x * self._unit.x, middle[1] + place.y * self._unit.y)

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
