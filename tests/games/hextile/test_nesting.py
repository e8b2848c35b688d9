from hypothesis import given, settings

from pbem.games.hextile.endings import closed_groups
from pbem.games.hextile.facts import group_facts
from pbem.games.hextile.grid import Colour
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.position import Position
from pbem.games.hextile.regions import around, enclosing, parents
from tests.games.hextile.playing import fields, figure_layout, parents_from_outside, positions, rulesets, turned


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
