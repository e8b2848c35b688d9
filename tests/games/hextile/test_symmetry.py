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

    def moved(cell: Cell) -> Cell:
        there = symmetry.cell(cell)
        return Cell(there.q + shift.q, there.r + shift.r)

    for cell, state in position.layout.tiles.items():
        twin = state if twins is None else twins[state.number]
        tiles[moved(cell)] = states[symmetry.states[twin.number]]
    if twins is not None:
        supply = {twins[state.number].kind: position.supply[state.kind] for state in states}
    first = position.first if twins is None else 1 - position.first
    layout = survey(tiles, states) if tiles else position.layout
    turn = tuple(tile._replace(cell=moved(tile.cell), state=tiles[moved(tile.cell)]) for tile in position.turn)
    return replace(position, layout=layout, supply=supply, first=first, turn=turn)


def at_random(data: st.DataObject, position: Position) -> Position:
    symmetry = data.draw(st.sampled_from(symmetries(position.rules.states)))
    exchanges = data.draw(st.booleans()) and exchanges_colours(position.rules) is not None
    return image(position, symmetry, data.draw(SHIFTS), exchanges=exchanges)


@given(positions(rulesets(), most_steps=30), st.data())
@settings(max_examples=150)
def test_positions_that_are_alike_have_one_form(position: Position, data: st.DataObject) -> None:
    assume(position.outcome is None)
    assert canonical(at_random(data, position)).key == canonical(position).key


@given(positions(rulesets(), most_steps=20), st.data())
@settings(max_examples=100)
def test_their_steps_and_what_follows_from_them_correspond(position: Position, data: st.DataObject) -> None:
    assume(position.outcome is None)
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


@pytest.mark.parametrize("variant", ["superbo", "mambo mamba", "lambo", "palago"])
def test_positions_have_one_form_if_and_only_if_they_can_be_laid_upon_each_other(variant: str) -> None:
    """The key leaves nothing out: of all positions after two tiles, those with one key are images of each other."""
    begun = after(variant=variant)
    after_one = [begun.play(step) for step in begun.legal()]
    after_two = [one.play(step) for one in after_one[:3] for step in one.legal()]
    keys: dict[str, set[object]] = {}
    for position in after_two:
        exchanges = position.to_act == 1
        ways = symmetries(position.rules.states)
        images = [image(position, each, Cell(0, 0), exchanges=exchanges) for each in ways]
        keys.setdefault(canonical(position).key, set()).add(min(map(_look, images)))
    assert all(len(looks) == 1 for looks in keys.values())
    assert len(set.union(*keys.values())) == len(keys) < len(after_two)


def _look(position: Position) -> tuple[tuple[int, ...], ...]:
    """The tiles, shifted to the corner, and for each if it belongs to the turn under way."""
    tiles = position.layout.tiles
    left, top = min((cell.q for cell in tiles), default=0), min((cell.r for cell in tiles), default=0)
    turn = {tile.cell for tile in position.turn}
    return tuple(sorted((q - left, r - top, state.number, Cell(q, r) in turn) for (q, r), state in tiles.items()))


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
