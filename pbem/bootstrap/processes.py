"""The processes of one server on one machine: the first takes letters, delivers and shows pages, the others decide.

One process starts them, and does nothing else: it has neither threads nor connections, so that it can start another one
at any time, which shares its memory with it until either changes it.
"""

from __future__ import annotations

import gc
import os
import pickle
import secrets
import select
import signal
import socket
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread
from types import FrameType
from typing import NamedTuple

import structlog
from prometheus_client import Metric

from pbem.storage.process_notifier import Pipes

log = structlog.get_logger()

_SIGNALS = {signal.SIGTERM, signal.SIGINT}
_REST_SECONDS = 1.0
"""Before a process that has died is replaced."""
_MOST_DEAD = 100
"""Dead processes that are remembered for a place."""
_PATIENCE = 1.0
"""Seconds in which a process must say how it is doing."""
_LARGEST_ANSWER = 200_000
_READY = b"!"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a process among those of its server."""

    number: int
    """The first one, with number 0, prepares the database; the others only decide."""
    token: str
    """Tells it apart from those that had the place before."""
    dead: tuple[str, ...]
    """The owners of leases that had this place and have died: the last may have had no time to free the others'."""
    pipes: Pipes
    """By which they wake each other."""
    lifeline: int
    """A file that comes to its end when the process that has started them dies."""
    prepared: int
    """A file into which the first writes once the database is prepared."""
    questions: Sequence[socket.socket]
    """By which the first one asks the others, one for each of them; another one's own."""

    @property
    def is_first(self) -> bool:
        """Everything is its, but deciding what letters lead to."""
        return self.number == 0

    @property
    def owner(self) -> str:
        """The name by which it leases."""
        return owner_of(os.getpid(), self.token)

    def tell_prepared(self) -> None:
        """Let the others start."""
        if self.is_first:
            os.write(self.prepared, _READY)


def owner_of(pid: int, token: str) -> str:
    """The name by which a process of this machine leases letters, mails and tasks."""
    return f"{socket.gethostname()[:32]}:{pid}:{token}"


def new_token() -> str:
    """A token that tells a process apart from all that had its number."""
    return secrets.token_hex(4)


class _Child(NamedTuple):
    """A process that was started."""

    number: int
    token: str


class Supervisor:
    """Starts the processes of a server, replaces those that decide when they die, and ends all of them together.

    Args:
        workers: the number of processes that decide.
    """

    def __init__(self, workers: int) -> None:
        self._pipes = [os.pipe() for _ in range(workers + 1)]
        for ends in self._pipes:
            for end in ends:
                os.set_blocking(end, False)
        self._lifeline = os.pipe()
        self._prepared = os.pipe()
        self._questions = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(workers)]
        self._children: dict[int, _Child] = {}
        self._dead: dict[int, tuple[str, ...]] = {}
        self._is_ending = False
        self._code = 0

    def run(self) -> Place:
        """Start the processes, and return in each of them its place.

        Raises:
            SystemExit: in the process that has called it, once all have ended.
        """
        for each in _SIGNALS:
            signal.signal(each, self._end)
        gc.collect()
        gc.freeze()  # what all share is not looked at any more, and so not copied
        place = self._start(0)
        if place is None:
            os.close(self._prepared[1])
            if os.read(self._prepared[0], 1) == _READY:
                place = self._start_workers()
        return place or self._watch()

    def _start_workers(self) -> Place | None:
        for number in range(1, len(self._pipes)):
            if not self._is_ending and (place := self._start(number)) is not None:
                return place
        return None

    def _start(self, number: int) -> Place | None:
        """Start a process; its place in it, None in this one."""
        token = new_token()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # until the new process no longer would end the others
        try:
            pid = os.fork()
            if pid:
                self._children[pid] = _Child(number, token)
                return None
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._children.clear()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        os.close(self._lifeline[1])
        if number:
            os.close(self._prepared[0])
        questions = [self._questions[number - 1][1]] if number else [first for first, _ in self._questions]
        pipes = Pipes(self._pipes[number], tuple(end for place, (_, end) in enumerate(self._pipes) if place != number))
        dead = self._dead.get(number, ())
        return Place(number, token, dead, pipes, self._lifeline[0], self._prepared[1], questions)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        """Have all of them end."""
        self._is_ending = True
        for pid in self._children:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _watch(self) -> Place:
        """Wait for the processes, and replace those that decide; return in such a one its place."""
        while self._children:
            pid, status = os.wait()
            child = self._children.pop(pid, None)
            if child is None:
                continue
            code = os.waitstatus_to_exitcode(status)
            if child.number == 0:
                self._code = code if code >= 0 else 1
            if self._is_ending:
                continue
            log.error("process died", process=pid, place=child.number, code=code)
            if child.number == 0:
                self._end(signal.SIGTERM, None)
                continue
            dead = (*self._dead.get(child.number, ()), owner_of(pid, child.token))
            self._dead[child.number] = dead[-_MOST_DEAD:]
            time.sleep(_REST_SECONDS)
            if not self._is_ending and (place := self._start(child.number)) is not None:
                return place
        raise SystemExit(self._code)


