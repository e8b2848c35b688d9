"""Positions that are alike have one canonical form, whose turns are those of each of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.games.hextile import HexTileGame
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import survey
from pbem.games.hextile.position import Placement, Position
from pbem.games.hextile.symmetry import Symmetry, canonical, exchanges_colours, symmetries
from tests.games.hextile.playing import GAMES, after, options_of, positions, rules_of, rulesets

SHIFTS = st.builds(Cell, st.integers(-3, 3), st.integers(-3, 3))


def image(position: Position, symmetry: Symmetry, shift: Cell, *, exchanges: bool) -> Position:
    """The position elsewhere, turned and mirrored, with both colours and seats exchanged if so wanted."""
    states = position.rules.states
    twins = exchanges_colours(position.rules) if exchanges else None
    tiles, supply = {}, dict(position.supply)
    for cell, state in position.layout.tiles.items():
        there = symmetry.cell(cell)
        twin = state if twins is None else twins[state.number]
        tiles[Cell(there.q + shift.q, there.r + shift.r)] = states[symmetry.states[twin.number]]
    if twins is not None:
        supply = {twins[state.number].kind: position.supply[state.kind] for state in states}
    first = position.first if twins is None else 1 - position.first
    layout = survey(tiles, states) if tiles else position.layout
    return replace(position, layout=layout, supply=supply, first=first)


def at_random(data: st.DataObject, position: Position) -> Position:
    symmetry = data.draw(st.sampled_from(symmetries(position.rules.states)))
    exchanges = data.draw(st.booleans()) and exchanges_colours(position.rules) is not None
    return image(position, symmetry, data.draw(SHIFTS), exchanges=exchanges)


@given(positions(rulesets(), most_steps=30), st.data())
@settings(max_examples=150)
def test_positions_that_are_alike_have_one_form(position: Position, data: st.DataObject) -> None:
    assume(not position.mid_turn and position.outcome is None)
    assert canonical(at_random(data, position)).key == canonical(position).key


@given(positions(rulesets(), most_steps=20), st.data())
@settings(max_examples=100)
def test_their_steps_and_what_follows_from_them_correspond(position: Position, data: st.DataObject) -> None:
    assume(not position.mid_turn and position.outcome is None)
    other = at_random(data, position)
    one, two = canonical(position), canonical(other)
    for step in data.draw(st.lists(st.sampled_from(position.legal()), min_size=1, max_size=5)):
        assert one.steps(one.record([step])) == (step,)
        (same,) = two.steps(one.record([step]))
        assert same in other.legal()
        played, also = position.play(step), other.play(same)
        assert (played.outcome is None) == (also.outcome is None)
        if played.outcome is not None and also.outcome is not None:
            seats = [seat if position.to_act == other.to_act else 1 - seat for seat in also.outcome.winners]
            assert (sorted(seats), also.outcome.ending) == (sorted(played.outcome.winners), played.outcome.ending)
        elif not played.mid_turn:
            assert canonical(played).key == canonical(also).key
    assert len(one.record(position.legal()[:2])) <= 2


@given(positions(rulesets(), most_steps=12), positions(rulesets(), most_steps=12))
@settings(max_examples=100)
def test_positions_of_one_form_can_be_laid_upon_each_other(one: Position, other: Position) -> None:
    """The key leaves nothing out: with it, the tiles of one are an image of the other's."""
    assume(one.rules.states == other.rules.states and not one.mid_turn and not other.mid_turn)
    tiles = {frozenset(image(one, each, Cell(0, 0), exchanges=False).layout.tiles.items()) for each in _symmetries(one)}
    shifted = {_at_the_corner(each) for each in tiles}
    if canonical(one).key == canonical(other).key and exchanges_colours(one.rules) is None:
        assert _at_the_corner(frozenset(other.layout.tiles.items())) in shifted


def _symmetries(position: Position) -> tuple[Symmetry, ...]:
    return symmetries(position.rules.states)


def _at_the_corner(tiles: frozenset[tuple[Cell, object]]) -> frozenset[tuple[Cell, object]]:
    left = min((cell.q for cell, _ in tiles), default=0)
    top = min((cell.r for cell, _ in tiles), default=0)
    return frozenset((Cell(cell.q - left, cell.r - top), state) for cell, state in tiles)


@pytest.mark.parametrize(
    ("variant", "exchanges"), [("superbo", True), ("mambo", True), ("lambo", False), ("palago", False)]
)
def test_colours_are_exchanged_where_both_have_the_same_tiles(variant: str, exchanges: bool) -> None:
    assert (exchanges_colours(rules_of(variant)) is not None) == exchanges


def test_the_tiles_of_a_turn_in_either_order_lead_to_one_form() -> None:
    one, other = after("B3", "C4,D1"), after("B3", "D1,C4")
    assert one.layout.labels != other.layout.labels
    assert canonical(one).key == canonical(other).key


@pytest.mark.parametrize("variant", ["superbo", "mambo", "mambo mambogo", "lambo", "palago"])
def test_first_turns_that_are_alike_are_counted_together(variant: str) -> None:
    game, _ = options_of(variant)
    begun = after(variant=variant)
    forms: dict[str, int] = {}
    for step in begun.legal():
        if isinstance(step, Placement) and not begun.play(step).mid_turn:
            key = canonical(begun.play(step)).key
            forms[key] = forms.get(key, 0) + 1
    assert isinstance(game, HexTileGame)
    assert len(forms) < sum(forms.values())


def test_the_eighteen_first_turns_of_palago_are_six() -> None:
    begun = after(variant="palago")
    assert len(begun.legal()) == 18
    assert len({canonical(begun.play(step)).key for step in begun.legal()}) == 6
    assert set(GAMES) == {"superbo", "mambo", "lambo", "palago"}
