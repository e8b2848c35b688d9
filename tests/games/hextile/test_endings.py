import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import ClosesWithEye, break_tie, closed_groups, judge, largest_wins
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import survey
from pbem.games.hextile.tiles import Colour
from tests.games.hextile.playing import STATES, figure_layout

COLOURS = (Colour.O, Colour.X)
EYE = figure_layout("superbo/o_wins_eye")


@pytest.mark.parametrize("mover", [0, 1])
def test_the_owner_of_a_closed_group_with_an_eye_wins_whoever_closed_it(mover: int) -> None:
    assert judge(EYE, [ClosesWithEye()], COLOURS, mover) == Outcome((0,), Ending.EYE)


def test_a_closed_group_without_an_eye_wins_nothing() -> None:
    without = survey({cell: state for cell, state in EYE.tiles.items() if cell != Cell(0, 1)}, STATES)
    assert judge(without, [ClosesWithEye()], COLOURS, mover=0) is None


def test_a_lone_tip_is_no_group_to_close() -> None:
    assert [group.bridges for group in closed_groups(EYE.regions, Colour.O, 1)] == [4]
    assert list(closed_groups(EYE.regions, Colour.X, 1)) == []


def test_the_largest_group_wins_when_nothing_is_left() -> None:
    assert [largest_wins(EYE, *COLOURS), largest_wins(EYE, *COLOURS[::-1])] == [(4,), (1,)]
    assert break_tie(EYE, largest_wins, COLOURS) == Outcome((0,), Ending.SUPPLY_EMPTY)


def test_equal_groups_are_a_draw() -> None:
    layout = survey({Cell(0, 0): STATES[1], Cell(0, 9): STATES[4]}, STATES)
    assert break_tie(layout, largest_wins, COLOURS) == Outcome((), Ending.SUPPLY_EMPTY)


def test_no_group_ranks_below_one_without_a_bridge() -> None:
    layout = survey({Cell(0, 0): STATES[10]}, STATES)
    assert largest_wins(layout, *COLOURS) == (-1,)
