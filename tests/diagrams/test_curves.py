from itertools import pairwise
from math import hypot, isclose, pi

import pytest

from pbem.diagrams import XY, Curve, polygon, rounded

RIGHT, BELOW = XY(1, 0), XY(0, 1)


def joined(outline: tuple[Curve, ...]) -> bool:
    return all(one.end == pytest.approx(following.start) for one, following in pairwise((*outline, outline[0])))


@pytest.mark.parametrize("quarters", range(-4, 9))
def test_turning_goes_clockwise_on_the_page(quarters: int) -> None:
    assert RIGHT.turned(quarters) == (RIGHT, BELOW, XY(-1, 0), XY(0, -1))[quarters % 4]
    assert XY(2, 3).turned(quarters).turned(-quarters) == XY(2, 3)


def test_a_turned_arc_is_the_same_arc_elsewhere() -> None:
    arc = Curve(RIGHT, BELOW, XY(0, 0))
    turned = arc.turned(1)
    assert (turned.start, turned.end) == (BELOW, XY(-1, 0))
    assert (turned.radius, turned.turn) == pytest.approx((arc.radius, arc.turn))
    assert Curve(RIGHT, BELOW).turned(2) == Curve(XY(-1, 0), XY(0, -1))


def test_a_polygon_is_closed() -> None:
    outline = polygon(XY(0, 0), RIGHT, BELOW)
    assert [curve.start for curve in outline] == [XY(0, 0), RIGHT, BELOW]
    assert joined(outline)


@pytest.mark.parametrize(("across", "down", "radius"), [(4, 2, 0.5), (3, 1, 0.5), (1, 1, 0.1)])
def test_a_rounded_rectangle_has_quarter_circles_at_its_corners(across: float, down: float, radius: float) -> None:
    middle = XY(5, -1)
    outline = rounded(middle, across, down, radius)
    assert joined(outline)
    arcs = [curve for curve in outline if curve.centre is not None]
    assert [(arc.radius, arc.turn) for arc in arcs] == [pytest.approx((radius, pi / 2))] * 4
    places = [place for curve in outline for place in curve.points(8)]
    for extent, middle_at, values in zip((across, down), middle, zip(*places, strict=True), strict=True):
        assert (min(values), max(values)) == pytest.approx((middle_at - extent / 2, middle_at + extent / 2))
    corner = hypot(across / 2 - radius, down / 2 - radius) + radius
    assert max(hypot(x - middle.x, y - middle.y) for x, y in places) <= corner + 1e-9


def test_an_arc_takes_the_shorter_way_and_keeps_its_distance() -> None:
    arc = Curve(XY(1, 0), XY(0, -2), XY(0, 0))
    assert arc.turn < 0
    places = Curve(XY(1, 0), XY(0, -1), XY(0, 0)).points(8)
    assert all(isclose(hypot(*place), 1) for place in places)
    assert all(place.x >= -1e-6 and place.y <= 1e-6 for place in places)


def test_a_line_is_its_ends() -> None:
    line = Curve(XY(0, 0), XY(1, 1))
    assert (line.points(8), line.radius, line.turn) == ([XY(0, 0), XY(1, 1)], 0, 0)
