"""Analyses of finished boards: asked for by players, queued with the tasks of robots, mailed when they are done."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert

from pbem.domain.robots import MOST_ANALYSES
from pbem.storage.engine import writing
from pbem.storage.models import TaskRow
from pbem.workers.failures import MOST_ATTEMPTS
from pbem.workers.search_processes import SearchProcess
from tests.support.stepped_robots import SteppedRobots
from tests.support.stepped_server import SteppedServer

MOVES = ("move 101 alice secret a1", "move 101 bob secret b1,c1")


@pytest.fixture
def robots(chosen_url: str, tmp_path: Path, mind: SearchProcess) -> Iterator[SteppedRobots]:
    """Alice and bob, who have played a short game of Lambo, which alice has resigned."""
    stepped = SteppedServer(chosen_url, tmp_path, PBEM_MAX_PLAYOUTS="2", PBEM_TRUST_FROM="true")
    robots = SteppedRobots(stepped, mind)
    stepped.gets("signup bob secret", sender="bob@example.org")
    robots.says("lambo challenge -unrated -size=8 alice bob", *MOVES, "resign 101 alice secret")
    yield robots
    stepped.server.close()


def test_a_game_is_mailed_with_its_moves_and_one_move_with_what_was_better(robots: SteppedRobots) -> None:
    assert robots.says("analyse 101") == ["lambo Board 101 Analysis"]
    assert "No other analysis is waiting before yours." in " ".join(robots.last().split())
    assert robots.thinks() == ["lambo Board 101 Analysis"]
    assert "1. alice" in robots.last()
    assert "2. bob" in robots.last()
    assert "about 2 times" in " ".join(robots.last().split())
    assert robots.says("lambo analyse 101#2") == ["lambo Board 101 Analysis"]
    assert robots.thinks() == ["lambo Board 101 Analysis"]
    assert "It was the turn of bob (Dark)." in robots.last()
    assert "bob (Dark) played B1,C1, which" in robots.last()


def test_everybody_waits_for_one_analysis_at_a_time(robots: SteppedRobots) -> None:
    robots.says("analyse 101")
    assert robots.says("analyse 101#1") == ["lambo Board 101 Error"]
    assert "You are already waiting for an analysis or a hint at this board." in " ".join(robots.last().split())
    assert len(robots.thinks()) == 1
    assert robots.says("analyse 101#1") == ["lambo Board 101 Analysis"]


def test_an_analysis_is_queued_for_nobody_but_a_player_who_has_proved_that_it_is_he(
    chosen_url: str, tmp_path: Path, mind: SearchProcess
) -> None:
    stepped = SteppedServer(chosen_url, tmp_path)
    robots = SteppedRobots(stepped, mind)
    stepped.gets("signup bob secret", sender="bob@example.org")
    robots.says("lambo challenge -size=8 alice bob", *MOVES, "resign 101 alice secret")
    for number in range(3):
        stepped.gets("lambo analyse 101", sender=f"w{number}@victim.example")
        assert robots.says() == ["lambo Board 101 Error"]
        assert "sign up first" in " ".join(robots.last().split())
    assert robots.says("analyse 101") == ["Please confirm, alice: analyse on board 101"]
    assert robots.tasks() == 0
    assert robots.says("analyse 101#1 alice secret") == ["lambo Board 101 Analysis"]
    assert robots.tasks() == 1
    stepped.server.close()


def test_so_many_analyses_wait_and_no_more(robots: SteppedRobots) -> None:
    now = datetime.now(UTC)
    row = {"board_number": 101, "event": 3, "player_id": 5, "kind": "analyse", "budget": 1, "asked_at": now}
    row |= {"due_at": now, "state": "waiting", "attempts": 0, "next_attempt_at": now}
    with writing(robots.stepped.server.engine) as connection:
        connection.execute(insert(TaskRow), [row] * (MOST_ANALYSES - 1))
    assert robots.says("analyse 101") == ["lambo Board 101 Analysis"]
    robots.stepped.gets("analyse 101 bob secret", sender="bob@example.org")
    assert robots.says() == ["lambo Board 101 Error"]
    assert "ask again in an hour" in " ".join(robots.last().split())
    assert robots.tasks() == MOST_ANALYSES


REFUSED = {
    "analyse 102": "Board 102 is still in play.",
    "palago analyse 101": "lambo",
    "analyse 101#3": "Board 101 has no move 3: the last one is number 2.",
    "analyse 103": "No game was played on board 103",
}


def test_what_cannot_be_analysed_is_refused(robots: SteppedRobots) -> None:
    robots.says("lambo challenge alice bob", "lambo challenge alice bob", "resign 103 alice secret")
    for letter, said in REFUSED.items():
        assert robots.says(letter)[0].endswith(" Error")
        assert said in " ".join(robots.last().split())
    assert robots.tasks() == 0


def test_no_copy_of_a_board_that_people_play_is_analysed(robots: SteppedRobots) -> None:
    turns = ("a1", "b1,c1", "d1,e1", "f1,j1")
    for other in ("yan", "zoe"):
        robots.stepped.gets(f"signup {other} secret", sender=f"{other}@example.org")
    robots.says("lambo challenge -unrated alice bob", "lambo challenge -unrated alice alice")
    for index, turn in enumerate(turns):
        robots.says(f"move 102 {('alice', 'bob')[index % 2]} secret {turn}", f"move 103 alice secret {turn}")
        if index == 1:
            robots.says(
                "lambo challenge -unrated alice alice", "move 104 alice secret a1", "move 104 alice secret b1,c1"
            )
            robots.says("resign 104 alice secret")
            assert robots.says("analyse 104#2") == ["lambo Board 104 Error"]
            assert robots.says("analyse 104#2 zoe secret") == ["lambo Board 104 Analysis"]
    robots.says("move 103 alice secret g1,h1", "resign 103 alice secret")
    for letter in ("analyse 103#4", "analyse 103 yan secret"):
        assert robots.says(letter) == ["lambo Board 103 Error"]
        assert "Board 102 is still in play, and has a position that board 103 once had" in " ".join(
            robots.last().split()
        )
    robots.says("resign 102 alice secret")
    assert robots.says("analyse 103#4") == ["lambo Board 103 Analysis"]


def test_who_asks_is_told_when_it_cannot_be_thought_out_and_may_ask_again(robots: SteppedRobots) -> None:
    robots.says("analyse 101")
    for _ in range(MOST_ATTEMPTS):
        robots.thinkers.step()
        robots.slot.mind.kill()
        assert robots.slot.thought is not None
        wait([robots.slot.thought], 60)
    robots.thinkers.step()
    assert robots.hears() == ["lambo Board 101 Analysis"]
    assert "tried several times and could not finish" in " ".join(robots.last().split())
    assert robots.says("analyse 101") == ["lambo Board 101 Analysis"]
    assert robots.tasks() == 1


def test_a_word_about_a_game_that_is_over_changes_nothing_of_its_analysis(robots: SteppedRobots) -> None:
    robots.says("analyse 101")
    robots.says("chat 101 alice secret")
    assert robots.thinks()[-1] == "lambo Board 101 Analysis"
