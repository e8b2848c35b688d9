import pytest
from hypothesis import given, settings

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import (
    Closes,
    ClosesWithEye,
    Condition,
    Contains,
    Eats,
    Kills,
    MakesLoops,
    closed_groups,
    judge,
    killed,
)
from pbem.games.hextile.grid import Colour
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.regions import parents
from tests.games.hextile.playing import fields, figure_layout
from tests.games.hextile.tables import (
    BOTH_CLOSED,
    BOTH_CLOSED_IN,
    BOTH_HAVE_EATEN_ONE,
    BOTH_KILLED_BY_NULL_POINTS,
    BOTH_LOOP,
    BOTH_WITH_EYES,
    CLOSED_DARK_HAS_EATEN_TWO,
    COLOURS,
    DARK_CONTAINS,
    DARK_HAS_EATEN_A_BRIDGE,
    DARK_HAS_EATEN_TWO_LIGHT_ONE,
    EYE,
    KILLED_BY_NULL_POINTS,
    LIGHT_AND_DARK_CLOSED,
    LIGHT_CONTAINS,
    LIGHT_DARK,
    ONE_WAY_IS_NO_NULL_POINT,
    OPEN_DARK_HAS_EATEN_TWO,
    TIP_KILLED_BY_A_NULL_POINT,
    TWO_LOOPS,
    X_CLOSED_IN,
)


def met(condition: Condition, layout: Layout, colours: tuple[Colour, Colour]) -> tuple[int, int]:
    """The progress of both colours' players towards a condition."""
    return condition(layout, *colours), condition(layout, *colours[::-1])


@pytest.mark.parametrize(
    ("condition", "layout", "expected"),
    [
        (Kills(), X_CLOSED_IN, (1, 0)),
        (Kills(), BOTH_CLOSED_IN, (1, 1)),
        (Kills(), BOTH_KILLED_BY_NULL_POINTS, (1, 1)),
        (Kills(), KILLED_BY_NULL_POINTS, (1, 0)),
        (Kills(), TIP_KILLED_BY_A_NULL_POINT, (1, 0)),
        (Kills(), ONE_WAY_IS_NO_NULL_POINT, (0, 0)),
        (Kills(), figure_layout("mambo/auto_after"), (0, 0)),
        (MakesLoops(1), BOTH_LOOP, (1, 1)),
        (MakesLoops(2), BOTH_LOOP, (0, 0)),
        (MakesLoops(1), TWO_LOOPS, (1, 0)),
        (MakesLoops(2), TWO_LOOPS, (1, 0)),
        (MakesLoops(3), TWO_LOOPS, (0, 0)),
        (Closes(), EYE, (1, 0)),
        (Closes(4), EYE, (1, 0)),
        (Closes(5), EYE, (0, 0)),
        (Closes(1, enemy=True), EYE, (0, 1)),
        (Closes(5, enemy=True), EYE, (0, 0)),
        (Closes(), BOTH_CLOSED, (1, 1)),
        (Closes(0), figure_layout("superbo/auto_after"), (0, 0)),
        (ClosesWithEye(), EYE, (1, 0)),
        (ClosesWithEye(4), EYE, (1, 0)),
        (ClosesWithEye(5), EYE, (0, 0)),
        (ClosesWithEye(), BOTH_CLOSED, (0, 0)),
        (ClosesWithEye(), BOTH_WITH_EYES, (1, 1)),
    ],
)
def test_o_and_x_meet_a_condition_or_do_not(condition: Condition, layout: Layout, expected: tuple[int, int]) -> None:
    assert met(condition, layout, COLOURS) == expected


@pytest.mark.parametrize(
    ("condition", "layout", "expected"),
    [
        (Closes(), LIGHT_AND_DARK_CLOSED, (1, 1)),
        (Closes(), figure_layout("lambo/dark_wins"), (0, 1)),
        (Contains(), DARK_CONTAINS, (0, 1)),
        (Contains(), LIGHT_CONTAINS, (1, 0)),
        (Contains(), figure_layout("lambo/light_contains_through_a_hole"), (1, 0)),
        (Contains(), OPEN_DARK_HAS_EATEN_TWO, (0, 0)),
        (Eats(2), OPEN_DARK_HAS_EATEN_TWO, (0, 2)),
        (Eats(3), OPEN_DARK_HAS_EATEN_TWO, (0, 0)),
        (Eats(2), CLOSED_DARK_HAS_EATEN_TWO, (0, 2)),
        (Eats(2), DARK_HAS_EATEN_A_BRIDGE, (0, 0)),
        (Eats(1, 1), DARK_HAS_EATEN_A_BRIDGE, (0, 1)),
        (Eats(1, 2), DARK_HAS_EATEN_A_BRIDGE, (0, 0)),
        (Eats(1), DARK_HAS_EATEN_TWO_LIGHT_ONE, (1, 2)),
        (Eats(1), BOTH_HAVE_EATEN_ONE, (1, 1)),
        (Eats(1), figure_layout("lambo/tile_1"), (0, 0)),
    ],
)
def test_light_and_dark_meet_a_condition_or_do_not(
    condition: Condition, layout: Layout, expected: tuple[int, int]
) -> None:
    assert met(condition, layout, LIGHT_DARK) == expected


