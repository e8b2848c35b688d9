"""The signs of what can be chosen: within their cells, and none in the way of another."""

from pbem.diagrams import Disc, Stroke
from pbem.diagrams.mamba import CIRCLE_RADIUS, CIRCLE_WIDTH, DOT_RADIUS, INK, OPEN_SIDE, OPEN_WIDTH, SIGNS, inks
from tests.support.colours import LEAST_CONTRAST, contrast


def test_the_frame_is_covered_by_no_cell_beside() -> None:
    assert OPEN_SIDE + OPEN_WIDTH < 1 - inks.LINE_WIDTH


def test_a_dot_is_told_from_the_circle_around_it() -> None:
    assert DOT_RADIUS + CIRCLE_WIDTH < CIRCLE_RADIUS - CIRCLE_WIDTH / 2
    assert CIRCLE_RADIUS + CIRCLE_WIDTH < OPEN_SIDE / 2 - OPEN_WIDTH


def test_each_sign_is_one_shape_of_its_own_name() -> None:
    kinds = {name: (type(sign), sign.name) for name, sign in SIGNS.items()}
    assert kinds == {"open": (Stroke, "sign-open"), "move": (Disc, "sign-move"), "lay": (Stroke, "sign-lay")}


def test_signs_show_on_every_ground() -> None:
    for ground in (inks.GROUND, inks.CHANGED):
        assert contrast(INK, ground) >= LEAST_CONTRAST
