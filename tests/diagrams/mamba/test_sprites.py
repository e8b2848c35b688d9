import pytest
from PIL import ImageColor

from pbem.diagrams.mamba import inks, png
from pbem.diagrams.mamba.board import Face
from pbem.diagrams.mamba.png import MOST_PIXELS, PALETTE, Scale, fitting

COLOURS = [tuple(PALETTE.values[start : start + 3]) for start in range(0, len(PALETTE.values), 3)]

INKS = [value for value in vars(inks).values() if isinstance(value, str) and value.startswith("#")]


@pytest.mark.parametrize("ink", [*INKS, *(each for ink in inks.INKS.values() for each in (ink.body, ink.border))])
def test_every_ink_is_in_the_palette(ink: str) -> None:
    assert ImageColor.getrgb(ink) in COLOURS


def test_the_palette_goes_into_a_byte_and_begins_with_the_paper() -> None:
    assert len(set(COLOURS)) == len(COLOURS) <= 256
    assert COLOURS[0] == ImageColor.getrgb(inks.PAPER)


@pytest.mark.parametrize("size", [3, 9, 11])
def test_a_board_is_as_large_as_it_may_be(size: int) -> None:
    scale, larger = fitting(size), Scale(fitting(size).side + 2, size)
    assert scale.side % 2 == 0
    assert 2 * scale.middle[0] <= MOST_PIXELS + 1 < 2 * larger.middle[0] + 2


def test_a_board_of_nine_is_sharp_on_a_page_of_400_pixels() -> None:
    assert 480 <= 2 * fitting(9).middle[0] <= 520


def test_a_cell_is_made_once_and_has_the_size_of_a_cell() -> None:
    made = png.cell_image(fitting(9), Face("A", 0, changed=False))
    assert made is png.cell_image(fitting(9), Face("A", 0, changed=False))
    assert made.size == (fitting(9).side, fitting(9).side)
