"""A server of many processes on one database: they are ended in the middle of their work, and nobody notices."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest

from tests.reliability.ledger import Ledger, check_exactly_once
from tests.reliability.mailers import Mailers
from tests.reliability.posts import PlayingPair, Post
from tests.support.mail import PATIENCE, Postbox
from tests.support.server import RunningServer

SETTINGS = {
    "secret_key": "the same for all processes",
    "confirm_signup": "false",
    "log_level": "warning",
    "lease_seconds": "3600",  # nothing is freed by waiting for that
    "database_connections": "5",
    "monitor_listen": "127.0.0.1:0",
}
ROLES = ("smtp", "worker", "delivery", "clock,web")


class Street:
    """Two processes for each of `ROLES`."""

    def __init__(self, folder: Path, url: str, postbox: Postbox) -> None:
        self.houses: dict[str, list[RunningServer]] = {}
        for roles in ROLES:
            more = SETTINGS | ({"web_listen": "127.0.0.1:0"} if "web" in roles else {})
            both = [RunningServer(folder, postbox, roles, database_url=url, **more) for _ in range(2)]
            self.houses[roles] = both
        self.all = [each for both in self.houses.values() for each in both]

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.all[0].database)

    def start(self) -> None:
        with ThreadPoolExecutor(len(self.all)) as threads:
            list(threads.map(lambda each: each.start(), self.all))

    def stop(self) -> list[int]:
        """Ask all of them to end; return their exit codes."""
        with ThreadPoolExecutor(len(self.all)) as threads:
            return list(threads.map(lambda each: each.stop(), self.all))

    def mailers(self, pairs: Sequence[Sequence[Post]]) -> list[Mailers]:
        """Mail programs for lists of letters, by turns for each of the doors."""
        doors = self.houses["smtp"]
        return [Mailers(door, pairs[place :: len(doors)]) for place, door in enumerate(doors)]


@contextmanager
def street(folder: Path, url: str) -> Iterator[Street]:
    with Postbox() as postbox:
        street = Street(folder, url, postbox)
        try:
            street.start()
            yield street
        finally:
            codes = street.stop()
        assert set(codes) == {0}


def last_event(web: str, board: int, wanted: int) -> int:
    """The number of the last event that a browser is told of which follows a board until it hears of that one."""
    heard, deadline = 0, monotonic() + 6 * PATIENCE
    with httpx.stream("GET", f"{web}/boards/{board}/live", timeout=PATIENCE * 4) as events:
        for line in events.iter_lines():
            if line.startswith("data: "):
                heard = int(line.removeprefix("data: "))
            if heard >= wanted or monotonic() > deadline:
                break
    return heard


def begin(street: Street, count: int) -> tuple[list[PlayingPair], list[Post]]:
    """Have pairs of players sign up and begin a board each; return them, and the letters."""
    pairs = [PlayingPair(f"p{number}", 101 + number) for number in range(count)]
    mailers = Mailers(
        street.houses["smtp"][0], [[post for pair in pairs for post in (*pair.signups(), pair.challenge())]]
    )
    mailers.start()
    mailers.join()
    street.ledger.wait_until_idle()
    of_player = "SELECT board_number FROM seats JOIN players ON players.id = player_id WHERE userid = :userid"
    for pair in pairs:  # two workers begin them in whichever order
        ((pair.board,),) = street.ledger.rows(of_player, userid=pair.players[0])
    return pairs, mailers.accepted


def play(
    street: Street, seed: int, count: int, moves: int, ends: Sequence[tuple[str, Callable[[RunningServer], object]]]
) -> int:
    """Have players play while processes are ended and started again; return how many mails came more than once.

    Args:
        street: the processes.
        seed: what happens when.
        count: of pairs of players.
        moves: that each pair makes.
        ends: of which roles one process is ended, one after the other, and how.
    """
    random = Random(seed)
    pairs, accepted = begin(street, count)
    work = [pair.letters(seed + place, moves) for place, pair in enumerate(pairs)]
    total, done = sum(map(len, work)), 0
    with ThreadPoolExecutor() as browsers:
        told: list[Future[int]] = [
            browsers.submit(last_event, behind.web, pairs[0].board, len(pairs[0].expected))
            for behind in street.houses["clock,web"]
        ]
        mailers = street.mailers(work)
        for each in mailers:
            each.start()
        for roles, end in ends:
            mailers[0].wait_for(random.randrange(1, len(work[0])))
            done = street.ledger.wait_until_more_is_done_than(done)
            behind = random.choice(street.houses[roles])
            end(behind)
            behind.start()
        for each in mailers:
            each.join()
        street.ledger.wait_until_idle()
        assert [each.result() for each in told] == [len(pairs[0].expected)] * 2
    accepted = [*accepted, *(post for each in mailers for post in each.accepted)]
    assert len(accepted) == total + 3 * count
    arrivals = check_exactly_once(street.all[0], accepted, pairs)
    held = "SELECT count(*) FROM {} WHERE lease_owner IS NOT NULL"
    assert [street.ledger.rows(held.format(table)) for table in ("inbox", "outbox", "tasks")] == [[(0,)]] * 3
    return sum(arrivals.values()) - len(arrivals)


def killed(behind: RunningServer) -> None:
    behind.kill()


def asked_to_end(behind: RunningServer) -> None:
    assert behind.stop(signal.SIGTERM) == 0


def test_workers_and_deliverers_are_killed_and_every_letter_is_handled_once_and_every_answer_delivered(
    tmp_path: Path, postgresql_url: str
) -> None:
    with street(tmp_path, postgresql_url) as processes:
        again = play(processes, 1, 4, 6, [(roles, killed) for roles in ("worker", "delivery")])
    assert again <= 10, "as many as were in the hands of the deliverer that was killed"


def test_processes_of_every_role_are_asked_to_end_and_nothing_is_lost_or_sent_twice(
    tmp_path: Path, postgresql_url: str
) -> None:
    with street(tmp_path, postgresql_url) as processes:
        assert play(processes, 2, 4, 6, [(roles, asked_to_end) for roles in ("smtp", "worker", "delivery")]) == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [3, 4])
def test_the_same_with_many_more_ends_of_all_kinds(tmp_path: Path, postgresql_url: str, seed: int) -> None:
    random = Random(seed)
    kills = [(random.choice(["worker", "worker", "delivery", "smtp"]), killed) for _ in range(20)]
    ends = [(random.choice(["worker", "delivery", "smtp"]), asked_to_end) for _ in range(10)]
    both = [*kills, *ends]
    random.shuffle(both)
    with street(tmp_path, postgresql_url) as processes:
        again = play(processes, seed, 8, 60, both)
    assert again <= 10 * len(kills)
