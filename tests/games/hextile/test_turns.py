from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.game import Ending, IllegalMove, Outcome
from pbem.games.hextile import notation
from pbem.games.hextile.grid import Cell, neighbours
from pbem.games.hextile.position import SWAP, Placement, Position
from pbem.games.hextile.superbo import SUPERBO
from tests.games.hextile.playing import (
    VARIANTS,
    after,
    arranged,
    figure_layout,
    naively_legal,
    options_of,
    placements,
    positions,
    rulesets,
    start,
)

RING = dict.fromkeys(neighbours(Cell(0, 0)), 7)
"""Six tiles, all O at their corners, around a hole that three states fit."""


@pytest.mark.parametrize("variant", VARIANTS)
@given(st.data())
@settings(max_examples=12)
def test_legal_steps_are_those_found_by_laying_every_tile(variant: str, data: st.DataObject) -> None:
    position = data.draw(positions(variant, most_steps=14))
    if position.outcome is None:
        assert list(position.legal()) == naively_legal(position)


@given(positions(rulesets(), most_steps=14))
@settings(max_examples=80)
def test_under_any_options_legal_steps_are_those_found_by_laying_every_tile(position: Position) -> None:
    if position.outcome is None:
        assert placements(position) == naively_legal(position)
        assert (SWAP in position.legal()) is position.may_swap


@given(positions(rulesets(), most_steps=12), st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 13))
@settings(max_examples=150)
def test_play_accepts_exactly_the_legal_steps(position: Position, q: int, r: int, state: int) -> None:
    step = Placement(Cell(q, r), state)
    try:
        position.play(step)
    except IllegalMove:
        assert step not in position.legal()
    else:
        assert step in position.legal()


@given(positions(rulesets()))
@settings(max_examples=40)
def test_with_tiles_left_there_is_always_something_legal(position: Position) -> None:
    assert bool(placements(position)) is (position.outcome is None)


def refusal_of(position: Position, text: str) -> notation.IllegalPlacement:
    with pytest.raises(notation.IllegalPlacement) as refused:
        SUPERBO.read_input(position, text)
    return refused.value


def test_a_space_must_have_been_found() -> None:
    refused = refusal_of(start(), "z1")
    assert isinstance(refused, notation.NoSuchSpace)
    assert refused.facts == {"placement": "z1", "which": 1, "space": "Z", "filled": False}


def test_a_space_must_still_be_empty() -> None:
    refused = refusal_of(after("C2"), "c1,g12")
    assert isinstance(refused, notation.NoSuchSpace)
    assert refused.facts["filled"] is True


def test_a_cell_that_is_no_space_is_refused_by_its_coordinates() -> None:
    with pytest.raises(notation.NoSuchSpace) as refused:
        start().play(Placement(Cell(5, -2), 1))
    assert refused.value.facts["space"] == "(5, -2)"


@pytest.mark.parametrize("state", [0, 13, 9999])
def test_a_state_must_be_one_of_the_game(state: int) -> None:
    refused = refusal_of(start(), f"a{state}")
    assert isinstance(refused, notation.NoSuchState)
    assert refused.facts == {
        "placement": f"a{state}", "which": 1, "state": state, "lowest": 1, "highest": 12,
    }  # fmt: skip


def test_decided_corners_must_match() -> None:
    refused = refusal_of(start(), "a12")
    assert isinstance(refused, notation.CornerMismatch)
    assert refused.facts == {
        "placement": "a12", "which": 1, "space": "A", "state": 12,
        "corner": "SE", "needed": "o", "shown": "x",
    }  # fmt: skip


def test_the_supply_must_have_such_a_tile() -> None:
    refused = refusal_of(arranged({(0, 0): 1}, o=0), "a1")
    assert isinstance(refused, notation.NoTileLeft)
    assert refused.facts == {"placement": "a1", "which": 1, "state": 1, "kind": "O bridge"}


def test_a_direction_needs_a_tile_to_point_from() -> None:
    refused = refusal_of(start(), "ne2")
    assert isinstance(refused, notation.NothingToPointFrom)
    assert refused.facts == {"placement": "ne2", "which": 1, "direction": "ne"}


def test_a_direction_must_lead_to_a_space() -> None:
    refused = refusal_of(after("C2"), "g12 sw1")
    assert isinstance(refused, notation.NoSuchSpace)
    assert refused.facts == {"placement": "sw1", "which": 2, "space": "sw", "filled": True}


