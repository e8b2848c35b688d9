"""A server of several processes that one has started: each may die, and all end together."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.reliability.ledger import Ledger, check_exactly_once
from tests.reliability.mailers import Mailers, begun
from tests.reliability.posts import LONG, PlayingPair
from tests.support.server import RunningServer, running_server

SETTINGS = {
    "processes": "2",
    "confirm_signup": "false",
    "log_level": "warning",
    "lease_seconds": "3600",  # nothing is freed by waiting for that
    "monitor_listen": "127.0.0.1:0",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings for a server on either database."""
    if request.param == "sqlite":
        return SETTINGS
    url = request.getfixturevalue("postgresql_url")
    return SETTINGS | {"database_url": url, "secret_key": "the same for all processes"}


def processes(server: RunningServer) -> list[int]:
    """The processes that the first one has started: the one with the doors, then those that decide."""
    task = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    return [int(each) for each in task.read_text().split()]


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def is_replaced(server: RunningServer, pid: int) -> bool:
    there = processes(server)
    return pid not in there and len(there) == 3


def monitor_of(server: RunningServer) -> str:
    return next(line.split()[-1] for line in server.lines if line.startswith("pbem: monitor "))


def test_games_go_on_though_those_that_decide_are_killed(tmp_path: Path, settings: dict[str, str]) -> None:
    with running_server(tmp_path, **settings) as server:
        couples = [PlayingPair(f"p{number}", 101 + number) for number in range(4)]
        beginning = [letter for pair in couples for letter in begun(server, pair)]
        work = [pair.letters(number, 18) for number, pair in enumerate(couples)]
        total = sum(map(len, work))
        mailers = Mailers(server, work)
        mailers.start()
        for kill in range(3):
            mailers.wait_for(total * (kill + 1) // 4)
            wait_for(lambda: len(processes(server)) == 3)
            victim = processes(server)[1 + kill % 2]
            os.kill(victim, signal.SIGKILL)
            wait_for(partial(is_replaced, server, victim))
        mailers.join()
        Ledger(server.database).wait_until_idle()
        metrics = httpx.get(f"{monitor_of(server)}/metrics").text
        assert server.stop() == 0
        check_exactly_once(server, [*beginning, *mailers.accepted], couples)
    handled = next(line for line in metrics.splitlines() if line.startswith('pbem_letters_handled_total{outcome="ans'))
    assert float(handled.split()[1]) > 0, "it is others that have handled them"
    assert metrics.count("pbem_process_info{") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_all_end_with_the_one_that_has_started_them(tmp_path: Path, number: signal.Signals) -> None:
    with running_server(tmp_path, **SETTINGS) as server:
        wait_for(lambda: len(processes(server)) == 3)
        started = processes(server)
        assert server.stop(number) == (0 if number == signal.SIGTERM else -9)
        wait_for(lambda: all(map(is_gone, started)))
        server.start()  # nothing is locked any more


def test_all_end_if_the_one_with_the_doors_dies(tmp_path: Path) -> None:
    with running_server(tmp_path, **SETTINGS) as server:
        wait_for(lambda: len(processes(server)) == 3)
        started = processes(server)
        os.kill(started[0], signal.SIGKILL)
        wait_for(lambda: not server.is_running)
        assert all(map(is_gone, started))
        assert any("process died" in line for line in server.lines)
        server.start()


def test_a_process_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with running_server(tmp_path, **SETTINGS) as server:
        wait_for(lambda: len(processes(server)) == 3)
        live = f"{monitor_of(server)}/live"
        wait_for(lambda: httpx.get(live).status_code == 200)
        stopped = processes(server)[2]
        os.kill(stopped, signal.SIGSTOP)
        try:
            answer = httpx.get(live, timeout=LONG)
            assert (answer.status_code, answer.json()["because"]) == (
                503,
                ["process 2 of those that decide does not answer"],
            )
        finally:
            os.kill(stopped, signal.SIGCONT)
        wait_for(lambda: httpx.get(live).status_code == 200)
