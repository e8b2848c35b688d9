"""The figures of the rules pages, drawn and read, and what they show."""

import re

import pytest

from pbem.diagrams.hextile.letters import draw
from pbem.diagrams.hextile.parse import read
from pbem.games.game import Ending, Outcome
from pbem.games.hextile import fills
from pbem.games.hextile.endings import closed_groups, judge, killed
from pbem.games.hextile.facts import group_facts
from pbem.games.hextile.grid import SE, Cell, Colour, corners
from pbem.games.hextile.layout import survey
from pbem.games.hextile.regions import around
from tests.games.hextile.playing import FIGURE_NAMES, MARKED, figure, figure_layout, rules_of


@pytest.mark.parametrize("name", FIGURE_NAMES)
def test_a_figure_is_drawn_as_it_was_printed(name: str) -> None:
    assert draw(figure_layout(name).tiles, MARKED.get(name)) == figure(name)


@pytest.mark.parametrize("name", FIGURE_NAMES)
def test_a_figure_is_read_without_its_marks_too(name: str) -> None:
    layout = figure_layout(name)
    assert read(draw(layout.tiles), layout.states) == layout.tiles


@pytest.mark.parametrize("name", [name for name in FIGURE_NAMES if "/tile_" in name])
def test_a_tile_alone_has_the_state_of_its_number(name: str) -> None:
    number = re.search("tile_([0-9]+)", name)
    assert number is not None
    assert [state.number for state in figure_layout(name).tiles.values()] == [int(number[1])]


@pytest.mark.parametrize("game", ["mambo", "superbo"])
@pytest.mark.parametrize("last", [Cell(0, 0), Cell(0, 2)])
def test_the_tile_that_decides_the_third_corner_leads_from_one_figure_to_the_other(game: str, last: Cell) -> None:
    rules, before, after = rules_of(game), figure_layout(f"{game}/auto_before"), figure_layout(f"{game}/auto_after")
    without = survey({cell: state for cell, state in before.tiles.items() if cell != last}, rules.states)
    layout, _, laid = fills.lay(rules, without, rules.supply, last, before.tiles[last])
    assert layout.tiles == after.tiles
    assert [(tile.cell, tile.automatic) for tile in laid] == [(last, False), (Cell(0, 1), True)]


def test_the_eye_of_superbo_is_a_win_of_o_alone() -> None:
    layout = figure_layout("superbo/o_wins_eye")
    (group,) = (group for group in group_facts(layout) if group.closed and group.colour is Colour.O and group.bridges)
    assert (group.bridges, group.loops, group.eyes) == (4, 1, 1)
    assert not list(closed_groups(layout.regions, Colour.X))
    rules = rules_of("superbo")
    assert judge(layout, rules.wins, rules.colours, mover=1) == Outcome((0,), Ending.EYE)


def test_the_closed_group_of_lambo_is_a_win_of_dark_alone() -> None:
    layout, rules = figure_layout("lambo/dark_wins"), rules_of("lambo")
    (group,) = closed_groups(layout.regions, Colour.O)
    (tip,) = closed_groups(layout.regions, Colour.WHITE)
    assert (group.bridges, tip.bridges) == (1, 0)
    outside = around(layout.regions, group)
    assert outside is not None
    assert outside.colour is Colour.WHITE
    assert judge(layout, rules.wins, rules.colours, mover=0) == Outcome((1,), Ending.CLOSED)


def test_nothing_fits_the_null_point_of_mambo() -> None:
    layout = figure_layout("mambo/null_point")
    assert layout.null_points == (Cell(0, 1),)
    assert layout.spaces[Cell(0, 1)].decided == "ooo"
    assert killed(layout) == ()


def test_in_the_ladder_of_mambo_one_mouth_is_left_to_a_lone_tip() -> None:
    layout = figure_layout("mambo/ladder_before")
    tip = layout.regions.at(corners(Cell(0, 0))[SE])
    assert tip is not None
    assert (tip.colour, tip.bridges, tip.ways_out) == (Colour.X, 0, 1)
    assert tip.points[0] in corners(Cell(1, 0))
    closed = layout.lay(Cell(1, 0), layout.states[1])
    assert [group.colour for group in killed(closed)] == [Colour.X]
