"""Mail programs that send letters one after the other, each in an SMTP session of its own, all at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

import uvloop

SESSIONS = 8
"""The number of sessions that send at once."""
_numbers = count(1)


class Letter(NamedTuple):
    """A letter and from whom."""

    sender: str
    raw: bytes


def letter(userid: str, subject: str, body: str = "Hello, this is my move.") -> Letter:
    """A short letter to the server with commands in its Subject, not like any other."""
    sender = f"{userid}@example.org"
    words = f"From: {sender}\r\nTo: pbem@localhost\r\nSubject: {subject}\r\n"
    words += f"Message-ID: <{next(_numbers)}.{time.time_ns()}@example.org>\r\n\r\n{body}\r\n"
    return Letter(sender, words.encode())


def send(port: int, letters: Sequence[Sequence[Letter]]) -> float:
    """Send lists of letters, each in a session; return how many seconds it took until the last was accepted."""
    start = time.perf_counter()
    uvloop.run(_send_all(port, letters))
    return time.perf_counter() - start


async def _send_all(port: int, letters: Sequence[Sequence[Letter]]) -> None:
    await asyncio.gather(*(_send(port, each) for each in letters if each))


async def _send(port: int, letters: Sequence[Letter]) -> None:
    session = await Session.open(port)
    for each in letters:
        await session.send(each)
    await session.close()


def send_slowly(port: int, letters: Sequence[Letter], every: float) -> list[tuple[float, float]]:
    """Send letters in turn over all sessions, one every so many seconds, whatever becomes of those before.

    Return for each when its words were sent and when it was accepted, by ``time.monotonic``.
    """
    return uvloop.run(_send_slowly(port, letters, every))


async def _send_slowly(port: int, letters: Sequence[Letter], every: float) -> list[tuple[float, float]]:
    sessions = [(await Session.open(port), asyncio.Lock()) for _ in range(SESSIONS)]
    start = time.monotonic()

    async def send_one(number: int, each: Letter) -> tuple[float, float]:
        await asyncio.sleep(start + number * every - time.monotonic())
        session, free = sessions[number % SESSIONS]
        async with free:
            return await session.send(each), time.monotonic()

    times = await asyncio.gather(*(send_one(number, each) for number, each in enumerate(letters)))
    for session, _ in sessions:
        await session.close()
    return times


class Session:
    """An SMTP session without pipelining: each command waits for the answer to the one before."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Session:
        """Connect and greet."""
        session = cls(*await asyncio.open_connection("127.0.0.1", port))
        await session._says(b"")
        await session._says(b"EHLO bench.example.org\r\n")
        return session

    async def send(self, each: Letter) -> float:
        """Hand a letter over; it is accepted at the end. Return when its words were sent, by ``time.monotonic``."""
        await self._says(b"MAIL FROM:<%b>\r\n" % each.sender.encode())
        await self._says(b"RCPT TO:<pbem@localhost>\r\n")
        await self._says(b"DATA\r\n")
        at = time.monotonic()
        await self._says(each.raw + b".\r\n")
        return at

    async def close(self) -> None:
        """Say goodbye."""
        await self._says(b"QUIT\r\n")
        self._writer.close()

    async def _says(self, words: bytes) -> None:
        self._writer.write(words)
        while (line := await self._reader.readline())[3:4] == b"-":
            pass
        assert line[:1] in (b"2", b"3"), (words[:40], line)
