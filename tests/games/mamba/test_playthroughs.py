"""Whole games under every version of the rules, judged by an independent model of them, input by input."""

import contextlib
from typing import Any

import pytest

from pbem.games.game import Ending, IllegalMove
from pbem.games.mamba.game import MAMBA, rows
from pbem.games.mamba.squares import MARKS
from tests.games.mamba.playing import begun, playthroughs, playthroughs_by_version

PLAYED = playthroughs_by_version()
IDS = [
    f"rules-{version}-{len(game['record']['players'])}-players-{len(game['record']['turns'])}-inputs"
    for game, version in PLAYED
]

each_game = pytest.mark.parametrize(("game", "version"), PLAYED, ids=IDS)


def test_there_are_two_games_each_of_two_three_and_four_players() -> None:
    assert sorted(len(game["record"]["players"]) for game in playthroughs()) == [2, 2, 3, 3, 4, 4]


@each_game
def test_a_whole_game_goes_as_recorded(game: dict[str, Any], version: int) -> None:
    position = begun(game["record"], version)
    for recorded, told in zip(game["record"]["turns"], game["expected"]["turns"], strict=True):
        before = position
        assert recorded["seat"] == before.to_act
        position = MAMBA.play_input(before, MAMBA.input_steps(before, {"input": recorded["input"]}))
        assert MAMBA.input_report(before, position).items() >= told.items()
    result = game["expected"]["result"]
    assert position.outcome is not None
    assert position.outcome.winners == (() if result["winner"] is None else (MARKS.index(result["winner"]),))
    assert position.outcome.ending == game["record"].get("result", {"reason": Ending.LAST_IN_PLAY})["reason"]
    assert position.ply == result["turns"]


@pytest.mark.parametrize("version", range(1, MAMBA.rules + 1))
def test_each_version_of_the_rules_has_games_of_its_own(version: int) -> None:
    """They go otherwise under the other one."""
    for game in playthroughs(f"rules-{version}"):
        position, boards = begun(game["record"], 3 - version), list[str]()
        assert game["record"]["rules"] == version
        with contextlib.suppress(IllegalMove):
            for recorded in game["record"]["turns"]:
                position = MAMBA.play_input(position, MAMBA.input_steps(position, {"input": recorded["input"]}))
                boards.append(rows(position))
        assert boards != [told["board"] for told in game["expected"]["turns"]]


@each_game
def test_the_record_is_written_out_again_as_it_was(game: dict[str, Any], version: int) -> None:
    position = begun(game["record"], version)
    for recorded in game["record"]["turns"]:
        before = position
        steps, position, left_over = MAMBA.read_input(before, recorded["input"].upper())
        assert left_over == ""
        assert MAMBA.input_record(before, steps) == {"input": recorded["input"]}
        assert MAMBA.input_text(before, steps).move == recorded["input"]


@each_game
def test_what_is_asked_is_what_has_been_recorded_next(game: dict[str, Any], version: int) -> None:
    position = begun(game["record"], version)
    for recorded, told in zip(game["record"]["turns"], game["expected"]["turns"], strict=True):
        decision = position.decision
        assert (decision is not None) == recorded["input"].startswith(("cut", "turn"))
        if decision is not None:
            assert recorded["input"] in decision.options
            assert decision.owner == recorded["seat"]
        position = MAMBA.read_input(position, recorded["input"]).position
        assert rows(position) == told["board"]
