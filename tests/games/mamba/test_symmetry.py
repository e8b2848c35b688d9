"""Positions that are alike have one canonical form, whose turns are those of each of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.games.game import Seat
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position, TurnSoFar
from pbem.games.mamba.squares import EMPTY, MARKS
from pbem.games.mamba.symmetry import canonical, symmetries
from tests.games.mamba.playing import after, placed, positions


def image(position: Position, cells: tuple[int, ...], seats: int) -> Position:
    """The position turned or mirrored, with each seat's pieces given to the one so many seats further on."""
    players = position.rules.players
    marks = {MARKS[seat]: MARKS[(seat + seats) % players] for seat in range(players)}
    squares = [EMPTY] * len(position.squares)
    for cell, mark in enumerate(position.squares):
        squares[cells[cell]] = marks.get(mark, EMPTY)
    return replace(
        position,
        squares="".join(squares),
        turn=TurnSoFar("".join(squares)),
        on_turn=(position.on_turn + seats) % players,
        first=(position.first + seats) % players,
        playing=tuple(sorted((seat + seats) % players for seat in position.playing)),
        past=(),
        stood={},
    )


@given(positions(), st.data())
@settings(max_examples=80)
def test_positions_that_are_alike_have_one_form_and_the_same_steps(position: Position, data: st.DataObject) -> None:
    assume(not position.mid_turn and position.pending is None and position.outcome is None)
    players = position.rules.players
    seats = data.draw(st.integers(0, players - 1))
    other = image(position, data.draw(st.sampled_from(symmetries(position.rules.size))), seats)
    one, two = canonical(position), canonical(other)
    assert one.key == two.key
    for step in data.draw(st.lists(st.sampled_from(position.legal()), min_size=1, max_size=5)):
        assert one.steps(one.record([step])) == (step,)
        (same,) = two.steps(one.record([step]))
        assert same in other.legal()
        played, also = position.play(step), other.play(same)
        if played.pending is also.pending is None:
            assert canonical(played).key == canonical(also).key
            assert _winners(played, seats) == _winners(also, 0)


def _winners(position: Position, seats: int) -> list[Seat] | None:
    winners = None if position.outcome is None else position.outcome.winners
    return None if winners is None else sorted((seat + seats) % position.rules.players for seat in winners)


def test_positions_of_one_form_are_images_of_each_other() -> None:
    """The key leaves nothing out: any two positions after a turn with one key are the same but for a symmetry."""
    begun = MAMBA.begin({}, 2)
    found: dict[str, list[Position]] = {}
    for step in begun.legal():
        played = begun.play(step)
        if not played.mid_turn:
            found.setdefault(canonical(played).key, []).append(played)
    assert 1 < len(found) < sum(map(len, found.values()))
    for first, *others in found.values():
        images = {image(first, cells, 0).squares for cells in symmetries(9)}
        assert all(other.squares in images for other in others)
    one, *others = (each[0] for each in found.values())
    images = {image(one, cells, 0).squares for cells in symmetries(9)}
    assert not any(other.squares in images for other in others)


def test_whoever_begins_the_first_position_of_two_or_four_is_the_same() -> None:
    for players in (2, 4):
        assert len({canonical(MAMBA.begin({}, players, first)).key for first in range(players)}) == 1
    assert len({canonical(MAMBA.begin({}, 3, first)).key for first in range(3)}) == 3, "one edge has nobody"


def test_a_decision_is_part_of_the_form() -> None:
    asked = after(placed("A: a1 b1 c1 d1 f1 f3 h8 B: b9 d9 f9 h9 h7 g9"), "move f1-e1")
    assert asked.pending is not None
    form = canonical(asked)
    assert form.key != canonical(replace(asked, pending=None, balance=None)).key
    for answer in asked.legal():
        assert form.steps(form.record([answer])) == (answer,)


def test_options_that_change_nothing_make_no_other_game() -> None:
    assert MAMBA.essential({"inorder": True, "size": 9}) == {}
    assert MAMBA.essential({"teams": True, "size": 11, "inorder": True}) == {"teams": True, "size": 11}
