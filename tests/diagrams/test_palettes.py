from itertools import pairwise

from PIL import Image

from pbem.diagrams.png import SHADE, Palette

PALETTE = Palette(("#ffffff", "#000000", "#ff0000"), ("#ffffff", "#ff0000"))
COLOURS = [tuple(PALETTE.values[start : start + 3]) for start in range(0, len(PALETTE.values), 3)]


def test_the_paper_comes_first_and_nothing_twice() -> None:
    assert COLOURS[0] == (255, 255, 255)
    assert len({*COLOURS}) == len(COLOURS)


def test_between_colours_that_touch_there_are_shades() -> None:
    greys = [red for red, green, blue in COLOURS if red == green == blue]
    assert greys == sorted(greys, reverse=True)
    assert (greys[0], greys[-1]) == (255, 0)
    assert all(above - below <= SHADE for above, below in pairwise(greys))
    pinks = sorted(green for red, green, blue in COLOURS if red == 255 and green == blue)
    assert all(above - below <= SHADE for below, above in pairwise(pinks))


def test_each_pixel_gets_the_index_of_the_nearest_colour() -> None:
    image = Image.new("RGB", (2, 1), "#fefefe")
    image.putpixel((1, 0), (250, 3, 3))
    assert list(PALETTE.indexed(image).tobytes()) == [0, COLOURS.index((255, 0, 0))]
