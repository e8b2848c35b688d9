from itertools import pairwise, product
from math import hypot, isclose

import pytest

from pbem.diagrams import XY, Curve
from pbem.diagrams.hextile import COLUMN_STEP, HALF_HEIGHT, ribbons
from pbem.diagrams.hextile.ribbons import CORNERS, RIM, WHITE_POINTS, Shape
from pbem.games.hextile.grid import Cell, Point, corners, half_row, neighbours, white_points

CORNER_INDICES = range(3)
KINDS = (ribbons.bridge, ribbons.tip)
SHAPES = [shape(corner) for shape in KINDS for corner in CORNER_INDICES]
NEAR = 1e-6


def near(one: XY, other: XY) -> bool:
    return distance(one, other) < NEAR


def on_plane(cell: Cell, place: XY) -> XY:
    return XY(place.x + COLUMN_STEP * cell.q, place.y + HALF_HEIGHT * half_row(cell))


def ends(curves: tuple[Curve, ...]) -> list[XY]:
    return [place for curve in curves for place in (curve.start, curve.end)]


def on_edge(place: XY) -> tuple[XY, XY]:
    """The edge of the rim on which a place lies."""
    (edge,) = (
        (one, other)
        for one, other in pairwise((*RIM, RIM[0]))
        if isclose(distance(one, place) + distance(place, other), 1, abs_tol=NEAR)
    )
    return edge


def distance(one: XY, other: XY) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def test_a_point_lies_at_one_place_for_all_cells_that_meet_there() -> None:
    places: dict[Point, XY] = {}
    for cell in (Cell(0, 0), *neighbours(Cell(0, 0))):
        points = (*corners(cell), *white_points(cell))
        for point, place in zip(points, CORNERS + WHITE_POINTS, strict=True):
            assert near(places.setdefault(point, on_plane(cell, place)), on_plane(cell, place))


@pytest.mark.parametrize("shape", SHAPES)
def test_an_outline_is_closed(shape: Shape) -> None:
    for curve, following in pairwise((*shape.outline, shape.outline[0])):
        assert near(curve.end, following.start)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_border_crosses_the_rim_halfway_between_a_corner_and_a_white_point(shape: Shape) -> None:
    for place in ends(shape.borders):
        one, other = on_edge(place)
        assert near(place, XY((one.x + other.x) / 2, (one.y + other.y) / 2))


@pytest.mark.parametrize("shape", SHAPES)
def test_borders_and_inlays_cross_the_rim_at_right_angles(shape: Shape) -> None:
    for curve in shape.borders + shape.inlay:
        places = curve.points(10000)
        for place, inward in ((places[0], places[1]), (places[-1], places[-2])):
            one, other = on_edge(place)
            along, across = (other.x - one.x, other.y - one.y), (inward.x - place.x, inward.y - place.y)
            length = hypot(*across)
            assert abs(along[0] * across[0] + along[1] * across[1]) / length < 1e-3


@pytest.mark.parametrize("tip_at", CORNER_INDICES)
def test_every_edge_is_crossed_by_one_border(tip_at: int) -> None:
    borders = ribbons.bridge(tip_at).borders + ribbons.tip(tip_at).borders
    edges = {on_edge(place) for place in ends(borders)}
    assert len(ends(borders)) == len(edges) == 6


@pytest.mark.parametrize(("here", "there"), [*product(CORNER_INDICES, repeat=2)])
@pytest.mark.parametrize("line", ["borders", "inlay"])
def test_lines_of_neighbours_meet(here: int, there: int, line: str) -> None:
    first, second = (
        [
            on_plane(cell, place)
            for shape in (ribbons.bridge(tip_at), ribbons.tip(tip_at))
            for place in ends(getattr(shape, line))
        ]
        for cell, tip_at in ((Cell(0, 0), here), (Cell(1, 0), there))
    )
    assert sum(near(one, other) for one in first for other in second) == 1


@pytest.mark.parametrize("tip_at", CORNER_INDICES)
def test_bridge_and_tip_hold_their_corners(tip_at: int) -> None:
    bridge, tip = ({place for place in ends(shape(tip_at).outline) if place in RIM} for shape in KINDS)
    assert tip == {CORNERS[tip_at]}
    assert bridge == set(CORNERS) - tip


def test_the_outline_of_one_cell_is_its_rim() -> None:
    (corners_in_halves,) = ribbons.outline({Cell(1, 2)})
    loop = [XY(across / 2, down * HALF_HEIGHT) for across, down in corners_in_halves]
    rim = [on_plane(Cell(1, 2), place) for place in RIM]
    start = next(index for index, place in enumerate(rim) if near(place, loop[0]))
    assert all(near(one, other) for one, other in zip(loop, rim[start:] + rim[:start], strict=True))


def test_the_outline_goes_around_all_cells_and_around_each_hole() -> None:
    ring = set(neighbours(Cell(0, 0)))
    assert sorted(len(loop) for loop in ribbons.outline(ring)) == [6, 18]
    assert [len(loop) for loop in ribbons.outline({*ring, Cell(0, 0)})] == [18]
    assert sorted(len(loop) for loop in ribbons.outline({Cell(0, 0), Cell(0, 5)})) == [6, 6]
    assert not list(ribbons.outline(()))
