from dataclasses import replace

import pytest

from pbem.diagrams.parse import read
from pbem.games.hextile import fills
from pbem.games.hextile.fills import Laid
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import survey
from pbem.games.hextile.position import Position
from pbem.games.hextile.ruleset import Auto
from tests.games.hextile.playing import STATES, arranged, figure, start

RULES = start().rules
SUPPLY = {"O bridge": 9, "X bridge": 9}
MIDDLE = Cell(0, 1)


@pytest.mark.parametrize("last", [Cell(0, 0), Cell(0, 2)])
def test_the_tile_that_decides_the_third_corner_leads_from_one_figure_to_the_other(last: Cell) -> None:
    before, after = (read(figure(f"superbo/auto_{name}"), STATES) for name in ("before", "after"))
    state = before.pop(last)
    layout, _, laid = fills.lay(RULES, survey(before, STATES), SUPPLY, last, state)
    assert dict(layout.tiles) == after
    assert [(tile.cell, tile.automatic) for tile in laid] == [(last, False), (MIDDLE, True)]


def test_without_auto_moves_the_space_stays_empty() -> None:
    before = read(figure("superbo/auto_before"), STATES)
    state = before.pop(Cell(0, 0))
    rules = replace(RULES, auto=Auto.NONE)
    layout, _, laid = fills.lay(rules, survey(before, STATES), SUPPLY, Cell(0, 0), state)
    assert len(laid) == 1
    assert MIDDLE in layout.spaces


@pytest.mark.parametrize(("decided", "number"), [("xoo", 1), ("oxx", 4), ("xxo", 6)])
def test_three_unlike_corners_force_the_one_state_that_fits(decided: str, number: int) -> None:
    assert RULES.forced[decided] == STATES[number]


@pytest.mark.parametrize("decided", ["ooo", "xxx", "oo.", "..."])
def test_a_space_that_several_states_fit_is_left_to_the_players(decided: str) -> None:
    assert RULES.forced[decided] is None


def two_ready() -> tuple[Position, Cell]:
    """Two spaces, (0, 0) above (0, 1), that wait for their common corner: a tile in (1, 0)."""
    return arranged({(0, -1): 7, (-1, 1): 7, (1, 1): 10}), Cell(1, 0)


def _fill(supply: dict[str, int]) -> tuple[Laid, ...]:
    position, cell = two_ready()
    (state,) = (s for s in position.fitting_at(cell) if s.number == 5)
    return fills.lay(RULES, position.layout, supply, cell, state)[2]


def test_spaces_fill_from_top_to_bottom() -> None:
    laid = _fill(SUPPLY)
    assert [tile.cell for tile in laid if tile.automatic] == [Cell(0, 0), Cell(0, 1)]


def test_a_kind_that_has_run_out_fills_nothing_and_the_others_go_on() -> None:
    kinds = [tile.state.kind for tile in _fill(SUPPLY)]
    assert kinds == ["X bridge", "O bridge", "X bridge"]
    laid = _fill({"O bridge": 0, "X bridge": 2})
    assert [tile.cell for tile in laid if tile.automatic] == [Cell(0, 1)]


def test_what_fills_comes_out_of_the_supply() -> None:
    position, cell = two_ready()
    _, left, laid = fills.lay(RULES, position.layout, SUPPLY, cell, STATES[5])
    assert sum(SUPPLY.values()) - sum(left.values()) == len(laid)
    assert SUPPLY == {"O bridge": 9, "X bridge": 9}
