"""Reads plain letters here, all others in a child process, where they can do no harm."""

from __future__ import annotations

import logging
import multiprocessing
import resource
import signal
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from threading import Lock
from time import monotonic
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from pbem import keep_main_out
from pbem.errors import PbemError
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mime import ReadLetter, read_letter_bytes
from pbem.mail_in.parts import READER_DIED, TOO_SLOW, UnreadableLetter, is_plain

_LETTERS_A_CHILD = 1000
"""After so many a fresh child takes over, whatever the libraries may have left lying about."""
_MIB = 1024 * 1024
_ALIVE_SECONDS = 1.0
"""For so long a child that has read something is taken to be alive."""
_FRESH_CHILDREN = 2
"""Tried one after the other; if none reads, no letter is to blame."""
_TRIVIAL = b"Subject: help\n\n"
_LOADED_BY_LETTERS = ("pbem.mail_in.pages", "flufl.bounce")
_OUR_TROUBLE = (ProcessExpired, BrokenProcessPool, CancelledError, MemoryError, OSError, RuntimeError)
"""The child died, or never lived."""


class ReaderBroken(PbemError):
    """No child can be started that reads; not a letter's error."""


class Reader:
    """Reads letters, one after the other: all but the plainest in a child process.

    Args:
        seconds: how long a letter may take; the start of a child does not count.
        memory_mib: how much address space a child may have.
        ours: our addresses.
        read: what is called in the child.
    """

    def __init__(
        self,
        seconds: float,
        memory_mib: int,
        ours: OwnAddress,
        read: Callable[..., ReadLetter] = read_letter_bytes,
    ) -> None:
        self._seconds = seconds
        self._memory_mib = memory_mib
        self._ours = ours
        self._read_bytes = read
        self._pool: ProcessPool | None = None
        self._one_at_a_time = Lock()
        self._closed = False
        self.alive_at: float | None = None
        self._ahead: tuple[bytes, ProcessFuture[Any]] | None = None

    def warm_up(self) -> None:
        """Have a child started in the background, so that the first letter need not wait for it."""
        with self._one_at_a_time:
            self._started().schedule(_nothing)

    def be_ready(self) -> None:
        """Wait until a child has read something, so that no letter is in our hands while one starts or has just died.

        Raises:
            ReaderBroken: no child reads anything.
        """
        with self._one_at_a_time:
            for _ in range(_FRESH_CHILDREN):
                if self.alive_at is not None or isinstance(self._tried(_TRIVIAL), ReadLetter):
                    return
        raise ReaderBroken

    def read_ahead(self, raw: bytes, *, may_be_bounce: bool = False) -> None:
        """Have the letter read meanwhile that is asked for next; if that fails it is read once more when it is."""
        if is_plain(raw) and not may_be_bounce:
            return
        with self._one_at_a_time:
            if self.alive_at is not None and self._ahead is None:
                with suppress(*_OUR_TROUBLE):
                    self._ahead = raw, self._scheduled(raw, may_be_bounce=may_be_bounce)

    def read(self, raw: bytes, *, may_be_bounce: bool = False) -> ReadLetter:
        """Read a letter; see `read_letter_bytes`.

        Raises:
            UnreadableLetter: it cannot be read; it was too slow, or its reader died of it, and was ended.
            ReaderBroken: no child reads anything.
        """
        if is_plain(raw) and not may_be_bounce:
            return read_letter_bytes(raw, self._ours)
        self.be_ready()
        with self._one_at_a_time:
            answer = self._read_meanwhile(raw) or self._read_now(raw, may_be_bounce=may_be_bounce)
        if isinstance(answer, str):
            raise UnreadableLetter(error=answer)
        return answer

    def _read_meanwhile(self, raw: bytes) -> ReadLetter | str | None:
        """The letter that was read ahead; None if that was another letter, or reading failed."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return None
        known, future = ahead
        try:
            answer: ReadLetter | str = future.result()
        except (TimeoutError, *_OUR_TROUBLE):
            self._end()
            return None
        self.alive_at = monotonic()
        return answer if known is raw else None

    def _read_now(self, raw: bytes, *, may_be_bounce: bool) -> ReadLetter | str:
        if self.alive_at is None or monotonic() - self.alive_at > _ALIVE_SECONDS:
            self._tried(_TRIVIAL)  # should the child have been killed meanwhile, the letter is given to the next
        return self._tried(raw, may_be_bounce=may_be_bounce)

    def _tried(self, raw: bytes, *, may_be_bounce: bool = False) -> ReadLetter | str:
        try:
            answer = self._answer(raw, may_be_bounce=may_be_bounce)
        except TimeoutError:
            self._end()
            return TOO_SLOW
        except _OUR_TROUBLE:
            self._end()
            return READER_DIED
        self.alive_at = monotonic()
        return answer

    def _answer(self, raw: bytes, *, may_be_bounce: bool) -> ReadLetter | str:
        answer: ReadLetter | str = self._scheduled(raw, may_be_bounce=may_be_bounce).result()
        return answer

    def _scheduled(self, raw: bytes, *, may_be_bounce: bool) -> ProcessFuture[Any]:
        return self._started().schedule(
            _read,
            args=(self._read_bytes, raw, self._ours, self._seconds),
            kwargs={"may_be_bounce": may_be_bounce},
            timeout=self._seconds,
        )

    def close(self) -> None:
        """End the child."""
        with self._one_at_a_time:
            self._closed = True
            self._end()

    def _started(self) -> ProcessPool:
        if self._closed:
            raise RuntimeError("the reader is closed")
        if self._pool is not None and not self._pool.active:
            self._end()
        if self._pool is None:
            keep_main_out()
            self._pool = ProcessPool(
                max_workers=1,
                max_tasks=_LETTERS_A_CHILD,
                initializer=_begin,
                initargs=(self._memory_mib,),
                context=multiprocessing.get_context("spawn"),
            )
        return self._pool

    def _end(self) -> None:
        """End the child; a pool that lost one is not used again, since the dead may hold its locks."""
        pool, self._pool, self.alive_at, self._ahead = self._pool, None, None, None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()


def _begin(memory_mib: int) -> None:
    """Prepare a child."""
    logging.disable(logging.CRITICAL)  # libraries log words of letters
    # Pebble ends a child by SIGTERM; left to Python that would wait for the end of a regular expression.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches it, too, but its parent decides
    resource.setrlimit(resource.RLIMIT_AS, (memory_mib * _MIB, memory_mib * _MIB))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _nothing() -> None:
    """Load everything that a child may need, so that no letter waits for that."""
    for module in _LOADED_BY_LETTERS:
        import_module(module)


def _read(
    read: Callable[..., ReadLetter], raw: bytes, ours: OwnAddress, seconds: float, *, may_be_bounce: bool
) -> ReadLetter | str:
    """Read a letter in the child, or say why it cannot be read."""
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)  # should nobody be there to end it, the system does
    try:
        return read(raw, ours, may_be_bounce=may_be_bounce)
    except UnreadableLetter as unreadable:
        return str(unreadable.facts["error"])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
