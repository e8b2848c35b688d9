import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.hextile.endings import enclosed, territory
from pbem.games.hextile.grid import Cell, Colour, cells_at
from pbem.games.hextile.layout import Layout, survey
from pbem.games.hextile.position import Position
from tests.games.hextile.playing import fields, positions, rules_of
from tests.games.hextile.tables import AROUND_A_NULL_POINT

STATES = rules_of("mambo").states

TRIANGLE = {(0, 0): 2, (-1, 1): 1, (0, 1): 3}
RING = {(0, 0): 2, (-1, 1): 3, (-2, 2): 1, (0, 1): 1, (-1, 2): 2, (0, 2): 3}
AROUND_TWO_TIPS = {(0, 0): 2, (-1, 1): 3, (-2, 2): 1, (0, 1): 1, (-2, 3): 1, (0, 2): 1, (-1, 3): 2, (0, 3): 3}
TWO_TRIANGLES = {(0, 0): 2, (-1, 1): 1, (-2, 2): 2, (0, 1): 3, (-3, 3): 1, (-1, 2): 3, (-2, 3): 3}


@pytest.mark.parametrize(
    ("tiles", "loops", "coloured", "all_of_them"),
    [
        (TRIANGLE, 1, 0, 1),
        (RING, 1, 1, 4),
        (AROUND_TWO_TIPS, 1, 2, 7),
        (TWO_TRIANGLES, 2, 0, 2),
        (AROUND_A_NULL_POINT, 1, 0, 3),
        ({(0, 0): 1}, 0, 0, 0),
    ],
    ids=["triangle", "ring", "two tips", "two triangles", "null point", "no loop"],
)
def test_so_many_junctions_are_enclosed(
    tiles: dict[tuple[int, int], int], loops: int, coloured: int, all_of_them: int
) -> None:
    layout = survey({Cell(*cell): STATES[number] for cell, number in tiles.items()}, STATES)
    group = max((r for r in layout.regions.by_name.values() if r.colour is Colour.O), key=lambda r: r.bridges)
    inside = enclosed(layout, group)
    assert group.loops == loops
    assert sum(not point.white for point in inside) == coloured
    assert territory(layout, group) == all_of_them


@given(positions(st.sampled_from(["mambo mambogo", "mambo mamba", "mambo no_kill"]).map(rules_of), most_steps=48))
@settings(max_examples=60)
def test_loops_around_so_many_corners_enclose_three_times_as_many_junctions_and_one_a_loop(
    position: Position,
) -> None:
    layout = position.layout
    for group in layout.regions.by_name.values():
        inside = enclosed(layout, group)
        # a hole can touch the loops at all its corners, and then has more white points inside than a tile would leave
        if group.is_coloured and all(cell in layout.tiles for point in inside for cell in cells_at(point)):
            assert territory(layout, group) == 3 * sum(not point.white for point in inside) + group.loops


@given(fields(("mambo",)))
@settings(max_examples=60)
def test_the_same_holds_in_a_field_with_holes_that_no_group_surrounds(layout: Layout) -> None:
    for group in layout.regions.by_name.values():
        inside = enclosed(layout, group)
        if group.is_coloured and all(cell in layout.tiles for point in inside for cell in cells_at(point)):
            assert len(inside) == 3 * sum(not point.white for point in inside) + group.loops
