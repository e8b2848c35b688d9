"""The lists in a mail about a board of tiles, checked against what the rules accept."""

from __future__ import annotations

from hypothesis import given, settings

from pbem.games.game import IllegalMove
from pbem.games.hextile.position import Placement, Position
from pbem.wording.boards import show
from pbem.wording.hextile import HexTileShown
from tests.games.hextile.playing import positions, rulesets, start


def listed(position: Position) -> set[str]:
    """All placements that the mail of a position lists: ``A7``."""
    shown = show(position)
    assert isinstance(shown, HexTileShown)
    return {f"{space.label}{state}" for space in shown.spaces for state in numbers(space.states)}


def numbers(states: str) -> list[int]:
    """``1 3 7-9`` → 1, 3, 7, 8, 9."""
    runs = [[int(number) for number in run.split("-")] for run in states.split()]
    return [number for run in runs for number in range(run[0], run[-1] + 1)]


def accepted(position: Position) -> set[str]:
    """All placements that are accepted when they are played, whatever is listed."""
    every = [Placement(cell, state.number) for cell in position.layout.spaces for state in position.rules.states]
    return {f"{position.layout.spaces[step.cell].label}{step.state}" for step in every if is_accepted(position, step)}


def is_accepted(position: Position, step: Placement) -> bool:
    try:
        position.play(step)
    except IllegalMove:
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(positions(rulesets(), most_steps=16))
def test_what_is_listed_is_what_is_accepted_under_any_options(position: Position) -> None:
    assert listed(position) == accepted(position)


@settings(max_examples=60, deadline=None)
@given(positions(rulesets(), most_steps=16))
def test_each_link_begins_a_turn_that_is_accepted_and_every_space_with_one_has_a_link(position: Position) -> None:
    shown = show(position)
    assert isinstance(shown, HexTileShown)
    assert [*shown.moves] == [space.label for space in shown.spaces]
    assert {move.rstrip(",") for move in shown.moves.values()} <= accepted(position)


def test_the_first_tile_of_superbo_is_listed_only_in_the_states_that_show_both_colours() -> None:
    position = start("superbo")
    assert "A7" in {f"{position.layout.spaces[cell].label}{n}" for cell, ns in position.fitting().items() for n in ns}
    assert "A7" not in listed(position)
