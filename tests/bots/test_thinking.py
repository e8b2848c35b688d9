"""Thinking: wins that are seen, endings that are proven, turns that can be played as they are told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.bots.thinking import think
from pbem.bots.tree import PLAIN, Settings
from pbem.games.game import Position
from tests.bots.endgames import begun, by_lot, share, worth

TINY = ("superbo num_tiles=3", "mambo size=8", "lambo size=6", "superbo single num_tiles=2")
VARIANTS = ("mambo size=20", "mambo mamba size=20", "superbo num_tiles=8", "lambo size=20", "palago size=20", "mamba")


def almost_won(variant: str) -> Position[Any]:
    """A position between two turns where one step wins."""
    games = (by_lot(variant, seed) for seed in range(100))
    won = (each for each in games if not each[-2].mid_turn and share(each[-1], each[-2].to_act or 0) == 1)
    return next(won)[-2]


@pytest.mark.parametrize("variant", ["mambo", "mambo mamba", "superbo", "lambo", "palago"])
def test_a_step_that_wins_is_found_and_proven(variant: str) -> None:
    position, (game, _) = almost_won(variant), begun(variant)
    best = think(game, position, playouts=60, seed=1).candidates[0]
    assert (best.worth, best.proven) == (1, True)
    after = game.read_input(position, best.moves[0]).position
    assert share(after, position.to_act or 0) == 1


@pytest.mark.parametrize("variant", TINY)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_proven_is_what_trying_everything_finds(variant: str, seed: int) -> None:
    position = by_lot(variant, seed)[-3]
    game, _ = begun(variant)
    thought = think(game, position, playouts=5000, seed=seed)
    assert thought.candidates[0].proven
    assert thought.candidates[0].worth == worth(position)
    assert thought.playouts < 5000 or thought.candidates[0].worth == 1 / 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_told_can_be_played(variant: str) -> None:
    game, position = begun(variant)
    thought = think(game, position, playouts=100, seed=5)
    assert thought.playouts == 100
    for candidate in thought.candidates:
        assert 0 <= candidate.worth <= 1
        after = position
        for move in candidate.moves:
            after = game.read_input(after, move).position


@pytest.mark.parametrize("variant", ["lambo", "superbo"])
@pytest.mark.parametrize("playouts", [2, 5, 30])
def test_a_turn_is_told_whole_however_little_is_thought(variant: str, playouts: int) -> None:
    game, _ = begun(variant)
    for seed in range(4):
        between = [each for each in by_lot(variant, seed) if not each.mid_turn and each.outcome is None]
        for position in between[-2:]:
            thought = think(game, position, playouts=playouts, seed=seed)
            assert game.read_input(position, thought.candidates[0].moves[0]).position.ply == position.ply + 1


@pytest.mark.parametrize("variant", ["superbo num_tiles=5", "mamba rounds=2"])
def test_the_seed_alone_makes_a_thought(variant: str) -> None:
    game, position = begun(variant)
    thoughts = [think(game, position, playouts=80, seed=seed) for seed in (7, 7, 8)]
    assert thoughts[0] == thoughts[1] != thoughts[2]


def test_playouts_are_told_as_they_are_made() -> None:
    game, position = begun("mambo")
    told: list[int] = []
    thought = think(game, position, playouts=100, seed=1, told=told.append)
    assert told == sorted(told)
    assert told[-1] == thought.playouts == 100
    assert len(told) > 10


@pytest.mark.parametrize("settings", [PLAIN, replace(Settings(), solver=False), replace(Settings(), decisive=True)])
def test_without_its_parts_a_search_still_finds_what_wins(settings: Settings) -> None:
    position, (game, _) = almost_won("mambo"), begun("mambo")
    best = think(game, position, playouts=600, seed=1, settings=settings).candidates[0]
    assert game.read_input(position, best.moves[0]).position.outcome is not None
