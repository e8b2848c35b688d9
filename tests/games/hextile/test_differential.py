"""A few seconds of what ``make compare`` does for minutes, and the model that it compares with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.hextile import naive
from tests.games.hextile.differential import Differs, Game, options_at_random, run
from tests.games.hextile.playing import GAMES, playthroughs

SEED = 12
NUMBERS = (*range(5), *range(13, 20), 25, 27, 30, *range(46, 52), 55)
"""Games that are soon over; players win both at once in three of them."""


@pytest.mark.parametrize("name", GAMES)
def test_the_model_plays_whole_games_as_recorded(name: str) -> None:
    for game in playthroughs(name):
        record, expected = game["record"], game["expected"]
        state = naive.begin(name, record["options"])
        for turn, told in zip(record["turns"], expected["turns"], strict=True):
            assert len(list(naive.fitting(state))) == told["fitting"]
            autos = list[Any]()
            for tile in turn:
                state = naive.laid(state, (tile["q"], tile["r"]), tile["state"])
                autos += state.autos
            assert [{"q": cell[0], "r": cell[1], "state": number} for cell, number in autos] == told["autos"]
        assert (state.is_over, state.winner, state.early) == (True, expected["winner"], expected["early"])


def test_games_under_random_options_go_as_the_model_has_them() -> None:
    counts = run(SEED, NUMBERS)
    assert counts["games"] == len(NUMBERS)
    assert counts["must_contain"] > 1
    assert counts["by_both: all"] > 1


def test_all_goals_come_up_among_the_options() -> None:
    drawn = [options_at_random(Game(1, number).lots) for number in range(300)]
    goals = {
        "must_contain",
        "eat_enemy",
        "eat_size",
        "kill_own",
        "kill_enemy",
        "loops",
        "mamba",
        "mambogo",
        "territory",
    }
    assert goals <= {option for _, options in drawn for option in options}
    assert {game for game, _ in drawn} == set(GAMES)


@pytest.mark.parametrize("broken", ["met", "forced", "counted"])
def test_a_difference_is_found_and_told_with_what_repeats_it(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    wrong: dict[str, Any] = {"met": 0, "forced": None, "counted": ()}
    monkeypatch.setattr(naive.Rules, broken, lambda *_: wrong[broken])
    with pytest.raises(Differs, match=f"game [0-9]+ of seed {SEED}, "):
        run(SEED, NUMBERS)
