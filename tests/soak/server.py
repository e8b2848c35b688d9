"""The server that is put to the test: one process on SQLite, or several with roles on PostgreSQL."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tests.support.ahead import SET
from tests.support.databases import KEY, POSTGRESQL, SQLITE, Database, model_on, put_sqlite
from tests.support.disks import Disk, small_disk
from tests.support.mail import Postbox
from tests.support.postgresql import LASTING, Cluster, running_cluster
from tests.support.server import RunningServer

OPERATOR = "operator@example.org"
ROLES = ("smtp", "worker", "worker", "delivery", "delivery", "clock")
_SETTINGS = {
    SET.removeprefix("PBEM_").lower(): "yes",
    "log_level": "info",
    "operator": OPERATOR,
    "retry_letter_seconds": "1",
    "clock_seconds": "1",
    "drain_seconds": "2",
    "max_messages_per_day": "100000",
    "max_challenges_per_day": "100000",
    "max_questions_per_day": "1000",
    "max_stranger_mails_per_hour": "1000000",
    "secret_key": KEY,
}
RIGHT = timedelta()
_LONGEST = 240.0
"""Seconds that a start may be tried for, or everything be handled in."""


class NotAtRest(Exception):
    """Letters or mails still wait, long after the last trouble; the text tells how many."""


@dataclass
class SoakServer:
    """The processes of one server, its database, and the disk that this lies on."""

    servers: Sequence[RunningServer]
    database: Database
    disk: Disk | None
    """None where nobody may mount one."""
    cluster: Cluster | None
    """None on SQLite."""

    @property
    def door(self) -> RunningServer:
        """The process that takes letters."""
        return self.servers[0]

    def set_clock(self, ahead: timedelta) -> None:
        """Set the clock of all processes, by so much ahead of the right one."""
        for server in self.servers[:1]:  # they read the same file
            server.passes(ahead)

    def start(self, server: RunningServer) -> None:
        """Start a process, again and again as systemd would, until it runs."""
        deadline = time.monotonic() + _LONGEST
        while True:
            try:
                server.start()
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return

    def has_ended(self) -> list[str]:
        """The last lines of processes that have ended by themselves."""
        return ["\n".join(server.lines[-5:]) for server in self.servers if not server.is_running]

    def wait_until_at_rest(self) -> None:
        """Wait until no letter waits and no mail.

        Raises:
            NotAtRest: it takes too long.
        """
        began = time.monotonic()
        query = "SELECT (SELECT count(*) FROM {0} WHERE state = 'waiting')"
        while True:
            letters, mails = (self.database.rows(query.format(queue))[0][0] for queue in ("inbox", "outbox"))
            if letters == mails == 0:
                return
            if time.monotonic() - began > _LONGEST:
                raise NotAtRest(f"{letters} letters and {mails} mails wait")
            time.sleep(0.1)

    def stop(self) -> list[int]:
        """Ask all processes to end; return their exit codes."""
        return [server.stop(signal.SIGTERM) for server in self.servers]


@contextmanager
def running_soak_server(
    kind: str, folder: Path, postbox: Postbox, lease: int, mebibytes: int, *, in_memory: bool = False
) -> Iterator[SoakServer]:
    """A server on a database of this kind, and all of it ended at the end.

    Args:
        kind: of database.
        folder: where everything lies.
        postbox: where its mails go.
        lease: seconds that a letter is leased for.
        mebibytes: the size of its disk; 0: the folder lies on a disk that is not to be filled.
        in_memory: whether that disk is none, so that nobody waits for it.
    """
    with _disk(folder, mebibytes, in_memory=in_memory) as disk:
        place = folder if disk is None else disk.path
        settings = _SETTINGS | {"lease_seconds": str(lease)}
        if kind == SQLITE:
            database = Database(put_sqlite(place / "pbem.db"))
            settings |= {"database_url": database.url}
            with _running(folder, postbox, [""], settings, SoakServer([], database, disk, None)) as soaked:
                yield soaked
            return
        assert kind == POSTGRESQL, kind
        with running_cluster(LASTING, place / "data") as cluster:
            database = Database(cluster.server.url(cluster.server.create_next(model_on(cluster.server))))
            settings |= {"database_url": database.url}
            with _running(folder, postbox, ROLES, settings, SoakServer([], database, disk, cluster)) as soaked:
                yield soaked


@contextmanager
def _running(
    folder: Path, postbox: Postbox, roles: Sequence[str], settings: dict[str, str], soaked: SoakServer
) -> Iterator[SoakServer]:
    """A server with processes that have these roles."""
    soaked.servers = [RunningServer(folder, postbox, each, **settings) for each in roles]
    try:
        for server in soaked.servers:
            server.passes(RIGHT)
            server.start()
        yield soaked
    finally:
        for server in soaked.servers:
            if server.is_running:
                server.kill()


@contextmanager
def _disk(folder: Path, mebibytes: int, *, in_memory: bool) -> Iterator[Disk | None]:
    if mebibytes == 0:
        yield None
        return
    with small_disk(folder / "disk", mebibytes, None if in_memory else folder / "image") as disk:
        yield disk
