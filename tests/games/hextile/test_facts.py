"""The facts of a position, counted again in other ways."""

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.diagrams.hextile.parse import read
from pbem.games.hextile.endings import killed
from pbem.games.hextile.facts import (
    Group,
    group_facts,
    groups_json,
    has_null_points,
    null_points_json,
    spaces_json,
    tiles_json,
)
from pbem.games.hextile.grid import Cell, Colour, Point, cells_at, corners, neighbours, reading_order, white_points
from pbem.games.hextile.layout import Layout, survey
from pbem.games.hextile.regions import Region
from tests.games.hextile.playing import (
    GAMES,
    figure_layout,
    parents_from_outside,
    playthroughs,
    positions,
    rules_of,
    start,
)


@cache
def ends() -> list[Layout]:
    """The last positions of whole games, as they were drawn."""
    told = [(rules_of(game).states, each["expected"]["drawing"]) for game in GAMES for each in playthroughs(game)]
    return [survey(read("\n".join(drawing), states), states) for states, drawing in told]


layouts = st.one_of(
    st.sampled_from(sorted(GAMES))
    .flatmap(lambda game: positions(game, most_steps=45))
    .map(lambda position: position.layout),
    st.deferred(lambda: st.sampled_from(ends())),
)


def fits_by_hand(layout: Layout, cell: Cell) -> bool:
    """Return True if some state shows in a cell what the tiles around it show at their common corners."""
    seen = {
        point: colour
        for beside in neighbours(cell)
        if beside in layout.tiles
        for point, colour in zip(corners(beside), layout.tiles[beside].colours, strict=True)
    }
    return any(
        all(seen.get(point, colour) == colour for point, colour in zip(corners(cell), state.colours, strict=True))
        for state in layout.states
    )


def region_of(layout: Layout, group: Group) -> Region:
    region = layout.regions.at(group.points[0])
    assert region is not None
    return region


@given(layouts)
@settings(max_examples=80)
def test_the_groups_are_the_regions(layout: Layout) -> None:
    groups = group_facts(layout)
    assert sorted(point for group in groups for point in group.points) == sorted(layout.regions.names)
    for group in groups:
        region = region_of(layout, group)
        assert set(group.points) == set(region.points)
        assert (group.colour, group.bridges, group.loops) == (region.colour, region.bridges, region.loops)
        assert group.loops == group.bridges - len(group.points) + 1


@given(layouts)
@settings(max_examples=80)
def test_liberties_are_the_spaces_around_that_a_state_fits_each_once(layout: Layout) -> None:
    for group in group_facts(layout):
        around = {cell for point in group.points for cell in cells_at(point)}
        empty = around - layout.tiles.keys()
        assert sorted(group.liberties) == sorted(cell for cell in empty if fits_by_hand(layout, cell))
        assert sorted(group.tiles) == sorted(around - empty)
        assert group.closed == (not empty)


@given(layouts)
@settings(max_examples=80)
def test_killed_is_who_has_no_way_out_but_null_points(layout: Layout) -> None:
    dead = {region.points[0] for region in killed(layout)}
    for group in group_facts(layout):
        in_mambo = layout.states == rules_of("mambo").states
        assert group.killed == (not dead.isdisjoint(group.points) if in_mambo else None)


@given(layouts)
@settings(max_examples=60)
def test_parents_are_met_on_the_way_inwards_and_eyes_are_closed_white_children(layout: Layout) -> None:
    groups = group_facts(layout)
    outside = {layout.regions.names[group.points[0]]: group for group in groups}
    found = parents_from_outside(layout) if layout.tiles else {}
    for group in groups:
        parent = found[layout.regions.names[group.points[0]]]
        assert (None if group.parent is None else groups[group.parent]) == (None if parent is None else outside[parent])
        inside = [child for child in groups if child.parent is not None and groups[child.parent] is group]
        assert group.eyes == sum(child.closed and child.colour is Colour.WHITE for child in inside)


@given(layouts)
@settings(max_examples=60)
def test_territory_is_what_bridges_part_from_outside(layout: Layout) -> None:
    for group in group_facts(layout):
        assert group.territory == (len(parted_from_outside(layout, group)) if group.loops else 0)


def parted_from_outside(layout: Layout, group: Group) -> set[Point]:
    """The points that no chain of points joins to the outermost cell, two in a row being on one side of a cell."""
    tiles = [Cell(q, r) for q, r in layout.tiles]
    cells = {cell for tile in tiles for beside in neighbours(tile) for cell in neighbours(beside)}
    together: dict[Point, set[Point]] = {}
    for cell in cells:
        for side in sides(layout, group, cell):
            joined = set().union(side, *(together.get(point, ()) for point in side))
            together.update(dict.fromkeys(joined, joined))
    outside = together[corners(min(cells))[0]]
    return together.keys() - outside - set(group.points)


