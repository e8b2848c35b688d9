"""The colours of pictures whose pixels are indices: some inks, and the shades between those that touch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from itertools import pairwise

from PIL import Image, ImageColor

COMPRESSION = 6
"""Of zlib: more costs time and gains next to nothing."""

SHADE = 36
"""How far apart the shades between two colours are, where they differ most: red, green or blue."""


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
