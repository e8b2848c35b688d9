"""The trouble that is made: with processes, with the database, with the relay, with the clock, with the disk."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from threading import Event, Lock, Thread

from tests.soak.logs import REFUSED, Fault, Logs
from tests.soak.receiver import AFTER, BEFORE, Mood, Receiver
from tests.soak.server import RIGHT, SoakServer

Trouble = Callable[[], AbstractContextManager[str]]


KILL, STOP, FULL = "kill", "stop", "disk full"
EXPLAINING = ("postgresql killed", "postgresql restarted", "backend killed", FULL, "clock set", KILL)
"""After these a mail may come again that has come before; kills come last, since they explain so many mails only."""
MOODS = {
    "relay puts off at RCPT": Mood(at_rcpt="451 4.7.1 greylisted", share=0.7),
    "relay puts off at DATA": Mood(at_data="452 4.3.1 not now", share=0.7),
    "relay refuses us": Mood(at_mail="554 5.7.1 not from you", share=0.5),
    "relay closes": Mood(at_mail="421 4.3.2 shutting down", share=0.5),
    "relay refuses some at RCPT": Mood(at_rcpt="550 5.1.1 no such mailbox", of=lambda who: who.startswith(REFUSED)),
    "relay refuses some at DATA": Mood(at_data="554 5.6.0 no", of=lambda who: who.startswith(REFUSED)),
    "relay slow": Mood(seconds=1.0, share=0.5),
    "relay hangs up before it has a mail": Mood(hangs_up=BEFORE, share=0.3),
    "relay hangs up when it has a mail": Mood(hangs_up=AFTER, share=0.3),
}
STREAMS = 3
"""Troubles that may come at the same time."""
_MOST_AHEAD = timedelta(days=2)
"""Together less than mails are tried for, and much less than players are waited for."""
_MOST_BEHIND = timedelta(days=1)


@dataclass
class Making:
    """The means of making trouble.

    Args:
        soaked: what is troubled.
        receiver: its relay.
        chance: decides what is not said.
        breath: how long things last, compared with a long run.
    """

    soaked: SoakServer
    receiver: Receiver
    chance: Random
    breath: float
    cluster: Lock
    """Held by who ends or starts PostgreSQL, or takes from it what it needs to start."""

    def streams(self) -> list[dict[str, Trouble]]:
        """Troubles by their kinds; those of different streams may come at the same time."""
        processes: dict[str, Trouble] = {KILL: self._kill, STOP: self._stop}
        if self.soaked.cluster is not None:
            processes |= {
                f"{KILL} of several": self._kill_several,
                "postgresql killed": lambda: self._restarted(signal.SIGKILL),
                "postgresql restarted": lambda: self._restarted(signal.SIGINT),
                "backend killed": self._backend_killed,
            }
        moods = {name: lambda mood=mood: self._being(mood) for name, mood in MOODS.items()}
        machine: dict[str, Trouble] = {"clock set": self._clock_set}
        if self.soaked.disk is not None:
            machine[FULL] = self._disk_full
        return [processes, moods | {"relay down": self._relay_down}, machine]

    def rest(self, most: float) -> None:
        """Wait up to so many seconds."""
        time.sleep(self.chance.uniform(0, most) * self.breath)

    @contextmanager
    def _kill(self) -> Iterator[str]:
        server = self.chance.choice(self.soaked.servers)
        server.kill()
        yield server.roles
        self.soaked.start(server)

    @contextmanager
    def _kill_several(self) -> Iterator[str]:
        servers = self.chance.sample(list(self.soaked.servers), 3)
        for server in servers:
            server.kill()
        yield ", ".join(server.roles for server in servers)
        for server in servers:
            self.soaked.start(server)

    @contextmanager
    def _stop(self) -> Iterator[str]:
        server = self.chance.choice(self.soaked.servers)
        code = server.stop()
        assert code == 0, f"{server.roles or 'the server'} has ended with {code}"
        yield server.roles
        self.soaked.start(server)

    @contextmanager
    def _restarted(self, number: signal.Signals) -> Iterator[str]:
        assert self.soaked.cluster is not None
        with self.cluster:
            self.soaked.cluster.restart(number, rest=self.chance.uniform(0, 3) * self.breath)
        yield ""

    @contextmanager
    def _backend_killed(self) -> Iterator[str]:
        assert self.soaked.cluster is not None
        with self.cluster:
            processes = self.soaked.cluster.processes[1:]
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(processes), signal.SIGKILL)
        yield ""

    @contextmanager
    def _being(self, mood: Mood) -> Iterator[str]:
        with self.receiver.being(mood):
            yield ""

    @contextmanager
    def _relay_down(self) -> Iterator[str]:
        with self.receiver.away():
            yield ""

    @contextmanager
    def _clock_set(self) -> Iterator[str]:
        ahead = self.chance.uniform(-_MOST_BEHIND.total_seconds(), _MOST_AHEAD.total_seconds())
        self.soaked.set_clock(timedelta(seconds=ahead))
        yield f"{ahead / 3600:+.1f} hours"
        if self.chance.random() < 0.5:
            self.soaked.set_clock(RIGHT)

    @contextmanager
    def _disk_full(self) -> Iterator[str]:
        assert self.soaked.disk is not None
        with self.cluster:
            self.soaked.disk.fill()
            try:
                yield ""
            finally:
                self.soaked.disk.free()
                if self.soaked.cluster is not None and not self.soaked.cluster.processes:
                    self.soaked.cluster.start()


def each_once_and_then_by_chance(kinds: Sequence[str], chance: Random) -> Iterator[str]:
    """Kinds without an end, each of them among the first ones."""
    yield from chance.sample(list(kinds), len(kinds))
    while True:
        yield chance.choice(kinds)


@dataclass
class Stream:
    """A thread that makes one trouble after the other, until the time is over and each has been made once.

    Args:
        making: with what.
        troubles: by their kinds.
        logs: where they are written down.
        until: when it is to end.
        failed: set when something goes wrong that should not.
    """

    making: Making
    troubles: dict[str, Trouble]
    logs: Logs
    until: float
    failed: Event

    def __post_init__(self) -> None:
        self.thread = Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            kinds = each_once_and_then_by_chance(list(self.troubles), self.making.chance)
            for number, kind in enumerate(kinds):
                if self.failed.is_set() or (number >= len(self.troubles) and time.monotonic() > self.until):
                    return
                self.making.rest(8)
                self._make(kind)
        except Exception as failed:
            self.logs.complaints.append(f"trouble could not be made: {type(failed).__name__}: {failed}")
            self.failed.set()
            raise

    def _make(self, kind: str) -> None:
        begin = time.monotonic()
        with self.troubles[kind]() as what:
            self.making.rest(4)
        self.logs.faults.append(Fault(kind, what, begin, time.monotonic()))
