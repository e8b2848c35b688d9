from PIL import Image

from pbem.diagrams import XY
from pbem.diagrams.hextile import Scale
from pbem.diagrams.hextile.ribbons import RIM, bridge
from pbem.diagrams.png import Pen, places

MIDDLE = XY(0, 0)
TINY, LARGE = Scale(3), Scale(48)


def blackness(image: Image.Image) -> float:
    """The number of black pixels that would give as much ink."""
    return sum(255 - light for light in image.convert("L").tobytes()) / 255


def test_a_hexagon_has_the_pixels_of_its_cell() -> None:
    pen = Pen(LARGE, "white")
    pen.area(RIM, "black")
    assert 0.97 < blackness(pen.finished()) / (LARGE.column * 2 * LARGE.half_height) < 1.03


def test_a_cell_lies_in_the_middle_of_its_picture() -> None:
    image = Pen(LARGE, "white").finished()
    assert image.size == tuple(2 * middle for middle in LARGE.middle)


def test_a_line_is_as_wide_as_told_but_never_vanishes() -> None:
    level = (XY(-0.5, 0), XY(0.5, 0))
    wide, fine = Pen(LARGE, "white"), Pen(TINY, "white")
    wide.line(level, "black", 0.25)
    fine.line(level, "black", 0.01)
    assert 0.8 < blackness(wide.finished()) / (LARGE.side * LARGE.side / 4) < 1.2
    assert blackness(fine.finished()) > TINY.side / 4


def test_a_disc_has_the_pixels_it_needs() -> None:
    small, least = Pen(TINY, "white"), Pen(TINY, "white")
    small.disc(MIDDLE, 0.25, "black")
    least.disc(MIDDLE, 0.25, "black", least=2)
    assert blackness(small.finished()) < 2
    assert 11 < blackness(least.finished()) < 15


def test_the_smallest_cell_still_has_a_height() -> None:
    assert Scale(1).half_height == 1


def test_curves_that_follow_each_other_become_one_way() -> None:
    outline = bridge(0).outline
    way = places(outline)
    assert (way[0], way[-1]) == (outline[0].start, outline[-1].end)
    assert len(way) > 2 * len(outline)
