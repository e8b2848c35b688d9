"""Robots at boards: what they are asked is thought about in a process of its own, and said as anybody would."""

from __future__ import annotations

import os
import signal
from concurrent.futures import BrokenExecutor, wait
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.domain.robots import TaskKind
from pbem.storage.engine import writing
from pbem.storage.robot_tasks import retry_tasks
from pbem.workers.failures import MOST_ATTEMPTS
from pbem.workers.search_processes import SearchProcess, Slot, make_slots
from tests.support.stepped_robots import SteppedRobots
from tests.support.stepped_server import SteppedServer

TO_ALICE = "alice@example.org"


def test_a_robot_accepts_at_once_moves_and_is_told_nothing(robots: SteppedRobots) -> None:
    assert robots.says("palago challenge robot1 alice") == ["New palago Board 101 robot1"]
    assert robots.thinks() == ["palago Board 101 alice"]
    assert {mail.recipient for mail in robots.stepped.mails()} == {TO_ALICE}


def test_a_robot_has_one_board_with_each_player_or_one_pair(robots: SteppedRobots) -> None:
    assert robots.says("palago challenge -pair robot2") == ["New palago Board 101 alice", "New palago Board 102 robot2"]
    assert robots.says("mambo challenge Robot2") == ["Invalid challenge"]
    assert "robot2 is already playing with you on board 101." in robots.last()
    assert robots.says("mambo challenge robot") == ["New mambo Board 103 alice"]
    assert robots.says("resign 101", "resign 102") == ["palago Board 101", "palago Board 102"]
    assert robots.says("mambo challenge robot2") == ["New mambo Board 104 alice"]


@pytest.mark.parametrize(
    ("game", "most", "tiles"),
    [("superbo", "-num_tiles=64", 128), *((game, "-size=96", 96) for game in ("mambo", "lambo", "palago"))],
)
def test_a_robot_refuses_boards_on_which_it_would_think_for_hours(
    robots: SteppedRobots, game: str, most: str, tiles: int
) -> None:
    larger = most[:-1] + str(int(most[-1]) + 1)
    assert robots.says(f"{game} challenge {larger} robot5 alice") == ["Invalid challenge"]
    said = " ".join(robots.last().split())
    assert f"robot5 plays {game.title()} with at most {tiles} tiles in all, which is {most}." in said
    assert robots.says(f"{game} challenge {most} robot5 alice") == [f"New {game} Board 101 robot5"]
    robots.says("help robot")
    assert most in robots.last()


def test_several_robots_sit_at_one_board_and_end_it_when_nobody_else_is_left(robots: SteppedRobots) -> None:
    assert robots.says("mamba challenge -inorder robot1 robot2 robot3 alice") == ["New mamba Board 101 robot1"]
    assert robots.thinks()[-1] == "mamba Board 101 alice"
    assert robots.says("resign 101") == ["mamba Board 101"]
    assert robots.tasks() == 0


def test_an_offer_that_comes_while_a_robot_thinks_is_answered_first(robots: SteppedRobots) -> None:
    robots.says("palago challenge -unrated alice robot1", "move 101 a1")
    robots.thinkers.step()
    assert robots.slot.thought is not None
    assert robots.says("undo 101") == ["palago Board 101 robot1"]
    assert robots.thinks() == ["palago Board 101 alice"]
    assert "Your move, alice." in robots.last()
    assert "robot1 agreed. The move has been taken back: it's move 1 again." in robots.last()


def test_a_thought_is_thought_again_when_its_process_is_killed(robots: SteppedRobots) -> None:
    robots.says("palago challenge robot1 alice")
    robots.thinkers.step()
    assert robots.slot.thought is not None
    assert robots.slot.mind._pid is not None
    wait([robots.slot.mind._pid], 60)
    assert robots.slot.mind.pid is not None
    os.kill(robots.slot.mind.pid, signal.SIGKILL)
    assert robots.thinks() == ["palago Board 101 alice"]


def test_a_task_that_ends_its_thinkers_is_set_aside_and_can_be_taken_up_again(robots: SteppedRobots) -> None:
    robots.says("palago challenge robot1 alice")
    for _ in range(MOST_ATTEMPTS):
        robots.thinkers.step()
        robots.slot.mind.kill()
        assert robots.slot.thought is not None
        wait([robots.slot.thought], 60)
        robots.thinkers._finish(robots.slot)
    assert (robots.tasks(), robots.tasks("shunted")) == (0, 1)
    assert robots.hears() == ["palago Board 101 robot1", "pbem set aside a task of robot1"]
    with writing(robots.stepped.server.engine) as connection:
        retry_tasks(connection, [101], datetime.now(UTC))
    assert robots.thinks() == ["palago Board 101 alice"]


