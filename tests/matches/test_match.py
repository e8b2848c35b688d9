from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from pbem.bots.tree import Settings
from tests.matches import all as programme
from tests.matches import versions
from tests.matches.match import Played, Result, match, opened
from tests.matches.players import player
from tests.matches.programme import Match


def result(*scores: float) -> Result:
    return Result([Played(score, 10, (1.0, 2.0)) for score in scores])


def test_draws_count_as_half() -> None:
    assert result(1, 0.5, 0, 0.5).score == 0.5
    assert result(1, 0.5, 0, 0.5).wins == (1, 2, 1)


def test_pairs_are_won_split_and_lost() -> None:
    assert versions.pairs(result(1, 1, 1, 0, 0, 1, 0, 0.5, 1).games) == (1, 2, 1)


def test_openings_are_even_and_each_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "RESULTS", tmp_path / "versions.jsonl")
    terms = versions.Terms("superbo num_tiles=6", ".", ".", 1, seed=1, even=200)
    found = list(islice(versions.pairs_to_play(terms), 3))
    looked_at = {each["pair"]: each for each in map(json.loads, versions.RESULTS.read_text().splitlines())}
    openings = [versions.opening(terms, pair) for pair in found]
    assert [looked_at[pair]["opening"] for pair in found] == [turns for _, _, turns in openings]
    assert {len(turns) for _, _, turns in openings} <= set(versions.EVEN_OPENINGS)
    for pair, about in looked_at.items():
        assert (pair in found) == (versions.EVEN[0] <= about["worth"] <= versions.EVEN[1])
    monkeypatch.delattr(versions, "opening")
    assert list(islice(versions.pairs_to_play(terms), 3)) == found


def test_random_openings_are_all_played() -> None:
    terms = versions.Terms("superbo", ".", ".", 1, seed=1, even=0)
    assert list(islice(versions.pairs_to_play(terms), 3)) == [0, 1, 2]
    assert versions.opening(terms, 3) == versions.opening(terms, 3) != versions.opening(terms, 4)


def test_games_without_an_opening_begin_at_the_start() -> None:
    game, position, turns = versions.opening(versions.Terms("lambo", ".", ".", 1, seed=1, even=0, opening=0), 3)
    assert turns == []
    assert position == game.begin(game.read_options(()), 2, 0)


def test_games_of_a_match_are_known_by_their_openings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "RESULTS", tmp_path / "versions.jsonl")
    old = {"variant": "lambo", "version": "a", "against": "b", "seconds": 1, "seed": 1}
    about = {"score": 1, "turns": 20, "spent": [9, 9]}
    games = [{**old, "number": 0, **about}, {**old, "even": 0, "opening": 0, "number": 1, **about}]
    versions.RESULTS.write_text("".join(json.dumps(each) + "\n" for each in games))
    terms = versions.Terms("lambo", "a", "b", 1, seed=1, even=0)
    assert list(versions.played(terms)) == [0]
    assert list(versions.played(replace(terms, opening=0))) == [1]


def test_the_interval_is_wilsons() -> None:
    low, high = result(*[1] * 65, *[0] * 35).interval
    assert (round(low, 3), round(high, 3)) == (0.553, 0.736)
    assert result(*[1] * 20).interval[1] == pytest.approx(1)


def test_sides_are_swapped_and_lots_fall_alike_each_time() -> None:
    once = list(match("superbo num_tiles=3", "20", "random", games=4, seed=1, jobs=1))
    again = list(match("superbo num_tiles=3", "20", "random", games=4, seed=1, jobs=1))
    assert [(each.score, each.turns) for each in once] == [(each.score, each.turns) for each in again]
    assert sum(each.score for each in once) > 2


def test_two_games_have_the_same_random_opening() -> None:
    first, same, other = (opened("superbo", 1, number, 2)[1] for number in range(3))
    assert first == same != other
    assert first.ply == 2


def test_a_match_that_was_broken_off_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programme, "GAMES", tmp_path / "games.jsonl")
    monkeypatch.setattr(programme, "RESULTS", tmp_path / "results.jsonl")
    whole = Match("levels", "superbo num_tiles=3", "random", "random", games=4, seed=1)
    programme.play(whole, 1)
    lines = programme.GAMES.read_text().splitlines()
    programme.GAMES.write_text("\n".join(lines[:3]) + "\n")
    programme.play(whole, 1)
    once, again = ({**each, "seconds": None} for each in programme.results())
    assert once == again
    assert len(programme.GAMES.read_text().splitlines()) == 4 == len(lines)


def test_players_are_read() -> None:
    assert player("plain:64", Settings()).settings.alike == 0
    assert player("robot2,alike=7", Settings()).settings.alike == 7
    assert player("8,solver=0,keeps", Settings()).keeps
    with pytest.raises(ValueError, match="nobody"):
        player("nobody", Settings())