class Answer(NamedTuple):
    """The state of a process."""

    stuck: list[str]
    metrics: list[Metric]


class Answering:
    """Answers the first process, in a thread of its own, from now on.

    Args:
        place: of this process.
        look: says how it is doing.
    """

    def __init__(self, place: Place, look: Callable[[], Answer]) -> None:
        self._socket = place.questions[0]
        self._look = look
        Thread(target=self._run, name="answering", daemon=True).start()

    def _run(self) -> None:
        while True:
            asked = self._socket.recv(64)
            with suppress(OSError):  # too much to say, or nobody hears
                self._socket.send(pickle.dumps((asked, *self._look())))


class Others:
    """The processes that decide, as the first one asks them.

    Args:
        place: of this process.
    """

    def __init__(self, place: Place) -> None:
        self._sockets = place.questions
        self._lock = Lock()

    def ask(self) -> list[Answer | None]:
        """The state of each of them; None for one that does not say."""
        with self._lock:
            asked = secrets.token_bytes(8)
            for each in self._sockets:
                with suppress(OSError):  # its buffer is full of questions that it has not answered
                    each.send(asked, socket.MSG_DONTWAIT)
            until = time.monotonic() + _PATIENCE
            return [_answer(each, asked, until) for each in self._sockets]

    def stuck(self) -> list[str]:
        """The troubles of other processes, in words for the operator."""
        troubles: list[str] = []
        for number, answer in enumerate(self.ask(), start=1):
            if answer is None:
                troubles.append(f"process {number} of those that decide does not answer")
            else:
                troubles += answer.stuck
        return troubles

    def metrics(self) -> list[list[Metric]]:
        """The counters of each of them."""
        return [answer.metrics for answer in self.ask() if answer is not None]


def _answer(asked_by: socket.socket, asked: bytes, until: float) -> Answer | None:
    """The answer to a question; those to earlier ones may come before it."""
    while select.select([asked_by], [], [], max(0.0, until - time.monotonic()))[0]:
        about, stuck, metrics = pickle.loads(asked_by.recv(_LARGEST_ANSWER))  # noqa: S301 - from a process of ours
        if about == asked:
            return Answer(stuck, metrics)
    return None


def worker_processes(processes: int | None, roles: Collection[str]) -> int:
    """The number of processes that decide beside the one that does everything else; 0: one does all.

    Args:
        processes: the number in the settings; None: as many as there are processors.
        roles: the roles; a process that only decides, or does not decide, is one.
    """
    if "worker" not in roles or len(roles) == 1:
        return 0
    wanted = len(os.sched_getaffinity(0)) if processes is None else processes
    return wanted if wanted > 1 else 0