def sides(layout: Layout, group: Group, cell: Cell) -> list[set[Point]]:
    """The points of a cell, those of the group left out, as a bridge of the group parts them."""
    coloured, white = corners(cell), white_points(cell)
    free = {*coloured, *white} - set(group.points)
    state = layout.tiles.get(cell)
    if state is None:
        return [free]
    own, other = (white, coloured) if group.colour is Colour.WHITE else (coloured, white)
    if own[state.ends[0]] not in group.points:
        return [free]
    beyond = {other[state.tip_at]}
    return [beyond, free - beyond]


@given(layouts)
@settings(max_examples=60)
def test_territory_holds_all_that_lies_inside(layout: Layout) -> None:
    groups = group_facts(layout)
    held = [0] * len(groups)
    for group in groups:
        outer = group.parent
        while outer is not None:
            held[outer] += len(group.points)
            outer = groups[outer].parent
    assert all(group.territory >= points for group, points in zip(groups, held, strict=True))


@given(layouts)
@settings(max_examples=60)
def test_the_order_is_that_of_reading(layout: Layout) -> None:
    def drawn_at(point: Point) -> tuple[int, int]:
        """The line and the column of the character at a point."""
        cell = Cell(point.q, point.r)
        assert point in (corners(cell)[0], white_points(cell)[0])
        return 4 * cell.r + 2 * cell.q, 6 * cell.q + (9 if point.white else 1)

    places = [[drawn_at(point) for point in group.points] for group in group_facts(layout)]
    assert all(place == sorted(place) for place in places)
    assert places == sorted(places, key=lambda place: place[0])


@given(layouts)
@settings(max_examples=60)
def test_the_json_says_the_same(layout: Layout) -> None:
    groups = group_facts(layout)
    tiles, spaces = tiles_json(layout.tiles), spaces_json(layout)
    assert [(each["q"], each["r"]) for each in tiles] == sorted(layout.tiles, key=reading_order)
    assert {(each["q"], each["r"]) for each in spaces} == set(layout.spaces)
    blocked = [{"q": each["q"], "r": each["r"]} for each in spaces if each["states"] == []]
    assert null_points_json(layout) == blocked
    assert [each["liberties"] for each in groups_json(groups)] == [len(group.liberties) for group in groups]
    told = (tiles, spaces, groups_json(groups))
    assert json.loads(json.dumps(told)) == list(told)


@pytest.mark.parametrize("game", GAMES)
def test_the_groups_of_whole_games_come_out_as_told(game: str) -> None:
    for told in playthroughs(game):
        position = GAMES[game].begin(told["record"]["options"], 2)
        for turn in told["record"]["turns"]:
            position = GAMES[game].play_input(position, GAMES[game].input_steps(position, turn))
        expected = told["expected"]["groups"]
        groups = [{name: group[name] for name in expected[0]} for group in groups_json(group_facts(position.layout))]
        assert sorted(groups, key=json.dumps) == sorted(expected, key=json.dumps)


def test_only_mambo_has_null_points() -> None:
    assert [game for game in sorted(GAMES) if has_null_points(rules_of(game).states)] == ["mambo"]


def test_the_closed_group_of_superbo_has_an_eye_and_lies_in_white() -> None:
    groups = group_facts(figure_layout("superbo/o_wins_eye"))
    (number,) = (number for number, group in enumerate(groups) if group.eyes)
    group = groups[number]
    assert group.parent is not None
    assert groups[group.parent].colour is Colour.WHITE
    assert [child.colour for child in groups if child.parent == number] == [Colour.WHITE]
    assert groups_json([group]) == [
        {
            "colour": "o",
            "bridges": 4,
            "loops": 1,
            "closed": True,
            "liberties": 0,
            "eyes": 1,
            "territory": 1,
            "points": 4,
            "parent": group.parent,
        }
    ]


def test_the_tip_in_the_ladder_of_mambo_has_one_liberty() -> None:
    layout = figure_layout("mambo/ladder_before")
    (tip,) = (group for group in group_facts(layout) if group.colour is Colour.X)
    assert (tip.liberties, tip.tiles, tip.killed) == ((Cell(1, 0),), (Cell(0, 0), Cell(0, 1)), False)


def test_the_null_point_of_mambo_is_a_space_where_nothing_fits_and_no_liberty() -> None:
    layout = figure_layout("mambo/null_point")
    assert null_points_json(layout) == [{"q": 0, "r": 1}]
    assert {"q": 0, "r": 1, "states": []} in spaces_json(layout)
    assert all(Cell(0, 1) not in group.liberties for group in group_facts(layout))


def test_a_tile_is_told_with_its_colours_and_the_corner_of_its_tip() -> None:
    layout = figure_layout("superbo/tile_05_Xo")
    assert tiles_json(layout.tiles) == [{"q": 0, "r": 0, "state": 5, "bridge": "x", "tip": "o", "corner": "NE"}]


def test_an_empty_table_has_one_space_and_no_group() -> None:
    layout = start("mambo").layout
    assert (group_facts(layout), tiles_json(layout.tiles)) == ([], [])
    assert spaces_json(layout) == [{"q": 0, "r": 0, "states": [1, 2, 3, 4, 5, 6]}]
