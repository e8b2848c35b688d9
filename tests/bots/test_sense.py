from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.bots.boards import LEVELS, STRONGEST
from pbem.bots.thinking import Opinion, allows_undo, gives_up, seed_of, takes_draw
from pbem.commands.userids import RESERVED
from pbem.domain.players import ROBOTS, userid_key
from pbem.games.game import Game
from pbem.games.hextile.lambo import LAMBO
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA


def opinion(worth: float, *, proven: bool = False, playouts: int = 500) -> Opinion:
    return Opinion("a1", worth, proven, playouts)


def test_the_server_knows_the_opponents_that_there_are_and_nobody_else_is_called_so() -> None:
    assert tuple(LEVELS) == ROBOTS
    assert [level.userid for level in LEVELS.values()] == [*ROBOTS]
    assert userid_key("Robot") == userid_key("ROBOT5") == STRONGEST
    assert set(ROBOTS) <= RESERVED


@pytest.mark.parametrize(
    ("game", "options", "playouts"),
    [
        (MAMBO, {}, (1024, 4096, 65536)),
        (MAMBO, {"mamboa": True}, (1024, 4096, 65536)),
        (MAMBO, {"mambogo": True}, (1024, 4096, 65536)),
        (MAMBO, {"mamba": True}, (1024, 16384, 65536)),
        (SUPERBO, {}, (1024, 4096, 32768)),
        (SUPERBO, {"single": True}, (1024, 4096, 16384)),
        (LAMBO, {}, (1024, 4096, 16384)),
        (LAMBO, {"eat_enemy": True}, (1024, 4096, 65536)),
        (MAMBA, {}, (1024, 4096, 16384)),
    ],
)
def test_the_strongest_make_more_playouts_where_they_are_quick(
    game: Game[Any, Any], options: dict[str, bool], playouts: tuple[int, int, int]
) -> None:
    position = game.begin(options, 2, 0)
    assert tuple(LEVELS[f"robot{level}"].playouts_in(position) for level in (3, 4, 5)) == playouts


def test_the_seed_of_a_thought_is_the_same_in_every_process_and_another_for_another_thought() -> None:
    assert seed_of(101, 7, "robot3") == 9113213229034949340
    others = {seed_of(board, event, level) for board in (1, 11) for event in (1, 11, 111) for level in LEVELS}
    assert len(others) == 2 * 3 * len(LEVELS)
    assert all(0 <= each < 2**63 for each in others)
    assert len({seed_of(101, 7, "robot3", secret) for secret in ("", "a key", "another")}) == 3


@pytest.mark.parametrize(
    ("what", "turns", "resigns"),
    [
        (opinion(0.019), (3, 3), True),
        (opinion(0.02), (3, 3), False),
        (opinion(0.019, playouts=499), (3, 3), False),
        (opinion(0.0, proven=True, playouts=9), (3, 4), True),
        (opinion(0.0, proven=True), (2, 3), False),
        (opinion(0.5, proven=True), (9, 9), False),
        (opinion(0.0, proven=True), (9, 9, 9), False),
    ],
)
def test_hopeless_games_of_two_are_resigned_and_none_too_early(
    what: Opinion, turns: tuple[int, ...], resigns: bool
) -> None:
    assert gives_up(what, turns) is resigns


@pytest.mark.parametrize(
    ("what", "takes"),
    [
        (opinion(0.44, playouts=16384), True),
        (opinion(0.45, playouts=16384), False),
        (opinion(0.44, playouts=1000), False),
        (opinion(0.41, playouts=1000), True),
        (opinion(0.34, playouts=64), False),
        (opinion(0.0, playouts=2), False),
        (opinion(0.0, playouts=2, proven=True), True),
        (opinion(0.5, playouts=2, proven=True), False),
    ],
)
def test_a_draw_is_taken_by_who_expects_less_beyond_doubt_whoever_is_to_act(what: Opinion, takes: bool) -> None:
    assert takes_draw(what, is_to_act=True) is takes
    assert takes_draw(replace(what, worth=1 - what.worth), is_to_act=False) is takes


def test_moves_are_taken_back_where_nothing_counts() -> None:
    assert allows_undo(rated=False)
    assert not allows_undo(rated=True)