def test_the_tiles_of_a_turn_must_be_joined() -> None:
    refused = refusal_of(after("C2"), "a1,d1")
    assert isinstance(refused, notation.NotJoined)
    assert refused.facts == {"placement": "d1", "which": 2, "joined": "connected"}


@pytest.mark.parametrize("variant", ["superbo adjacent_pair", "lambo", "palago"])
def test_the_two_tiles_must_touch_where_the_game_says_so(variant: str) -> None:
    game, _ = options_of(variant)
    with pytest.raises(notation.NotJoined) as refused:
        game.read_input(after("C2", variant=variant), "a1,d1")
    assert refused.value.facts == {"placement": "d1", "which": 2, "joined": "adjacent"}


@pytest.mark.parametrize("variant", ["superbo anywhere any_colour", "lambo anywhere"])
def test_the_two_tiles_lie_anywhere_where_the_game_says_so(variant: str) -> None:
    assert after("C2", "a1,d1", variant=variant).ply == 2


def test_a_single_tile_must_show_both_colours_unless_it_decides() -> None:
    with pytest.raises(notation.ColourMissing):
        SUPERBO.read_input(after("C2", variant="superbo single"), "a8")
    tiles = {cell: state.number for cell, state in figure_layout("superbo/o_wins_eye").tiles.items()}
    assert tiles.pop(Cell(0, 1)) == 7
    position = arranged(tiles, "superbo single")
    _, end, _ = SUPERBO.read_input(position, f"{position.layout.labels[Cell(0, 1)]}7")
    assert end.outcome == Outcome((0,), Ending.EYE)


def test_a_turn_must_show_both_colours() -> None:
    refused = refusal_of(start(), "a8")
    assert isinstance(refused, notation.ColourMissing)
    assert refused.facts == {"placement": "a8", "which": 1, "colour": "x"}


def test_a_turn_of_two_needs_its_second_tile() -> None:
    refused = refusal_of(after("C2"), "g12")
    assert isinstance(refused, notation.TileNeeded)
    assert refused.facts == {"placement": "G12", "which": 2}


def test_the_first_turn_has_one_tile() -> None:
    refused = refusal_of(start(), "a1,b1")
    assert isinstance(refused, notation.TileNotAllowed)
    assert refused.facts == {"placement": "b1", "which": 2, "allowed": 1, "supply_empty": False}


def test_a_third_tile_is_not_allowed() -> None:
    with pytest.raises(notation.TooManyTiles) as refused:
        SUPERBO.read_input(after("C2"), "g12,h4,d1")
    assert refused.value.facts == {"placement": "d1", "most": 2}


def test_a_tile_after_the_deciding_one_is_refused() -> None:
    tiles = {cell: state.number for cell, state in figure_layout("superbo/o_wins_eye").tiles.items()}
    last = max(tiles, key=lambda cell: cell.r)
    state = tiles.pop(last)
    position = arranged(tiles)
    deciding = f"{position.layout.labels[last]}{state}"
    refused = refusal_of(position, f"{deciding} n1")
    assert isinstance(refused, notation.AlreadyDecided)
    assert refused.facts == {"placement": "n1", "which": 2, "deciding": deciding, "winners": (0,)}
    _, end, _ = SUPERBO.read_input(position, deciding)
    assert end.outcome == Outcome((0,), Ending.EYE)


def test_the_last_odd_tile_is_a_turn_of_its_own() -> None:
    last = replace(after("C2"), supply={"O bridge": 1, "X bridge": 0})
    refused = refusal_of(last, "a1,b1")
    assert isinstance(refused, notation.TileNotAllowed)
    assert refused.facts["supply_empty"] is True
    _, end, _ = SUPERBO.read_input(last, "a1")
    assert end.outcome is not None
    assert end.outcome.ending is Ending.SUPPLY_EMPTY


def test_a_first_tile_that_no_second_can_follow_is_refused() -> None:
    position = arranged(RING)
    hole = position.layout.labels[Cell(0, 0)]
    refused = refusal_of(position, f"{hole}8")
    assert isinstance(refused, notation.NothingCouldFollow)
    assert refused.facts == {"placement": f"{hole}8", "which": 1}
    assert not [step for step in placements(position) if step.cell == Cell(0, 0)]


def test_nothing_can_be_played_once_the_game_is_over() -> None:
    over = replace(after("C2"), supply={"O bridge": 1, "X bridge": 0})
    _, end, _ = SUPERBO.read_input(over, "a1")
    assert end.legal() == ()
    with pytest.raises(notation.GameIsOver):
        SUPERBO.read_input(end, "b1")
