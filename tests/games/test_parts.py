"""The promises of every game of the catalogue about turns that are put together step by step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from pbem.bootstrap import find_games
from pbem.errors import PlayerError
from pbem.games.game import Game, Position

GAMES = find_games()
MOST_STEPS = 40


def random_game(game: Game[Any, Any], seed: int) -> Iterator[tuple[Position[Any], Any]]:
    """The positions of a game that is played at random, mid-turn included, each with the step played there."""
    chance = random.Random(seed)
    position = game.begin({}, game.players.start)
    for _ in range(MOST_STEPS):
        legal = position.legal()
        if not legal:
            return
        step = chance.choice(legal)
        yield position, step
        position = position.play(step)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_step_is_read_back_as_it_is_written_wherever_a_turn_stands(name: str, seed: int) -> None:
    game = GAMES[name]
    for position, step in random_game(game, seed):
        played = game.read_part(position, game.step_text(position, step))
        assert len(played.steps) == 1
        assert played.position == position.play(step)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_steps_of_one_turn_are_read_behind_one_another(name: str) -> None:
    game = GAMES[name]
    start, texts = None, list[str]()
    for position, step in random_game(game, 7):
        if start is None or position.ply != start.ply or position.to_act != start.to_act:
            start, texts = position, []
        texts.append(game.step_text(position, step))
        assert game.read_part(start, " ".join(texts)).position == position.play(step)


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("text", ["", "!", "zz99", "\x00", "1" * 5000, "pass pass", "é" * 300])
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    game = GAMES[name]
    position = game.begin({}, game.players.start)
    with suppress(PlayerError):
        assert game.read_part(position, text).position != position
