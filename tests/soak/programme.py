"""One run: people write while there is trouble; then all trouble ends, everything comes to rest, and is audited."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Lock
from typing import Any

from tests.soak.audit import Findings, audit
from tests.soak.faults import STREAMS, Making, Stream
from tests.soak.last_look import checked, look
from tests.soak.logs import Fate, Fault, Logs
from tests.soak.mailers import RoughMailers
from tests.soak.people import Echo, People, Players, SoakTown, Strangers
from tests.soak.receiver import Receiver, Vain
from tests.soak.server import RIGHT, NotAtRest, SoakServer, running_soak_server

_PLACE = "/var/tmp"  # noqa: S108 - a folder of its own there
_PATIENCE = 150.0
"""Seconds that people wait for an answer, and mail programs for a server."""


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder on a disk, open to PostgreSQL, which is somebody else than root; it is gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-soak-", dir=_PLACE))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Plan:
    """The plan of a run.

    Args:
        database: the kind of it.
        seconds: how long there is trouble; each kind is made once in any case.
        seed: what happens follows from it, but for what is a matter of time.
        tables: of two players; one of three comes for each four of them.
        breath: how long troubles last and how long it is between them, compared with a long run.
        mebibytes: the size of the disk; 0: no disk is filled.
        in_memory: whether that disk is none.
    """

    database: str
    seconds: float
    seed: int
    tables: int = 8
    breath: float = 1.0
    mebibytes: int = 1024
    in_memory: bool = False

    @property
    def lease(self) -> int:
        """Seconds that a letter is leased for; a mail is for five times as long."""
        return max(2, round(5 * self.breath))


def chance(plan: Plan, what: str) -> Random:
    """The random numbers that decide one thing."""
    return Random(f"{plan.seed} {what}")


@dataclass
class SoakResult:
    """The result of a run."""

    plan: Plan
    logs: Logs
    findings: Findings
    boards: int
    events: int
    seconds_to_rest: float
    printed: list[str]
    """The last lines of each process."""

    def for_json(self) -> dict[str, Any]:
        """The figures."""
        broken = Counter(way for letter in self.logs.sent for way in letter.broken)
        return {
            "database": self.plan.database,
            "seed": self.plan.seed,
            "seconds": self.plan.seconds,
            "letters accepted": sum(letter.fate == Fate.ACCEPTED for letter in self.logs.sent),
            "of them tried more than once": sum(
                bool(letter.broken) for letter in self.logs.sent if letter.fate == Fate.ACCEPTED
            ),
            "tries that failed": dict(broken),
            "letters of unknown fate": sum(letter.fate == Fate.UNKNOWN for letter in self.logs.sent),
            "of them handled": self.findings.unknown_handled,
            "moves refused that a rival had made": self.findings.refused,
            "mails delivered": len({mail.message_id for mail in self.logs.arrived if mail.is_kept}),
            "mails put off or refused": sum(not mail.is_kept for mail in self.logs.arrived),
            "mails that came again": dict(self.findings.repeated),
            "boards": self.boards,
            "events": self.events,
            "troubles": dict(Counter(fault.kind for fault in self.logs.faults)),
            "seconds to rest": round(self.seconds_to_rest, 1),
            "wrong": self.findings.wrong,
        }


def run(plan: Plan, folder: Path, tell: Callable[[Logs], None] = lambda _logs: None) -> SoakResult:
    """Do it.

    Args:
        plan: what.
        folder: where everything lies; others than its owner may look into it, for PostgreSQL is somebody else.
        tell: told once a second what has happened so far.
    """
    logs = Logs()
    with (
        Receiver(chance(plan, "receiver"), _PATIENCE) as receiver,
        running_soak_server(
            plan.database, folder, receiver, plan.lease, plan.mebibytes, in_memory=plan.in_memory
        ) as soaked,
    ):
        logs.arrived = receiver.log
        town = SoakTown(receiver, logs)
        mailers = RoughMailers(soaked.door, _people(plan, town), logs, chance(plan, "mailers"))
        mailers.start()
        failed = Event()
        try:
            town.wait_for_boards(plan.tables)
            _trouble(plan, soaked, receiver, logs, failed, tell)
            ended = time.monotonic()
            town.closing.set()
            mailers.join()
            soaked.wait_until_at_rest()
            seconds = time.monotonic() - ended
        except (NotAtRest, Vain, AssertionError) as stuck:
            logs.complaints.append(f"{type(stuck).__name__}: {stuck}")
            seconds = float("inf")
        finally:
            town.closing.set()
            mailers.give_up()
        logs.complaints += [f"a process has ended by itself: {lines}" for lines in soaked.has_ended()]
        if any(codes := soaked.stop()):
            logs.complaints.append(f"the processes have ended with {codes}")
        traces = sum(line.startswith("Traceback") for server in soaked.servers for line in server.lines)
        logs.complaints += [f"the processes have printed {traces} traces"] if traces else []
        findings = audit(logs)
        findings.wrong += [*look(soaked.database, logs, town.boards), *checked(soaked.database, folder)]
        events = sum(map(len, town.boards.values()))
        printed = [line for server in soaked.servers for line in [f"--- {server.roles}", *server.lines]]
        return SoakResult(plan, logs, findings, len(town.boards), events, seconds, printed)


def _people(plan: Plan, town: SoakTown) -> list[People]:
    people: list[People] = [Strangers("s", town, chance(plan, "strangers"))]
    for number in range(plan.tables):
        name = f"p{number}"
        echo = Echo(f"{name}-echo", town, chance(plan, f"{name} echo"))
        people += [echo, Players(name, town, chance(plan, name), echo, 3 if number % 4 == 3 else 2)]
    return people


def _trouble(
    plan: Plan, soaked: SoakServer, receiver: Receiver, logs: Logs, failed: Event, tell: Callable[[Logs], None]
) -> None:
    """Make trouble until the time is over, then let there be none."""
    until = time.monotonic() + plan.seconds
    streams, cluster = list[Stream](), Lock()
    for number in range(STREAMS):
        making = Making(soaked, receiver, chance(plan, f"trouble {number}"), plan.breath, cluster)
        streams.append(Stream(making, making.streams()[number], logs, until, failed))
    for stream in streams:
        stream.thread.start()
    while any(stream.thread.is_alive() for stream in streams):
        time.sleep(min(1.0, plan.breath))
        tell(logs)
    set_right = time.monotonic()
    soaked.set_clock(RIGHT)
    logs.faults.append(Fault("clock set", "right", set_right, time.monotonic()))
