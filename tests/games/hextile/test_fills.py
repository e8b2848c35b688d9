from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.diagrams.hextile.parse import read
from pbem.games.hextile import fills
from pbem.games.hextile.fills import Laid
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import Layout, survey
from pbem.games.hextile.position import Position
from pbem.games.hextile.ruleset import Auto, Ruleset
from tests.games.hextile.playing import STATES, arranged, figure, placements, positions, rules_of, start

RULES = start().rules
SUPPLY = {"O bridge": 9, "X bridge": 9}
MIDDLE = Cell(0, 1)


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


FULL = rules_of("mambo mamba")
HERE = Cell(0, 0)


def _fill_fully(tiles: dict[tuple[int, int], int], number: int, supply: int = 9) -> tuple[Layout, list[Laid]]:
    """Lay one tile in the middle among others, with full auto moves."""
    layout = survey({Cell(*cell): FULL.states[each] for cell, each in tiles.items()}, FULL.states)
    after, left, laid = fills.lay(FULL, layout, {"tile": supply}, HERE, FULL.states[number])
    assert left == {"tile": supply - len(laid)}
    return after, list(laid)


def _told(laid: list[Laid]) -> list[tuple[tuple[int, int], int, bool]]:
    return [(tile.cell, tile.state.number, tile.automatic) for tile in laid]


def test_full_auto_moves_fill_spaces_with_two_alike_corners_and_go_on_from_there() -> None:
    _, laid = _fill_fully({(0, 1): 2, (-1, 2): 5}, 3)
    assert _told(laid) == [((0, 0), 3, False), ((-1, 1), 1, True), ((-2, 2), 4, True)]


def test_limited_auto_moves_wait_for_the_third_corner() -> None:
    before = survey({Cell(0, 1): FULL.states[2], Cell(-1, 2): FULL.states[5]}, FULL.states)
    _, _, laid = fills.lay(rules_of("mambo"), before, {"tile": 9}, HERE, FULL.states[3])
    assert len(laid) == 1


def test_among_spaces_that_are_ready_at_once_the_upper_one_is_filled_first() -> None:
    _, laid = _fill_fully({(0, -1): 1, (1, -1): 2}, 1)
    assert _told(laid) == [((0, 0), 1, False), ((-1, 0), 4, True), ((1, 0), 3, True)]


def test_of_two_spaces_that_compete_for_a_corner_the_later_one_is_left_a_null_point() -> None:
    after, laid = _fill_fully({(2, -2): 2, (-1, 0): 2, (2, 0): 6}, 3)
    assert _told(laid) == [((0, 0), 3, False), ((1, -1), 3, True), ((2, -1), 5, True)]
    assert after.null_points == (Cell(1, 0),)
    assert after.spaces[Cell(1, 0)].decided == "xxx"


@pytest.mark.parametrize("supply", [1, 2, 3])
def test_full_auto_moves_end_with_the_supply(supply: int) -> None:
    _, laid = _fill_fully({(0, 1): 2, (-1, 2): 5}, 3, supply)
    assert len(laid) == supply


@given(positions(st.sampled_from(["mambo", "superbo", "superbo single any_colour"]).map(rules_of)), st.randoms())
@settings(max_examples=40)
def test_the_order_of_limited_auto_moves_does_not_matter_while_tiles_last(position: Position, chance: Random) -> None:
    # what waits because a kind has run out would be filled out of the plenty
    assume(not any(set(space.decided) == {"o", "x"} for space in position.layout.spaces.values()))
    plenty = dict.fromkeys(position.supply, 99)
    for step in placements(position):
        state = position.rules.states[step.state]
        layout, left, _ = fills.lay(position.rules, position.layout, plenty, step.cell, state)
        other, other_left = _fill_in_any_order(position.layout.lay(step.cell, state), position.rules, chance)
        assert layout.tiles == other.tiles
        assert {kind: count - (kind == state.kind) + other_left[kind] for kind, count in plenty.items()} == left


def _fill_in_any_order(layout: Layout, rules: Ruleset, chance: Random) -> tuple[Layout, Counter[str]]:
    """Fill every space that three unlike corners decide; also tell how the supply changes."""
    used: Counter[str] = Counter()
    while True:
        ready = [cell for cell, space in layout.spaces.items() if set(space.decided) == {"o", "x"}]
        if not ready:
            return layout, used
        cell = chance.choice(ready)
        (state,) = rules.states.fitting(layout.spaces[cell].decided)
        layout = layout.lay(cell, state)
        used[state.kind] -= 1
