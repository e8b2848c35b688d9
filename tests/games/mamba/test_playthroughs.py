"""Whole games, judged by an independent model of the rules, input by input."""

from typing import Any

import pytest

from pbem.games.game import Ending
from pbem.games.mamba.balance import MARKS
from pbem.games.mamba.game import MAMBA, rows
from pbem.games.mamba.position import Position
from tests.games.mamba.playing import playthroughs

PLAYED = playthroughs()
IDS = [f"{len(game['record']['players'])}-players-{len(game['record']['turns'])}-inputs" for game in PLAYED]

each_game = pytest.mark.parametrize("game", PLAYED, ids=IDS)


def begin(record: dict[str, Any]) -> Position:
    return MAMBA.begin(record["options"], len(record["players"]))


def test_there_are_two_games_each_of_two_three_and_four_players() -> None:
    assert sorted(len(game["record"]["players"]) for game in PLAYED) == [2, 2, 3, 3, 4, 4]


@each_game
def test_a_whole_game_goes_as_recorded(game: dict[str, Any]) -> None:
    position = begin(game["record"])
    for recorded, told in zip(game["record"]["turns"], game["expected"]["turns"], strict=True):
        before = position
        assert recorded["seat"] == before.to_act
        position = MAMBA.play_input(before, MAMBA.input_steps(before, {"input": recorded["input"]}))
        assert MAMBA.input_report(before, position).items() >= told.items()
    result = game["expected"]["result"]
    assert position.outcome is not None
    assert position.outcome.winners == (MARKS.index(result["winner"]),)
    assert position.outcome.ending is Ending.LAST_IN_PLAY
    assert position.ply == result["turns"]


@each_game
def test_the_record_is_written_out_again_as_it_was(game: dict[str, Any]) -> None:
    position = begin(game["record"])
    for recorded in game["record"]["turns"]:
        before = position
        steps, position, left_over = MAMBA.read_input(before, recorded["input"].upper())
        assert left_over == ""
        assert MAMBA.input_record(before, steps) == {"input": recorded["input"]}
        assert MAMBA.input_text(before, steps).move == recorded["input"]


@each_game
def test_what_is_asked_is_what_has_been_recorded_next(game: dict[str, Any]) -> None:
    position = begin(game["record"])
    for recorded, told in zip(game["record"]["turns"], game["expected"]["turns"], strict=True):
        decision = position.decision
        assert (decision is not None) == recorded["input"].startswith(("cut", "turn"))
        if decision is not None:
            assert recorded["input"] in decision.options
            assert decision.owner == recorded["seat"]
        position = MAMBA.read_input(position, recorded["input"]).position
        assert rows(position) == told["board"]
