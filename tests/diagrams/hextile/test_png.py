from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from pbem.diagrams import XY
from pbem.diagrams.hextile import Picture, Scale, inks
from pbem.diagrams.hextile.png import LARGEST_COLUMN, MOST_PIXELS, draw
from pbem.diagrams.hextile.ribbons import CORNERS, WHITE_POINTS
from pbem.diagrams.replay import PALE
from pbem.games.hextile.grid import Cell, State, half_row
from tests.diagrams.hextile.pictures import STATES, block, column, row

MOST_BYTES = 30_000
"""Of a picture of 64 tiles, for a mail."""

MIDDLE = Cell(0, 0)
CENTRE = XY(0, 0)
ONE = Picture({MIDDLE: STATES[1]}, {})
LARGE = Scale(LARGEST_COLUMN)


def opened(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(draw(picture)))


def seen(picture: Picture, cell: Cell = MIDDLE, place: XY = CENTRE) -> str:
    """The colour at a place of a cell, in sides from its middle, where the picture has the largest scale."""
    extent, middle = picture.extent, XY(*LARGE.middle)
    x = middle.x + (cell.q - extent.left) * LARGE.column + place.x * LARGE.side
    y = middle.y + (half_row(cell) - extent.top) * LARGE.half_height + place.y * LARGE.side
    pixel = opened(picture).convert("RGB").crop((int(x), int(y), int(x) + 1, int(y) + 1))
    return f"#{pixel.tobytes().hex()}"


def towards(place: XY, share: float) -> XY:
    return XY(place.x * share, place.y * share)


def inner_colours(picture: Picture) -> Iterator[tuple[int, ...]]:
    """The colours of a block of tiles where no space is near."""
    image = opened(picture).convert("RGB")
    margins = (image.width // 4, image.height // 4, 3 * image.width // 4, 3 * image.height // 4)
    for _, colour in image.crop(margins).getcolors(1 << 16) or ():
        assert isinstance(colour, tuple)
        yield colour


def test_it_is_a_palette_png_on_white_paper() -> None:
    image = opened(block(3))
    assert (image.format, image.mode) == ("PNG", "P")
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_tiles_that_decided_nothing_are_pale_and_the_others_as_they_were() -> None:
    whole = row(2)
    first, second = whole.tiles
    picture = replace(whole, pale={second})
    assert seen(picture, first) == seen(whole, first)
    shade, paled = (bytes.fromhex(seen(each, second)[1:]) for each in (whole, picture))
    assert paled == bytes(round(255 - PALE * (255 - value)) for value in shade)
    assert shade != paled


@pytest.mark.parametrize("state", STATES, ids=lambda state: str(state.number))
def test_a_tile_is_drawn_with_its_colours(state: State) -> None:
    picture = replace(ONE, tiles={MIDDLE: state})
    corner, white = CORNERS[state.tip_at], WHITE_POINTS[state.tip_at]
    assert seen(picture, place=towards(corner, 0.9)) == inks.ink(state.tip, dark=False).fill
    assert seen(picture, place=towards(corner, 0.25)) == inks.FACE
    assert seen(picture, place=towards(white, 0.25)) == inks.ink(state.bridge, dark=False).fill
    assert seen(picture, place=towards(white, 0.8)) == inks.FACE


def test_no_two_states_look_alike() -> None:
    assert len({draw(replace(ONE, tiles={MIDDLE: state})) for state in STATES}) == len(STATES)


def test_the_side_called_dark_is_drawn_so() -> None:
    picture = replace(ONE, tiles={MIDDLE: STATES[7]}, dark=True)
    assert seen(picture, place=towards(CORNERS[0], 0.9)) == inks.BLUE.fill


@pytest.mark.parametrize("side", [5, 8, 15, 20, 40])
def test_no_paper_shines_through_where_tiles_touch(side: int) -> None:
    bluest = int(inks.FACE[-2:], 16)
    assert max(blue for _, _, blue in inner_colours(block(side))) <= bluest


def test_tiles_of_the_last_turn_are_marked_by_who_laid_them() -> None:
    assert seen(replace(ONE, last=[MIDDLE])) == inks.MARK
    assert seen(replace(ONE, automatic=[MIDDLE])) == inks.HALO


def test_null_points_are_marked() -> None:
    space = Cell(1, 0)
    picture = replace(ONE, null_points=[space])
    assert seen(picture, space) == inks.BLOCKED_MARK
    assert seen(picture, space, XY(0, 0.5)) == inks.BLOCKED


def test_a_label_stands_in_its_space() -> None:
    space, elsewhere = Cell(1, 0), XY(0, 0.7)
    picture = replace(ONE, labels={space: "H"})  # its bar goes through the middle
    assert seen(picture, space) == inks.LABEL
    assert seen(picture, space, elsewhere) == inks.PAPER


@pytest.mark.parametrize("length", [50, 64])
def test_labels_can_be_read_in_a_long_row(length: int) -> None:
    picture = row(length)
    assert draw(picture) != draw(replace(picture, labels=dict.fromkeys(picture.labels, "")))


def test_labels_too_small_to_read_are_left_out() -> None:
    picture = row(300)
    assert draw(picture) == draw(replace(picture, labels=dict.fromkeys(picture.labels, "A")))


@pytest.mark.parametrize(
    "picture",
    [row(50), row(400), column(50), column(400), block(8), block(20)],
    ids=["row 50", "row 400", "column 50", "column 400", "block 64", "block 400"],
)
def test_no_picture_is_too_large(picture: Picture) -> None:
    assert max(opened(picture).size) <= MOST_PIXELS


@pytest.mark.parametrize("picture", [row(64), column(64), block(8)], ids=["row", "column", "block"])
def test_64_tiles_go_into_a_mail(picture: Picture) -> None:
    assert len(draw(picture)) <= MOST_BYTES


@pytest.mark.parametrize("length", [20, 50, 150])
def test_a_large_board_is_drawn_at_a_smaller_scale(length: int) -> None:
    extent = row(length).extent
    scales = map(Scale, range(1, LARGEST_COLUMN))
    widths = [(extent.right - extent.left) * scale.column + 2 * scale.middle[0] for scale in scales]
    assert opened(row(length)).width == max(width for width in widths if width <= MOST_PIXELS)


@pytest.mark.parametrize("length", [1, 9, 20, 50])
def test_nothing_is_cut_off_at_the_edges(length: int) -> None:
    image = opened(column(length)).convert("L")
    framed = Image.new("L", image.size, 0)
    framed.paste(255, (1, 1, image.width - 1, image.height - 1))
    assert ImageChops.lighter(image, framed).getextrema() == (255, 255)


def test_a_small_board_is_drawn_at_the_largest_scale() -> None:
    assert opened(ONE).size == tuple(2 * middle for middle in LARGE.middle)


@pytest.mark.parametrize("picture", [Picture({}, {}), Picture({}, {MIDDLE: "A"})], ids=["nothing", "a space"])
def test_a_board_without_tiles_is_drawn(picture: Picture) -> None:
    assert opened(picture).size == opened(ONE).size


def test_the_same_picture_is_the_same_bytes() -> None:
    assert draw(block(4)) == draw(block(4))


def test_a_picture_does_not_tell_where_on_the_plane_it_lies() -> None:
    picture = row(5)
    moved = Picture(
        {Cell(q + 3, r - 7): state for (q, r), state in picture.tiles.items()},
        {Cell(q + 3, r - 7): label for (q, r), label in picture.labels.items()},
    )
    assert draw(moved) == draw(picture)
