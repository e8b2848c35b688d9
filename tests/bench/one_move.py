"""The processor time of a letter by its stages, and what it asks of the database.

A recorded game of 26 turns is played by letters with password, one after the other in one process, through the real
door (without SMTP), inbox worker and composer, on SQLite with ``synchronous=FULL``. Nothing else runs there, so the
processor time of the process between two moments is that of one stage. The floor is `sum(range(10**7))`.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import structlog
from sqlalchemy import event, func, select

from pbem.bootstrap.server import Server
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.storage.engine import reading
from pbem.storage.models import MailRow
from tests.bench.figures import Extent, Figure
from tests.bench.play import HTML, PICTURE, PREFERENCES, TEXT, moves
from tests.bench.server import SETTINGS

STAGES = ("store", "take", "read", "decide", "compose", "write")
"""The letter is stored by the door, taken from the inbox and read; the command is decided, both mails are composed, and
everything is written."""
TARGETS = {TEXT: 0.04, HTML: 0.05, PICTURE: 0.067}
"""4, 5 and 6.7 ms on a usual machine: what two processors may take for the ratios of `accepting`."""


class Stages:
    """The processor time of what goes on in this process, by stages; one that is within another is not part of it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    def enter(self, stage: str) -> None:
        """Begin a stage."""
        self._note()
        self._open.append(stage)

    def leave(self) -> None:
        """End the stage begun last, and go on with the one around it."""
        self._note()
        self._open.pop()

    def _note(self) -> None:
        now = time.process_time()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now

    def time(self, owner: Any, name: str, stage: str) -> None:
        """Make what a method does a stage."""
        call: Callable[..., Any] = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            self.enter(stage)
            try:
                return call(*args, **kwargs)
            finally:
                self.leave()

        setattr(owner, name, timed)


class Bench:
    """A server through which letters go one by one."""

    def __init__(self, folder: Path) -> None:
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        settings = SETTINGS | {"database_url": f"sqlite:///{folder}/pbem.db", "smtp_listen": "off"}
        self.server = Server(Settings.read({f"PBEM_{name.upper()}": value for name, value in settings.items()}))
        self.server.prepare()
        self.stages = Stages()
        self.statements = self.commits = 0
        worker = self.server.loops.workers[0]._step.__self__  # type: ignore[attr-defined]
        self.worker = worker
        for owner, method, stage in (
            (self.server.inbox, "lease", "take"),
            (worker._reader, "read", "read"),
            (worker._executor.composer, "compose", "compose"),
            (worker, "_is_stored", "write"),
            (worker, "step", "decide"),
        ):
            self.stages.time(owner, method, stage)

    def _count_statement(self, *_: Any) -> None:
        self.statements += 1

    def _count_commit(self, *_: Any) -> None:
        self.commits += 1

    def letter(self, sender: str, subject: str) -> float:
        """Accept a letter and have it handled; return the seconds that it took."""
        raw = f"From: {sender}@example.org\r\nSubject: {subject}\r\nMessage-ID: <{time.monotonic_ns()}@x>\r\n\r\n"
        envelope = Envelope(f"{sender}@example.org", ("pbem@localhost",))
        begun = time.perf_counter()
        self.stages.enter("store")
        self.server.accept(envelope, raw.encode(), datetime.now(UTC)).result()
        self.stages.leave()
        self.worker.step()
        return time.perf_counter() - begun

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count statements and commits, which takes time."""
        heard = ("before_cursor_execute", self._count_statement), ("commit", self._count_commit)
        for name, count in heard:
            event.listen(self.server.engine, name, count)
        yield
        for name, count in heard:
            event.remove(self.server.engine, name, count)

    def begin(self, mails: str) -> None:
        """Begin a board whose players have chosen their mails."""
        for player in ("alice", "bob"):
            self.letter(player, f"set {player} secret {PREFERENCES[mails]}")
        self.letter("alice", "superbo challenge bob")

    def play(self, number: int, mails: str) -> dict[str, float]:
        """Play the game on the next board; return the ms of a letter by stage, statements and commits if counted."""
        self.begin(mails)
        self.stages.seconds.clear()
        self.statements = self.commits = 0
        turns, before = moves(), self._mails()
        for ply, words in enumerate(turns):
            player = ("alice", "bob")[ply % 2]
            self.letter(player, f"superbo move {number} {player} secret {words}")
        written = self._mails() - before
        assert written == 2 * len(turns), f"{written} mails of {len(turns)} moves"
        stages = {f"{stage}, ms": 1000 * self.stages.seconds[stage] / len(turns) for stage in STAGES}
        return stages | {"statements": self.statements / len(turns), "commits": self.commits / len(turns)}

    def _mails(self) -> int:
        """The number of mails written so far."""
        with reading(self.server.engine) as connection:
            return int(connection.scalar(select(func.count()).select_from(MailRow)) or 0)


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each kind of mails, with its stages; the first game after the start does not count."""
    folder, rounds = extent.folder / "one_move", extent.pick(1, 3)
    folder.mkdir()
    extent.check(folder)
    bench = Bench(folder)
    for player in ("alice", "bob"):
        bench.letter(player, f"signup {player} secret")
    number = 101
    for mails in TARGETS:
        floor, ours, facts = list[float](), list[float](), defaultdict[str, list[float]](list)
        with bench.counting():
            counted = {name: value for name, value in bench.play(number, mails).items() if not name.endswith(", ms")}
        for each in range(1, 1 + rounds):
            floor.append(_floor())
            found = {name: value for name, value in bench.play(number + each, mails).items() if name.endswith(", ms")}
            ours.append(sum(found.values()))
            for name, value in found.items():
                facts[name].append(value)
        number += 1 + rounds
        told = {name: median(values) for name, values in facts.items()} | counted
        yield Figure(
            "processor time of a letter in one process, without SMTP",
            mails, "ms", ours, floor, TARGETS[mails], at_most=True, facts=told,
        )  # fmt: skip
    bench.server.close()


def _floor() -> float:
    """The ms of `sum(range(10**7))`."""
    begun = time.process_time()
    sum(range(10**7))
    return 1000 * (time.process_time() - begun)
