"""Looking back at games: blunders are found, what is best gives nothing away, and each turn is judged to who played."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from pbem.bots.analysis import MOST_TURNING_POINTS, Look, Played, analyse, playouts_for, playouts_in_all, turning_points
from pbem.games.game import Candidate, Game, Position
from tests.bots.endgames import begun, by_lot, share


def inputs_of(game: Game[Any, Any], *positions: Position[Any]) -> list[Played]:
    """The inputs, of a step each, that lead from one position to the next."""
    steps = pairwise(positions)
    return [Played(one.ply + 1, one.to_act or 0, game.input_text(two, ()).move, one, two) for one, two in steps]


def wins(game: Game[Any, Any], position: Position[Any]) -> list[Position[Any]]:
    """The positions after each step that wins at once."""
    after = (position.play(step) for step in position.legal())
    return [each for each in after if each.outcome and share(each, position.to_act or 0) == 1]


def blundered() -> tuple[Game[Any, Any], list[Played]]:
    """A game in which a win was left to the other, who took it."""
    game, _ = begun("mambo")
    for seed in range(100):
        *_, two_before, before, last = by_lot("mambo", seed)
        if wins(game, two_before) and share(last, before.to_act or 0) == 1:
            return game, inputs_of(game, two_before, before, last)
    raise AssertionError


def test_a_win_that_was_given_away_is_where_the_game_turned() -> None:
    game, inputs = blundered()
    told: list[int] = []
    blunder, win = analyse(game, inputs, playouts=40, seed=1, told=told.append)
    assert turning_points((blunder, win)) == (blunder,)
    assert (blunder.could, blunder.worth, blunder.fall) == (1, 0, 1)
    assert blunder.best.proven
    assert game.read_input(inputs[0].before, blunder.best.moves[0]).position.outcome
    assert (win.could, win.worth, win.fall) == (1, 1, 0)
    assert told == sorted(told)
    assert 0 < told[-1] <= playouts_in_all(2, 40)


def test_three_turns_at_most_turn_a_game() -> None:
    game, _ = begun("lambo size=6")
    stops = [each for each in by_lot("lambo size=6", 2) if not each.mid_turn or each.outcome]
    looks = analyse(game, inputs_of(game, *stops), playouts=20, seed=1)
    assert [look.index for look in looks] == list(range(len(stops) - 1))
    turned = turning_points(looks)
    assert 0 < len(turned) <= MOST_TURNING_POINTS
    assert all(look.fall >= 0.1 and not look.is_best for look in turned)
    assert looks == analyse(game, inputs_of(game, *stops), playouts=20, seed=1)


@pytest.mark.parametrize(("challenge", "seed"), [("superbo", 2), ("lambo size=6", 3), ("lambo size=6", 5)])
def test_what_is_proven_of_a_position_is_said_of_the_turn_that_led_there(challenge: str, seed: int) -> None:
    game, _ = begun(challenge)
    stops = [each for each in by_lot(challenge, seed) if not each.mid_turn or each.outcome]
    looks = analyse(game, inputs_of(game, *stops[-9:]), playouts=200, seed=seed)
    led = [(one, two.best.worth) for one, two in pairwise(looks) if two.best.proven]
    assert led
    assert all(one.is_proven and one.worth == 1 - worth for one, worth in led)


def test_of_several_players_each_is_told_his_own_share() -> None:
    game, start = begun("mamba rounds=1", 3)
    middle = game.read_input(start, start_turn(game, start)).position
    end = game.read_input(middle, start_turn(game, middle)).position
    looks = analyse(game, inputs_of(game, start, middle, end), playouts=30, seed=1)
    assert [look.seat for look in looks] == [start.to_act, middle.to_act]
    assert all(0 <= look.worth <= 1 for look in looks)
    assert looks[0].worth + looks[1].could < 1.2, "the third has a share, too"


def start_turn(game: Game[Any, Any], position: Position[Any]) -> str:
    """Some whole turn, as it is typed."""
    after, steps = position, []
    while after.ply == position.ply and after.decision is None:
        steps.append(after.legal()[0])
        after = after.play(steps[-1])
    return game.input_text(after, steps).move


def test_what_a_game_may_take_is_divided_among_its_positions() -> None:
    assert playouts_for(1, 16_000, 1_000_000) == 16_000
    assert playouts_for(60, 2_000, 20_000) < 200
    assert playouts_in_all(60, playouts_for(60, 2_000, 20_000)) <= 20_000
    assert playouts_for(10_000, 2_000, 100) == 1


@pytest.mark.parametrize(
    ("worths", "is_uneven"),
    [((0.7, 0.5, 0.5), False), ((0.5, 0.7), True), ((0.502, 0.504), False), ((0.5,), False)],
)
def test_candidates_are_uneven_where_a_lower_percentage_stands_above_a_higher_one(
    worths: tuple[float, ...], is_uneven: bool
) -> None:
    candidates = tuple(Candidate(("a1",), worth, 9, proven=False) for worth in worths)
    assert Look(0, 1, 0, "a1", candidates, 0.5, 0.5, is_best=True).is_uneven is is_uneven
