from collections import Counter

from hypothesis import given, settings

from pbem.games.hextile.grid import Cell, Point, State, cells_at, corners, white_points
from pbem.games.hextile.layout import Layout, survey
from pbem.games.hextile.position import Position
from pbem.games.hextile.regions import Regions
from tests.games.hextile.playing import STATES, fields, figure_layout, positions, rulesets

Facts = tuple[str, frozenset[Point], int, int]


def recount(tiles: dict[Cell, State]) -> Counter[Facts]:
    """All regions by flooding the points, with no memory of how the tiles came."""
    colour: dict[Point, str] = {}
    joins: dict[Point, list[Point]] = {}
    for cell, state in tiles.items():
        colour.update(zip(corners(cell), map(str, state.colours), strict=True))
        colour.update(dict.fromkeys(white_points(cell), "white"))
        for points in (corners(cell), white_points(cell)):
            one, other = (point for index, point in enumerate(points) if index != state.tip_at)
            joins.setdefault(one, []).append(other)
            joins.setdefault(other, []).append(one)
    found: Counter[Facts] = Counter()
    left = set(colour)
    while left:
        region = flood({left.pop()}, joins)
        left -= region
        bridges = sum(len(joins.get(point, ())) for point in region) // 2
        ways_out = sum(cell not in tiles for point in region for cell in cells_at(point))
        found[colour[next(iter(region))], frozenset(region), bridges, ways_out] += 1
    return found


def flood(region: set[Point], joins: dict[Point, list[Point]]) -> set[Point]:
    while more := {other for point in region for other in joins.get(point, ())} - region:
        region |= more
    return region


@given(positions(rulesets()))
@settings(max_examples=40)
def test_regions_kept_tile_by_tile_are_those_counted_afresh(position: Position) -> None:
    regions = position.layout.regions
    kept = Counter(
        (str(region.colour), frozenset(region.points), region.bridges, region.ways_out)
        for region in regions.by_name.values()
    )
    assert kept == recount(dict(position.layout.tiles))


@given(fields())
@settings(max_examples=40)
def test_regions_of_a_field_with_holes_are_those_counted_afresh(layout: Layout) -> None:
    kept = Counter(
        (str(region.colour), frozenset(region.points), region.bridges, region.ways_out)
        for region in layout.regions.by_name.values()
    )
    assert kept == recount(dict(layout.tiles))


@given(positions(rulesets()))
@settings(max_examples=20)
def test_every_point_is_in_the_region_that_has_its_name(position: Position) -> None:
    regions = position.layout.regions
    assert all(point in regions.by_name[name].points for point, name in regions.names.items())
    assert set(regions.closed) == {region for region in regions.by_name.values() if region.closed}


def test_a_lone_tile_has_a_bridge_and_a_tip_of_each_sort() -> None:
    regions = Regions().lay(Cell(0, 0), STATES[1])
    counted = sorted((str(region.colour), region.bridges) for region in regions.by_name.values())
    assert counted == [("o", 1), ("white", 0), ("white", 1), ("x", 0)]
    assert not regions.closed


def test_laying_a_tile_leaves_the_old_regions_as_they_were() -> None:
    before = Regions().lay(Cell(0, 0), STATES[1])
    names = dict(before.names)
    before.lay(Cell(1, 0), STATES[2])
    assert before.names == names


def test_a_ring_of_bridges_is_one_loop() -> None:
    regions = figure_layout("superbo/o_wins_eye").regions
    (group,) = (region for region in regions.closed if region.bridges)
    assert (group.bridges, len(group.points), group.loops) == (4, 4, 1)


def test_a_chain_of_bridges_has_no_loop() -> None:
    regions = survey({Cell(0, 0): STATES[9], Cell(1, -1): STATES[9]}, STATES).regions
    assert {region.loops for region in regions.by_name.values()} == {0}
