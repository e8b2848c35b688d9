import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.fills import colours_lacking
from pbem.games.hextile.grid import Colour
from pbem.games.hextile.position import Placement, firsts, foresight_of, in_words
from tests.games.hextile.playing import VARIANTS, after, naively_allowed, naively_legal, placements, positions, start


@pytest.mark.parametrize("variant", VARIANTS)
@given(st.data())
@settings(max_examples=8)
def test_what_is_settled_beforehand_turns_out_so(variant: str, data: st.DataObject) -> None:
    position = data.draw(positions(variant, most_steps=14))
    if position.outcome is not None:
        return
    foresight, legal = foresight_of(position), set(naively_legal(position))
    for cell in position.layout.spaces:
        steps = {state.number: state for state in position.fitting_at(cell)}
        allowed = {step.state for step in legal if step.cell == cell}
        if (all_settled := foresight.settles_all(cell)) is not None:
            assert allowed == (set(steps) if all_settled else set())
        for number, state in steps.items():
            settled = foresight.settles(cell, state)
            assert settled in (None, number in allowed)


@pytest.mark.parametrize("variant", VARIANTS)
@given(st.data())
@settings(max_examples=8)
def test_the_first_placement_of_each_space_is_found_without_the_others(variant: str, data: st.DataObject) -> None:
    position = data.draw(positions(variant, most_steps=14))
    wanted: dict[object, Placement] = {}
    for step in position.legal():
        if isinstance(step, Placement):
            wanted.setdefault(step.cell, step)
    assert list(firsts(position)) == [(step, position.play(step).mid_turn) for step in wanted.values()]


def test_on_the_first_turn_a_tile_of_one_colour_is_foreseen_to_be_illegal() -> None:
    position = start()
    foresight = foresight_of(position)
    for cell in position.layout.spaces:
        for state in position.fitting_at(cell):
            assert foresight.settles(cell, state) is (len(state.shown) == 2)


def test_colours_are_lacking_until_the_tiles_of_the_turn_show_them() -> None:
    position = after("C2")
    assert colours_lacking(position.rules, ()) == {Colour.O, Colour.X}
    (step,) = (step for step in placements(position) if step.state == 12 and step.cell == (2, -1))
    assert colours_lacking(position.rules, position.play(step).turn) == {Colour.O}
    assert naively_allowed(position, position.play(step))


def test_a_tile_that_joins_groups_with_loops_may_end_the_game_alone() -> None:
    turns = ("F5", "H4,P6", "E6,D8", "U9,W3", "A8,G6", "AB4,Y7", "T12,AF4", "AE11,AC1")
    position = after(*turns, variant="superbo loops=2")
    (step,) = (step for step in placements(position) if in_words(position, step) == "J10")
    assert position.play(step).outcome == Outcome((1,), Ending.LOOPS)
