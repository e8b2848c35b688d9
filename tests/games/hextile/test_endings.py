import pytest

from pbem.diagrams.parse import read
from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import break_tie, closed_groups, judge, kills_with_eye, largest_group
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import survey
from pbem.games.hextile.regions import Regions
from pbem.games.hextile.tiles import Colour
from tests.games.hextile.playing import STATES, figure

COLOURS = (Colour.O, Colour.X)


def figure_regions() -> Regions:
    return survey(read(figure("superbo/o_wins_eye"), STATES)).regions


def both(regions: Regions, colour: Colour) -> bool:
    """A condition that everybody has met."""
    return bool(regions) and colour in COLOURS


@pytest.mark.parametrize("mover", [0, 1])
def test_the_owner_of_a_closed_group_with_an_eye_wins_whoever_closed_it(mover: int) -> None:
    assert judge(figure_regions(), [kills_with_eye], COLOURS, mover) == Outcome((0,), Ending.KILLED)


def test_a_closed_group_without_an_eye_wins_nothing() -> None:
    tiles = read(figure("superbo/o_wins_eye"), STATES)
    without = survey({cell: state for cell, state in tiles.items() if cell != Cell(0, 1)}).regions
    assert judge(without, [kills_with_eye], COLOURS, mover=0) is None


@pytest.mark.parametrize("mover", [0, 1])
def test_when_both_meet_a_condition_the_mover_loses(mover: int) -> None:
    assert judge(Regions(), [both], COLOURS, mover) == Outcome((1 - mover,), Ending.KILLED)


def test_a_lone_tip_is_no_group_to_close() -> None:
    regions = figure_regions()
    assert [group.bridges for group in closed_groups(regions, Colour.O)] == [4]
    assert closed_groups(regions, Colour.X) == ()


def test_the_largest_group_wins_when_nothing_is_left() -> None:
    regions = figure_regions()
    assert (largest_group(regions, Colour.O), largest_group(regions, Colour.X)) == (4, 1)
    assert break_tie(regions, largest_group, COLOURS) == Outcome((0,), Ending.SUPPLY_EMPTY)


def test_equal_groups_are_a_draw() -> None:
    regions = survey({Cell(0, 0): STATES[1], Cell(0, 9): STATES[4]}).regions
    assert break_tie(regions, largest_group, COLOURS) == Outcome((), Ending.SUPPLY_EMPTY)


def test_no_group_ranks_below_one_without_a_bridge() -> None:
    regions = survey({Cell(0, 0): STATES[10]}).regions
    assert largest_group(regions, Colour.O) < 0