def test_after_a_thought_that_takes_too_long_there_are_fewer_playouts(
    chosen_url: str, tmp_path: Path, mind: SearchProcess
) -> None:
    stepped = SteppedServer(chosen_url, tmp_path, PBEM_MAX_PLAYOUTS="64", PBEM_TRUST_FROM="true")
    robots = SteppedRobots(stepped, mind)
    robots.says("palago challenge robot5 alice")
    impatient = robots.another([robots.slot], longest=0)
    impatient.step()
    late = robots.slot.thought
    assert late is not None
    impatient.step()
    wait([late], 60)
    robots.thinkers.step()
    again = robots.slot.thought
    assert again is not None
    assert again is not late
    assert again.result(60).playouts == 64 // 4
    assert robots.thinks() == ["palago Board 101 alice"]
    stepped.server.close()


def test_a_search_at_a_board_that_is_over_meanwhile_is_broken_off(
    chosen_url: str, tmp_path: Path, mind: SearchProcess
) -> None:
    stepped = SteppedServer(chosen_url, tmp_path, PBEM_TRUST_FROM="true")
    robots = SteppedRobots(stepped, mind)
    robots.says("lambo challenge -size=96 robot5 alice")
    attentive = robots.another([robots.slot], check=0)
    attentive.step()
    thought = robots.slot.thought
    assert thought is not None
    assert robots.says("resign 101") == ["lambo Board 101"]
    attentive.step()
    wait([thought], 60)
    assert isinstance(thought.exception(), BrokenExecutor)
    attentive.step()
    assert (robots.slot.task, robots.tasks(), robots.tasks("shunted"), robots.hears()) == (None, 0, 0, [])
    stepped.server.close()


def test_a_server_that_ends_gives_back_what_is_not_thought_out(robots: SteppedRobots) -> None:
    robots.says("palago challenge robot1 alice")
    slot = Slot(SearchProcess(()))
    ending = robots.another([slot])
    ending.step()
    assert slot.task is not None
    ending.end()
    assert slot.mind.pid is None
    assert robots.thinks() == ["palago Board 101 alice"]


def test_thinkers_rest_while_somebody_thinks(robots: SteppedRobots) -> None:
    robots.says("palago challenge robot1 alice")
    assert robots.thinkers.step()
    thought = robots.slot.thought
    assert thought is not None
    while not thought.done():
        has_done = robots.thinkers.step()
        assert thought.done() or not has_done
    assert robots.thinks() == ["palago Board 101 alice"]


def test_a_long_thought_does_not_wait_for_a_short_one_that_another_mind_takes(robots: SteppedRobots) -> None:
    robots.says("palago challenge robot2 alice")
    robots.thinks()
    robots.says("palago challenge robot1 alice", "palago challenge robot5 alice")
    slots = make_slots(1, lambda: robots.slot.mind)  # one child for all: what counts is who takes what
    thinkers = robots.another(slots)
    thinkers.step()
    assert [slot.task and slot.task.userid for slot in slots] == ["robot5", "robot1", None]
    wait([slot.thought for slot in slots if slot.thought is not None], 60)
    thinkers.step()
    assert sorted(robots.hears()) == ["palago Board 102 alice", "palago Board 103 alice"]


def test_a_turn_of_the_strongest_waits_for_no_analysis(robots: SteppedRobots) -> None:
    robots.says("lambo challenge -unrated -size=8 alice robot1", "move 101 a1")
    robots.thinks()
    robots.says("resign 101", "analyse 101", "lambo challenge -size=8 robot5 alice")
    slots = make_slots(1, lambda: robots.slot.mind)  # one child for all: what counts is who takes what
    thinkers = robots.another(slots)
    thinkers.step()
    assert [slot.task and slot.task.kind for slot in slots] == [None, TaskKind.ACT, TaskKind.ANALYSE]
    wait([slot.thought for slot in slots if slot.thought is not None], 60)
    thinkers.step()
    assert sorted(robots.hears()) == ["lambo Board 101 Analysis", "lambo Board 102 alice"]
