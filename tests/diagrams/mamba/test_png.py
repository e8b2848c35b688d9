from dataclasses import replace
from io import BytesIO
from itertools import product

import pytest
from PIL import Image

from pbem.diagrams import XY
from pbem.diagrams.mamba import Picture, board, inks
from pbem.diagrams.mamba.png import draw, fitting
from pbem.diagrams.mamba.snakes import COIL
from pbem.games.mamba.squares import EMPTY, MARKS, Cell
from tests.diagrams.mamba.boards import PLAYERS, crowded, picture, start

MOST_BYTES = 20_000
"""Of any board, for a mail."""

ON_BODY = XY(COIL.x - 0.16, COIL.y)
"""Left of the letter; the piece looks upwards."""

ON_HEAD = XY(0, -0.35)
ASIDE = XY(0.3, -0.35)
"""In a corner, where nothing of a piece is."""

FULL = Picture("ABCD." * 16 + ".", 9, start(4).rules.edges, frozenset(range(0, 81, 2)))

VIEWS = [(players, size, viewer) for players in PLAYERS for size in (9, 11) for viewer in (None, *range(players))]


def opened(shown: Picture) -> Image.Image:
    return Image.open(BytesIO(draw(shown)))


class Seen:
    """A picture, looked at by its geometry."""

    def __init__(self, shown: Picture) -> None:
        self._image = opened(shown).convert("RGB")
        self._table, self._scale = board.table(shown), fitting(shown.size)

    def at(self, cell: Cell, place: XY, facing: int = 0) -> str:
        """The colour at a place of a cell, told as if the piece there looked upwards."""
        middle, offset = self._table.middle(cell), place.turned(facing)
        x, y = (
            int(half + (there + more) * self._scale.side)
            for half, there, more in zip(self._scale.middle, middle, offset, strict=True)
        )
        return f"#{self._image.crop((x, y, x + 1, y + 1)).tobytes().hex()}"


@pytest.mark.parametrize(("players", "size", "viewer"), VIEWS)
def test_each_piece_has_its_owners_colour_and_looks_away_from_him(players: int, size: int, viewer: int | None) -> None:
    position = crowded(players, size)
    shown = picture(position, viewer)
    seen, table = Seen(shown), board.table(shown)
    for cell, mark in enumerate(position.squares):
        ground = inks.CHANGED if cell in shown.changed else inks.GROUND
        assert seen.at(cell, ASIDE) == ground
        if mark == EMPTY:
            assert seen.at(cell, ON_HEAD) == ground
        else:
            facing = table.facing(mark)
            assert seen.at(cell, ON_BODY, facing) == inks.INKS[mark].body
            assert seen.at(cell, ON_HEAD, facing) == inks.HEAD


@pytest.mark.parametrize("viewer", range(4))
def test_the_picture_of_each_player_has_his_pieces_below(viewer: int) -> None:
    mark = MARKS[viewer]
    image = opened(picture(start(4), viewer)).convert("RGB")
    rows = [y for y in range(image.height) if _has(image, y, inks.INKS[mark].body)]
    assert min(rows) > image.height / 2
    assert max(rows) > image.height * 0.9  # the seat of the viewer


def _has(image: Image.Image, y: int, colour: str) -> bool:
    return bytes.fromhex(colour[1:]) in image.crop((0, y, image.width, y + 1)).tobytes()


def test_a_cell_that_was_emptied_is_crossed_out() -> None:
    shown = replace(picture(start(2)), changed=frozenset({40}))
    assert Seen(shown).at(40, XY(0, 0)) == inks.RING
    assert Seen(replace(shown, changed=frozenset())).at(40, XY(0, 0)) == inks.GROUND


@pytest.mark.parametrize("size", [9, 11])
def test_the_board_lies_on_white_paper_up_to_the_edge(size: int) -> None:
    image = opened(picture(start(4, size)))
    assert (image.format, image.mode) == ("PNG", "P")
    corners = product((0, image.width - 1), (0, image.height - 1))
    assert {image.convert("RGB").getpixel(corner) for corner in corners} == {(255, 255, 255)}


@pytest.mark.parametrize("shown", [*(picture(crowded(players, size)) for players in PLAYERS for size in (9, 11)), FULL])
def test_it_goes_into_a_mail(shown: Picture) -> None:
    assert len(draw(shown)) <= MOST_BYTES


def test_the_same_picture_is_the_same_bytes() -> None:
    assert draw(picture(crowded(4), 1)) == draw(picture(crowded(4), 1))


def test_pictures_differ_by_pieces_changes_and_viewers() -> None:
    plain = picture(start(4))
    others = (
        plain,
        replace(plain, squares=start(2).squares),
        replace(plain, changed=frozenset({0})),
        *(replace(plain, viewer=viewer) for viewer in (1, 2, 3)),
    )
    assert len({draw(each) for each in others}) == len(others)
    assert draw(plain) == draw(replace(plain, viewer=0))
