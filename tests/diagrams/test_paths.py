import pytest

from pbem.diagrams import XY, Curve, number, pair, path, polygon

MIDDLE, RIGHT, BELOW = XY(0, 0), XY(1, 0), XY(0, 1)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (-0.001, "0"), (2.5, "2.5"), (-40, "-40"), (1 / 3, "0.33")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_places_are_told_in_units_of_the_drawing() -> None:
    assert pair(XY(0.5, -0.25), 40) == "20 -10"


def test_lines_go_on_where_the_one_before_ended() -> None:
    assert path(polygon(MIDDLE, RIGHT, BELOW), 10) == "M0 0L10 0L0 10L0 0"


def test_an_arc_tells_its_radius_and_which_way_it_goes() -> None:
    assert path((Curve(RIGHT, BELOW, MIDDLE),), 10) == "M10 0A10 10 0 0 1 0 10"
    assert path((Curve(BELOW, RIGHT, MIDDLE),), 10) == "M0 10A10 10 0 0 0 10 0"
