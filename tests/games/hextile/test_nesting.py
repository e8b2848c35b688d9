from collections import deque

from hypothesis import given, settings

from pbem.games.hextile.endings import closed_groups
from pbem.games.hextile.facts import group_facts
from pbem.games.hextile.grid import Cell, Colour, Point, corners, neighbours, white_points
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.position import Position
from pbem.games.hextile.regions import around, enclosing, parents
from tests.games.hextile.playing import fields, figure_layout, positions, rulesets, turned

Node = frozenset[Point | Cell]


def nodes(layout: Layout) -> dict[Point | Cell, Node]:
    """For every region and space what it lies together with: open ones with the empty area they touch."""
    together: dict[Point | Cell, set[Point | Cell]] = {}
    together.update({name: {name} for name in layout.regions.by_name})
    together.update({space: {space} for space in layout.spaces})
    for space in layout.spaces:
        names = layout.regions.names
        others: list[Point | Cell] = [cell for cell in neighbours(space) if cell in layout.spaces]
        others += [names[point] for point in corners(space) + white_points(space) if point in names]
        for other in others:
            if together[other] is not together[space]:
                merged = together[other] | together[space]
                together.update(dict.fromkeys(merged, merged))
    return {thing: frozenset(parts) for thing, parts in together.items()}


def borders(layout: Layout, where: dict[Point | Cell, Node]) -> dict[Node, set[Node]]:
    """What meets what along the three borders on each tile."""
    names, meets = layout.regions.names, dict[Node, set[Node]]()
    for cell, state in layout.tiles.items():
        one, _ = state.ends
        tip, bridge = corners(cell)[state.tip_at], corners(cell)[one]
        white_tip, white_bridge = white_points(cell)[state.tip_at], white_points(cell)[one]
        for left, right in ((tip, white_bridge), (white_bridge, bridge), (bridge, white_tip)):
            a, b = where[names[left]], where[names[right]]
            if a != b:
                meets.setdefault(a, set()).add(b)
                meets.setdefault(b, set()).add(a)
    return meets


def parents_from_outside(layout: Layout) -> dict[Point, Point | None]:
    """Walk inwards from the outer sea: what is met from outside lies directly inside."""
    where = nodes(layout)
    meets = borders(layout, where)
    outermost = where[min(layout.spaces, key=lambda cell: cell.q)]
    met_from: dict[Node, Node | None] = {outermost: None}
    to_visit = deque([outermost])
    while to_visit:
        here = to_visit.popleft()
        for inner in meets.get(here, ()):
            if inner not in met_from:
                met_from[inner] = here
                to_visit.append(inner)
    found: dict[Point, Point | None] = {}
    for name in layout.regions.by_name:
        outer = met_from[where[name]]
        found[name] = None if outer is None else _bordering(layout, where, outer, where[name])
    return found


def _bordering(layout: Layout, where: dict[Point | Cell, Node], outer: Node, inner: Node) -> Point:
    """The region of the outer node that meets the inner one."""
    names = layout.regions.names
    for cell, state in layout.tiles.items():
        one, _ = state.ends
        tip, bridge = corners(cell)[state.tip_at], corners(cell)[one]
        white_tip, white_bridge = white_points(cell)[state.tip_at], white_points(cell)[one]
        for pair in ((tip, white_bridge), (white_bridge, bridge), (bridge, white_tip)):
            for left, right in (pair, pair[::-1]):
                if where[names[left]] == outer and where[names[right]] == inner:
                    return names[left]
    raise AssertionError("nodes that meet have a border")


@given(positions(rulesets(), most_steps=60))
@settings(max_examples=60)
def test_a_region_lies_in_the_one_met_on_the_way_inwards(position: Position) -> None:
    layout = position.layout
    assert parents(layout.regions, layout.spaces) == parents_from_outside(layout)


@given(fields())
@settings(max_examples=60)
def test_regions_lie_in_each_other_as_they_are_met_on_the_way_inwards(layout: Layout) -> None:
    regions, brute = layout.regions, parents_from_outside(layout)
    assert parents(regions, layout.spaces) == brute
    for name, region in regions.by_name.items():
        outward, at = [], brute[name]
        while at is not None:
            outward.append(regions.by_name[at])
            at = brute[at]
        assert list(enclosing(regions, layout.spaces, region)) == outward


def test_the_white_in_the_winning_group_of_the_figure_has_the_group_around_it() -> None:
    layout = figure_layout("superbo/o_wins_eye")
    (group,) = (region for region in layout.regions.closed if region.bridges)
    assert group.colour is Colour.O
    white = closed_groups(layout.regions, Colour.WHITE)
    assert [eye.bridges for eye in white if around(layout.regions, eye) is group] == [0]


def test_the_white_around_a_closed_group_is_no_eye_of_it() -> None:
    layout = figure_layout("superbo/o_wins_eye")
    (group,) = (region for region in layout.regions.closed if region.bridges)
    outside = around(layout.regions, group)
    assert outside is not None
    assert not outside.closed


@given(positions(rulesets(), most_steps=60))
@settings(max_examples=20)
def test_turning_the_table_leaves_eyes_and_nesting_as_they_are(position: Position) -> None:
    assert _summary(position.layout) == _summary(turned(position.layout))


def _summary(layout: Layout) -> list[tuple[str, int, int, int, bool]]:
    return sorted(
        (str(group.colour), group.bridges, len(group.liberties), group.eyes, group.parent is None)
        for group in group_facts(layout)
    )
