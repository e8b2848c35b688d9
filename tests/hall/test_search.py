"""Computer opponents in the hall, who search with OpenSpiel's own tree search."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pbem.bots.analysis import Played, analyse
from pbem.bots.thinking import think
from pbem.hall.game import HallGame
from pbem.hall.games import CHESS, CONNECT_FOUR, DOTS, HEX, MNK
from pbem.hall.positions import HallPosition
from tests.hall.openspiel import each_game
from tests.support.server import running_server


def begun_at_random(game: HallGame, turns: int, seed: int, *options: str) -> HallPosition:
    position, lot = game.begin(game.read_options(options), 2), random.Random(seed)
    while position.outcome is None and (position.ply < turns or position.mid_turn):
        position = position.play(lot.choice(position.legal()))
    return position


@each_game
def test_what_is_found_is_a_whole_turn_and_the_same_whenever_it_is_looked_for(game: HallGame) -> None:
    position = begun_at_random(game, 2, 5)
    found = think(game, position, playouts=64, seed=7)
    for candidate in found.candidates:
        after = game.read_input(position, candidate.moves[0]).position
        assert after.ply > position.ply or after.outcome is not None
        assert 0 <= candidate.worth <= 1
        assert candidate.visits <= found.playouts
    assert think(game, position, playouts=64, seed=7) == found


def played(game: HallGame, *turns: str, options: tuple[str, ...] = ()) -> HallPosition:
    position = game.begin(game.read_options(options), 2)
    for turn in turns:
        position = game.read_input(position, turn).position
    return position


@pytest.mark.parametrize(
    ("game", "turns", "winning"),
    [
        (CONNECT_FOUR, "d a d a d a", "d"),
        (MNK, "b2 a1 c1 a3", ""),
        (MNK, "b2 a1 c1 c3", "a3"),
        (CHESS, "f3 e5 g4", "Qh4#"),
    ],
)
def test_a_win_in_one_turn_is_found_and_proven(game: HallGame, turns: str, winning: str) -> None:
    best = think(game, played(game, *turns.split()), playouts=1024, seed=1).candidates[0]
    if winning:
        assert (best.moves[0], best.worth, best.proven) == (winning, 1.0, True)
    else:
        assert best.moves[0] == "a2", "the only way not to lose at once"


def test_a_turn_of_several_steps_is_found_to_its_end() -> None:
    position = played(DOTS, "a1-b1", "a1-a2", "b1-b2", options=("size=2",))
    best = think(DOTS, position, playouts=4096, seed=1).candidates[0]
    assert best.moves[0].startswith("a2-b2 "), "whoever closes a box goes on"


def test_an_opening_that_is_too_good_is_taken_over() -> None:
    options = ("size=3", "swap")
    best = [
        think(HEX, played(HEX, first, options=options), playouts=4096, seed=1).candidates[0] for first in ("b2", "a1")
    ]
    assert [each.moves[0] == "swap" for each in best] == [True, False]


def test_a_game_is_analysed() -> None:
    inputs, position = list[Played](), CONNECT_FOUR.begin({}, 2)
    for moveno, text in enumerate("dadadgd", start=1):
        after = CONNECT_FOUR.read_input(position, text).position
        inputs.append(Played(moveno, (moveno - 1) % 2, text, position, after))
        position = after
    looks = analyse(CONNECT_FOUR, inputs, playouts=256, seed=1)
    assert looks[-1].is_best
    assert looks[-1].worth == 1
    assert (looks[5].best.moves[0], looks[5].worth) == ("d", 0), "the sixth move had to stop the row"


@pytest.mark.system
def test_a_game_against_a_robot_is_played_by_mail(tmp_path: Path) -> None:
    settings = {"thinkers": "1", "trust_from": "true", "confirm_signup": "false", "wait_for_robots_seconds": "120"}
    with running_server(tmp_path, max_playouts="16", **settings) as server:
        person = server.person("ann")
        person.says("signup ann secret")
        assert person.hears().subject == "Welcome to pbem, ann"
        person.says("connect4 challenge ann robot1")
        mail = person.hears(300)
        while offered := re.search(r"with your move, for example:  (\S+)", mail.text):
            person.answers(mail, offered[1])
            mail = person.hears(300)
        assert "\n\nrobot1 won." in mail.text or "\n\nYou won!" in mail.text
