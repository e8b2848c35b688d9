"""Readers for tests: one that many servers share, and what may go wrong in a child."""

from __future__ import annotations

import itertools
import os
import signal
import time
from functools import cache

from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mime import ReadLetter, read_letter_bytes
from pbem.mail_in.reading import Reader

OURS = OwnAddress("pbem@localhost")


_COUNT = itertools.count()
"""Counts the requests for a child."""


class _SharedReader(Reader):
    def close(self) -> None:
        """The next server needs it; it ends with the test process."""


@cache
def shared_reader() -> Reader:
    """The reader of all servers in this test process: to start a child for each would take longer than their tests."""
    return _SharedReader(20, 512, OURS)


class DirectReader(Reader):
    """Reads letters on the spot, which takes no time: they do no harm."""

    def __init__(self, ours: OwnAddress) -> None:
        super().__init__(20, 512, ours)
        self.ours = ours

    def warm_up(self) -> None:
        """There is no child."""

    def be_ready(self) -> None:
        """There is no child."""

    def read_ahead(self, raw: bytes, *, may_be_bounce: bool = False) -> None:
        """Nothing is gained by it."""

    def read(self, raw: bytes, *, may_be_bounce: bool = False) -> ReadLetter:
        """Read a letter."""
        return read_letter_bytes(raw, self.ours, may_be_bounce=may_be_bounce)


def read_oddly(raw: bytes, ours: OwnAddress, *, may_be_bounce: bool) -> ReadLetter:
    """Do what the letter says: what a parser may do that has been led astray."""
    if raw.startswith(b"sleep"):
        time.sleep(60)
    if raw.startswith(b"loop"):
        _loop_in_c()
    if raw.startswith(b"eat"):
        _eat()
    if raw.startswith(b"die"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if raw.startswith(b"leave"):
        os._exit(3)
    if raw.startswith(b"count"):
        raw = f"Subject: {next(_COUNT)}\n\n".encode()
    return read_letter_bytes(raw, ours, may_be_bounce=may_be_bounce)


def _loop_in_c() -> None:
    """Take long without ever coming back to Python, where signals would be handled."""
    sum(itertools.repeat(0))


def _eat() -> None:
    """Ask for more than there is; that is refused at once."""
    bytearray(2**40)
