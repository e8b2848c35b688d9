"""A server of many processes on one database: they are ended in the middle of their work, and nobody notices."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.reliability.posts import PlayingPair
from tests.reliability.street import Street, Trouble, play, street
from tests.support.server import RunningServer

SIX_MOVES = partial(PlayingPair.letters, moves=6)


def ending(roles: str, end: Callable[[RunningServer], object]) -> Trouble:
    """The end of one process of some roles, and the start of another in its place."""

    def trouble(processes: Street, random: Random) -> None:
        behind = random.choice(processes.houses[roles])
        end(behind)
        behind.start()

    return trouble


def killed(behind: RunningServer) -> None:
    behind.kill()


def asked_to_end(behind: RunningServer) -> None:
    assert behind.stop(signal.SIGTERM) == 0


def test_workers_and_deliverers_are_killed_and_every_letter_is_handled_once_and_every_answer_delivered(
    tmp_path: Path, postgresql_url: str
) -> None:
    with street(tmp_path, database_url=postgresql_url) as processes:
        again = play(processes, 1, 4, SIX_MOVES, [ending(roles, killed) for roles in ("worker", "delivery")])
    assert again <= 10, "as many as were in the hands of the deliverer that was killed"


def test_processes_of_every_role_are_asked_to_end_and_nothing_is_lost_or_sent_twice(
    tmp_path: Path, postgresql_url: str
) -> None:
    with street(tmp_path, database_url=postgresql_url) as processes:
        assert (
            play(processes, 2, 4, SIX_MOVES, [ending(roles, asked_to_end) for roles in ("smtp", "worker", "delivery")])
            == 0
        )


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [3, 4])
def test_the_same_with_many_more_ends_of_all_kinds(tmp_path: Path, postgresql_url: str, seed: int) -> None:
    random = Random(seed)
    kills = [ending(random.choice(["worker", "worker", "delivery", "smtp"]), killed) for _ in range(20)]
    ends = [ending(random.choice(["worker", "delivery", "smtp"]), asked_to_end) for _ in range(10)]
    both = [*kills, *ends]
    random.shuffle(both)
    with street(tmp_path, database_url=postgresql_url) as processes:
        again = play(processes, seed, 8, partial(PlayingPair.letters, moves=60), both)
    assert again <= 10 * len(kills)
