from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pbem.games.hextile.grid import (
    DIRECTIONS,
    SHARED,
    Cell,
    Point,
    beyond,
    cells_at,
    corners,
    neighbours,
    reached_from,
    towards,
    white_points,
)

cells = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9))


@given(cells)
def test_a_neighbour_of_a_neighbour_across_is_the_cell_itself(cell: Cell) -> None:
    for index, neighbour in enumerate(neighbours(cell)):
        assert neighbours(neighbour)[(index + 3) % 6] == cell


@given(cells)
def test_neighbours_in_succession_are_neighbours(cell: Cell) -> None:
    around = neighbours(cell)
    assert all(other in neighbours(one) for one, other in pairwise((*around, around[0])))


@given(cells)
def test_three_cells_meet_in_each_point_and_are_neighbours_of_each_other(cell: Cell) -> None:
    for points, of_cell in ((corners(cell), corners), (white_points(cell), white_points)):
        for point in points:
            meeting = cells_at(point)
            assert cell in meeting
            assert all(point in of_cell(other) for other in meeting)
            assert all(one == other or one in neighbours(other) for one in meeting for other in meeting)


@given(cells)
def test_a_cell_shares_one_corner_and_one_white_point_with_each_neighbour(cell: Cell) -> None:
    for neighbour, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True):
        assert set(corners(cell)) & set(corners(neighbour)) == {corners(cell)[ours]}
        assert corners(cell)[ours] == corners(neighbour)[theirs]
        assert len(set(white_points(cell)) & set(white_points(neighbour))) == 1


@given(cells)
def test_a_level_edge_has_two_ends(cell: Cell) -> None:
    for point in corners(cell) + white_points(cell):
        assert beyond(beyond(point)) == point
        assert len(set(cells_at(point)) & set(cells_at(beyond(point)))) == 2


def test_points_are_named_by_the_cell_whose_left_corner_or_right_end_they_are() -> None:
    assert corners(Cell(2, 3))[0] == Point(2, 3, white=False)
    assert white_points(Cell(2, 3))[0] == Point(2, 3, white=True)


def test_directions_lead_to_the_neighbours_clockwise_from_the_top() -> None:
    assert list(DIRECTIONS) == ["n", "ne", "se", "s", "sw", "nw"]
    assert tuple(towards(Cell(4, 5), direction) for direction in DIRECTIONS) == neighbours(Cell(4, 5))


def test_cells_are_reached_through_cells_that_are_among_them() -> None:
    bent, apart = {Cell(0, 0), Cell(1, 0), Cell(1, 1), Cell(0, 2)}, {Cell(3, 0), Cell(4, 0)}
    for cells_together in (bent, apart):
        for start in cells_together:
            assert reached_from(start, bent | apart) == cells_together
    assert reached_from(Cell(9, 9), bent) == {Cell(9, 9)}