def test_a_group_is_killed_when_closed_or_when_every_way_out_is_a_null_point() -> None:
    assert [(group.colour, group.closed, group.bridges) for group in killed(X_CLOSED_IN)] == [(Colour.X, True, 1)]
    assert {(group.colour, group.closed) for group in killed(BOTH_CLOSED_IN)} == {(Colour.O, True), (Colour.X, True)}
    (dead,) = killed(KILLED_BY_NULL_POINTS)
    assert (dead.colour, dead.closed, dead.bridges > 0) == (Colour.X, False, True)
    (dead,) = killed(TIP_KILLED_BY_A_NULL_POINT)
    assert (dead.colour, dead.closed, dead.bridges) == (Colour.X, False, 0)


@given(fields())
@settings(max_examples=80)
def test_eyes_and_what_is_contained_are_what_lies_inside(layout: Layout) -> None:
    regions, inside = layout.regions, parents(layout.regions, layout.spaces)
    own, enemy = (Colour.O, Colour.WHITE) if len(layout.states) == 3 else COLOURS
    eyed, containing = False, False
    for name, region in regions.by_name.items():
        outer, depth = inside[name], 1
        while region.closed and outer is not None:
            around = regions.by_name[outer]
            if around.closed and around.colour is own:
                eyed |= region.colour is Colour.WHITE and depth == 1 and around.bridges > 0
                containing |= region.colour is enemy
            outer, depth = inside[outer], depth + 1
    assert ClosesWithEye()(layout, own, enemy) == eyed
    assert Contains()(layout, own, enemy) == containing


def test_a_lone_tip_is_no_group_to_close() -> None:
    assert [group.bridges for group in closed_groups(EYE.regions, Colour.O, 1)] == [4]
    assert list(closed_groups(EYE.regions, Colour.X, 1)) == []


@pytest.mark.parametrize("mover", [0, 1])
def test_the_owner_of_a_closed_group_with_an_eye_wins_whoever_closed_it(mover: int) -> None:
    assert judge(EYE, [ClosesWithEye()], COLOURS, mover) == Outcome((0,), Ending.EYE)


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(
    ("condition", "layout", "colours"),
    [
        (Kills(), BOTH_CLOSED_IN, COLOURS),
        (MakesLoops(1), BOTH_LOOP, COLOURS),
        (Closes(), BOTH_CLOSED, COLOURS),
        (Closes(enemy=True), BOTH_CLOSED, COLOURS),
        (ClosesWithEye(), BOTH_WITH_EYES, COLOURS),
        (Closes(), LIGHT_AND_DARK_CLOSED, LIGHT_DARK),
        (Eats(1), BOTH_HAVE_EATEN_ONE, LIGHT_DARK),
    ],
)
def test_when_both_meet_a_condition_the_mover_loses(
    condition: Condition, layout: Layout, colours: tuple[Colour, Colour], mover: int
) -> None:
    assert judge(layout, [condition], colours, mover) == Outcome((1 - mover,), condition.ending)


@pytest.mark.parametrize("mover", [0, 1])
def test_of_two_that_eat_at_once_the_one_whose_group_ate_more_wins(mover: int) -> None:
    assert judge(DARK_HAS_EATEN_TWO_LIGHT_ONE, [Eats(1)], LIGHT_DARK, mover) == Outcome((1,), Ending.EATEN)


@pytest.mark.parametrize("mover", [0, 1])
def test_when_each_meets_a_condition_of_his_own_the_mover_loses(mover: int) -> None:
    wins: list[Condition] = [Closes(), ClosesWithEye()]
    assert met(wins[0], BOTH_CLOSED, COLOURS) == (1, 1)
    assert judge(BOTH_CLOSED, wins, COLOURS, mover) == Outcome((1 - mover,), Ending.CLOSED)


@pytest.mark.parametrize("mover", [0, 1])
def test_after_a_swap_the_colours_of_the_seats_count(mover: int) -> None:
    assert judge(EYE, [ClosesWithEye()], COLOURS[::-1], mover) == Outcome((1,), Ending.EYE)


def test_nothing_is_decided_without_conditions() -> None:
    assert judge(EYE, [], COLOURS, mover=0) is None
