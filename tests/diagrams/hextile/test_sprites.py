import pytest
from PIL import Image, ImageChops, ImageColor

from pbem.diagrams.hextile import Scale, inks, png
from pbem.diagrams.hextile.png import Face, Mark
from pbem.games.hextile.grid import Cell, Colour, half_row, neighbours

LARGE = Scale(48)
FACE = Face(Colour.O, Colour.X, 0, dark=False, mark=Mark.NONE)
INKS = [
    *(inks.PAPER, inks.FACE, inks.RIM, inks.SPACE, inks.LABEL, inks.BLOCKED, inks.BLOCKED_MARK, inks.MARK, inks.HALO),
    *(inks.RED.fill, inks.RED.border, inks.BLUE.fill, inks.BLUE.border, inks.BLUE.inlay),
]


def colours() -> list[tuple[int, ...]]:
    values = png.PALETTE.values
    return [tuple(values[start : start + 3]) for start in range(0, len(values), 3)]


@pytest.mark.parametrize("ink", INKS)
def test_every_ink_is_in_the_palette(ink: str) -> None:
    assert ImageColor.getrgb(ink) in colours()


def test_the_palette_goes_into_a_byte_and_begins_with_the_paper() -> None:
    assert len(set(colours())) == len(colours()) <= 256
    assert colours()[0] == ImageColor.getrgb(inks.PAPER)


def test_a_sprite_is_made_once() -> None:
    assert png.tile(LARGE, FACE) is png.tile(Scale(48), FACE._replace(mark=Mark.NONE))


@pytest.mark.parametrize("column", [2, 7, 13, 31, 44, 48])
def test_the_masks_of_cells_side_by_side_leave_no_pixel_out(column: int) -> None:
    scale = Scale(column)
    mask = png.tile(scale, FACE).mask
    covered = Image.new("L", mask.size)
    for cell in (Cell(0, 0), *neighbours(Cell(0, 0))):
        covered.paste(mask, (cell.q * scale.column, half_row(cell) * scale.half_height), mask)
    x, y = scale.middle
    across, down = int(scale.side), scale.half_height
    assert covered.crop((x - across, y - down, x + across, y + down)).getextrema() == (255, 255)


@pytest.mark.parametrize("mark", [Mark.BY_HAND, Mark.AUTOMATIC])
@pytest.mark.parametrize("column", [12, 48])
def test_a_mark_shows_at_every_scale(mark: Mark, column: int) -> None:
    plain, marked = (png.tile(Scale(column), face).image for face in (FACE, FACE._replace(mark=mark)))
    assert plain.tobytes() != marked.tobytes()


def test_a_rim_leaves_what_is_within_alone() -> None:
    mask = png.rim(LARGE, inks.RIM).mask
    assert mask.getpixel(LARGE.middle) == 0
    assert mask.getbbox() == png.null_point(LARGE).mask.getbbox()


def lettered(column: int, text: str) -> tuple[int, int, int, int] | None:
    """The box of the pixels of a space that its label adds to the rim."""
    scale = Scale(column)
    masks = png.space(scale, text).mask, png.rim(scale, inks.SPACE).mask
    return ImageChops.difference(*masks).getbbox()


def test_labels_are_left_out_where_letters_would_be_too_small() -> None:
    assert lettered(9, "A") is None
    assert lettered(10, "A") is not None


def test_a_label_fits_its_space_from_the_smallest_scale_on() -> None:
    for column in range(10, 49):
        box = lettered(column, "AW")
        assert box is not None
        left, _, right, _ = box
        assert 0 < right - left <= 2 * Scale(column).side
