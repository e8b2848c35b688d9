from io import BytesIO
from itertools import pairwise
from typing import Any

from PIL import Image

from pbem.diagrams.png import SHADE, Palette, centred

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


def test_each_frame_of_an_animation_is_shown_as_it_was_drawn() -> None:
    palette = Palette(("#ffffff", "#000000"))
    images = [Image.new("L", (40, 30)) for _ in range(4)]
    images[1].paste(3, (5, 6, 10, 12))
    images[2].paste(5, (8, 8, 30, 20))  # and the third is as the first
    animation: Any = Image.open(BytesIO(palette.animation(images, 0.5, 3)))
    assert (animation.size, animation.n_frames, animation.info["loop"]) == ((40, 30), 4, 0)
    for number, image in enumerate(images):
        animation.seek(number)
        assert animation.info["duration"] == (3000 if number == 3 else 500)
        still = Image.open(BytesIO(palette.png(image.copy())))
        assert animation.convert("RGB").tobytes() == still.convert("RGB").tobytes()
    assert len(palette.animation(images[:1] * 50, 1, 1)) < 5000


def test_the_paper_can_have_another_colour() -> None:
    palette = Palette(("#ffffff", "#000000"))
    picture = Image.open(BytesIO(palette.png(centred(Image.new("L", (2, 2), 3), 8, 6), "#fbf8f2"))).convert("RGB")
    assert picture.size == (8, 6)
    assert picture.getpixel((0, 0)) == (0xFB, 0xF8, 0xF2)
    assert picture.getpixel((3, 2)) != picture.getpixel((0, 0))
