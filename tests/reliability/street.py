"""A server of many processes on one database, two of each kind, and players who write while something goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic

import httpx

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


MakeServer = Callable[..., RunningServer]


class Street:
    """Two processes for each of `ROLES`."""

    def __init__(self, make: MakeServer, folder: Path, postbox: Postbox, /, **settings: str) -> None:
        self.houses: dict[str, list[RunningServer]] = {}
        for roles in ROLES:
            more = SETTINGS | settings | ({"web_listen": "127.0.0.1:0"} if "web" in roles else {})
            both = [make(folder, postbox, roles, **more) for _ in range(2)]
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
def street(folder: Path, make: MakeServer = RunningServer, /, **settings: str) -> Iterator[Street]:
    """The processes, which have ended in order at the end.

    Args:
        folder: in which they run.
        make: makes each of them, not started yet.
        settings: of all of them; ``database_url`` is one.
    """
    with Postbox() as postbox:
        street = Street(make, folder, postbox, **settings)
        try:
            street.start()
            yield street
        finally:
            codes = street.stop()
        assert set(codes) == {0}


def last_event(web: str, board: int, wanted: int, follows: Event) -> int:
    """The number of the last event that a browser is told of which follows a board until it hears of that one."""
    heard, deadline = 0, monotonic() + 6 * PATIENCE
    with httpx.stream("GET", f"{web}/boards/{board}/live", timeout=PATIENCE * 4) as events:
        for line in events.iter_lines():
            follows.set()
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


Trouble = Callable[[Street, Random], object]


def play(
    street: Street,
    seed: int,
    count: int,
    letters: Callable[[PlayingPair, int], list[Post]],
    troubles: Sequence[Trouble],
) -> int:
    """Have players play while things go wrong; return how many mails came more than once.

    Args:
        street: the processes.
        seed: what happens when.
        count: of pairs of players.
        letters: that a pair writes, by its own seed.
        troubles: called one after the other, while letters come.
    """
    random = Random(seed)
    pairs, accepted = begin(street, count)
    work = [letters(pair, seed + place) for place, pair in enumerate(pairs)]
    total, done = sum(map(len, work)), 0
    with ThreadPoolExecutor() as browsers:
        told: list[Future[int]] = []
        for behind in street.houses["clock,web"]:
            follows = Event()
            told.append(browsers.submit(last_event, behind.web, pairs[0].board, len(pairs[0].expected), follows))
            assert follows.wait(PATIENCE)
        mailers = street.mailers(work)
        for each in mailers:
            each.start()
        for trouble in troubles:
            mailers[0].wait_for(random.randrange(1, len(work[0])))
            done = street.ledger.wait_until_more_is_done_than(done)
            trouble(street, random)
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
