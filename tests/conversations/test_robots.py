"""Games against computer opponents over the real SMTP port."""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.bootstrap import find_games
from pbem.domain.game_state import GameState
from pbem.domain.players import ROBOTS
from pbem.ids import BoardNumber
from pbem.storage.engine import make_engine
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import GameStateCache
from pbem.workers.child_processes import NICENESS
from tests.support.mail import Mail, Person
from tests.support.server import RunningServer, running_server

GAMES = find_games()
THINKING = {"thinkers": "1", "trust_from": "true", "confirm_signup": "false", "max_challenges_per_day": "1000"}
PATIENCE = 300.0
"""Seconds for a thought and its mail; with a compiler the first one waits for that."""

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server whose robots think little."""
    with running_server(tmp_path_factory.mktemp("server"), max_playouts="2", **THINKING) as server:
        yield server


def comes(server: RunningServer, userid: str) -> Person:
    person = server.person(userid)
    person.says(f"signup {userid} secret")
    assert person.hears().subject == f"Welcome to pbem, {userid}"
    person.says(f"set {userid} secret mail=text")
    assert person.hears().subject == f"Preferences of {userid}"
    return person


def course(server: RunningServer, number: int) -> GameState:
    """The state of a board as it is stored."""
    engine, courses = make_engine(server.database.url), GameStateCache(GAMES)
    try:
        with UnitOfWork(engine, courses) as uow:
            board = uow.boards.find(BoardNumber(number))
            assert board is not None
            return courses.of(board)
    finally:
        engine.dispose()


def any_move(server: RunningServer, number: int, game: str, chance: random.Random) -> str:
    """Some move that the rules allow."""
    position, steps = course(server, number).position, list[Any]()
    is_to_act, turn = position.to_act, position.ply
    while position.to_act == is_to_act and position.ply == turn and (not steps or position.mid_turn):
        steps.append(chance.choice(position.legal()))
        position = position.play(steps[-1])
    return GAMES[game].input_text(position, tuple(steps)).move


def to_act(mail: Mail) -> str:
    """The player on turn, by the Subject of a mail; empty once the game is over."""
    return mail.subject.partition(" Board ")[2].partition(" ")[2]


def plays_on(server: RunningServer, person: Person, mail: Mail, game: str) -> Mail:
    """Play whatever is allowed until the game is over; the last mail of it."""
    userid, chance = person.address.partition("@")[0], random.Random(7)
    number = int(mail.subject.partition(" Board ")[2].split()[0])
    while to_act(mail):
        if to_act(mail) == userid:
            person.says(f"move {number} {any_move(server, number, game, chance)}")
        mail = person.hears(PATIENCE)
        assert "rror" not in mail.subject, mail.text
    return mail


def test_one_mail_tells_of_a_move_and_of_the_robots_answer(tmp_path: Path) -> None:
    with running_server(tmp_path, max_playouts="2", wait_for_robots_seconds="120", **THINKING) as server:
        person = comes(server, "ann")
        person.says("superbo challenge ann robot1")
        number = int(person.hears(PATIENCE).subject.split(" Board ")[1].split()[0])
        person.says(f"move {number} {any_move(server, number, 'superbo', random.Random(1))}")
        told = person.hears(PATIENCE)
        assert told.subject == f"superbo Board {number} ann"
        assert re.search(r"Your move, ann\. You played \w+\. robot1 played ", told.words)
        assert person.hears_nothing()


VARIANTS = {
    "superbo": (
        *("-num_tiles=8", "-num_tiles=6 -adjacent_pair -swap", "-num_tiles=6 -single"),
        *("-num_tiles=6 -anywhere", "-num_tiles=4 -kill_eye"),
    ),
    "mambo": ("-size=6 -swap", "-size=6", "-size=8 -territory", "-size=8 -no_kill", "-size=6 -kill"),
    "lambo": ("-size=6", "-size=6 -must_contain", "-size=6 -anywhere", "-size=6 -eat_enemy=1", "-size=8 -swap"),
    "palago": ("-size=6 -swap", "-size=6", "-size=8", "-size=4", "-size=8 -swap"),
    "mamba": ("-rounds=2", "-rounds=1 -must_move", "-rounds=1 -strict_isolation", "-rounds=1 -inorder", "-rounds=1"),
}
"""Of each game one for each robot, weakest first, all of them short."""


@pytest.mark.parametrize("game", VARIANTS)
def test_a_game_against_each_robot_is_played_to_its_end(thinking: RunningServer, game: str) -> None:
    me = f"one_of_{game}"
    person = comes(thinking, me)
    for robot, options in zip(ROBOTS, VARIANTS[game], strict=True):
        person.says(f"{game} challenge {options} {me} {robot}")
        first = person.hears(PATIENCE)
        assert first.subject.startswith(f"New {game} Board ")
        last = plays_on(thinking, person, first, game)
        assert " won" in last.text or "The game is a tie." in last.text
        assert f"{robot}'s rating" not in last.text


@pytest.mark.parametrize(
    ("me", "options", "robots"),
    [("ann", "", "robot1 robot2"), ("bea", "-teams", "robot1 robot2 robot3"), ("cid", "-unrated", "robot1 robot1")],
)
def test_several_robots_play_at_one_board(thinking: RunningServer, me: str, options: str, robots: str) -> None:
    person = comes(thinking, me)
    person.says(f"mamba challenge -rounds=1 {options} {robots} {me}")
    last = plays_on(thinking, person, person.hears(PATIENCE), "mamba")
    assert re.search(r" won[.,!]|The game is a tie\.", last.words), last.text


def test_robots_whom_everybody_has_left_do_not_play_on(thinking: RunningServer) -> None:
    person = comes(thinking, "eli")
    person.says("mamba challenge -inorder eli robot1 robot2 robot3")
    mail = person.hears()
    number = int(mail.subject.split()[3])
    person.says(f"move {number} {any_move(thinking, number, 'mamba', random.Random(1))}")
    mail = person.hears(PATIENCE)
    while to_act(mail) != "eli":
        mail = person.hears(PATIENCE)
    person.says(f"resign {number}")
    last = person.hears()
    assert last.subject == f"mamba Board {number}"
    assert "robot1, robot2 and robot3 won. Only computer opponents are left" in last.words
    assert "Your rating" not in last.text
    person.says("mamba challenge -inorder robot1 eli")
    assert person.hears().subject.startswith("New mamba Board")


def test_offers_are_answered(thinking: RunningServer) -> None:
    person = comes(thinking, "dora")
    person.says("palago challenge -rated dora robot4")
    number = int(person.hears().subject.split()[3])
    person.says(f"move {number} a1")
    assert to_act(person.hears()) == "robot4"
    assert to_act(person.hears(PATIENCE)) == "dora"
    person.says(f"undo {number}")
    person.hears()
    assert "robot4 refused your request to take a move back." in person.hears(PATIENCE).words
    person.says(f"propose {number}")
    person.hears()
    said = person.hears(PATIENCE).words
    assert "robot4 refused your offer of a draw." in said or "The game is a draw: the players agreed on it." in said


def test_ten_who_challenge_at_once_are_all_answered(thinking: RunningServer) -> None:
    people = [comes(thinking, f"ten{letter}") for letter in "abcdefghij"]
    for person in people:
        person.says(f"mambo challenge robot2 {person.address.partition('@')[0]}")
    for person in people:
        assert to_act(person.hears(PATIENCE)) == "robot2"
        assert to_act(person.hears(PATIENCE)) == person.address.partition("@")[0]


def thinkers_of(server: RunningServer) -> list[int]:
    """The processes that think for a server, by their courtesy."""
    tasks = Path(f"/proc/{server.pid}/task").glob("*/children")
    children = {int(pid) for each in tasks for pid in each.read_text(encoding="ascii").split()}
    return [pid for pid in children if os.getpriority(os.PRIO_PROCESS, pid) >= NICENESS]


def test_a_thinker_and_a_server_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    with running_server(tmp_path, max_playouts="4", **THINKING) as server:
        person = comes(server, "kim")
        person.says("palago challenge robot1 kim")
        assert [to_act(person.hears(PATIENCE)) for _ in "12"] == ["robot1", "kim"]
        for pid in thinkers_of(server):
            os.kill(pid, signal.SIGKILL)
        person.says("palago challenge robot2 kim")
        assert [to_act(person.hears(PATIENCE)) for _ in "12"] == ["robot2", "kim"]
        person.says("palago challenge robot3 kim")
        assert to_act(person.hears(PATIENCE)) == "robot3"
        server.kill()
        server.start()
        while to_act(person.hears(PATIENCE)) == "robot3":
            pass  # what was mailed a moment before a power cut may be mailed once more
        assert len(course(server, 103).inputs) == 1
