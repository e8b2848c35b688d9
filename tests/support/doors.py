"""A door on a real port, with nothing behind it but what a test says."""

from __future__ import annotations

import asyncio
import smtplib
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread
from typing import Any

from pbem.cli.serve import new_event_loop
from pbem.config import Listen, UnixListen
from pbem.domain.letters import Envelope
from pbem.ids import LetterId
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.connection_limits import DoorLimits
from pbem.mail_in.doors import Door, SmtpDoor
from tests.support.mail import PATIENCE

OURS = "pbem@localhost"
LETTER = b"Subject: help\r\n\r\nHello\r\n"
MOST = 2000


ANY_PORT = Listen("127.0.0.1", 0)
LIMITS = DoorLimits(
    letter_bytes=MOST,
    recipients=10,
    connections=200,
    connections_per_host=100,
    session_commands=1000,
    idle_seconds=60,
    session_seconds=600,
    letters_per_hour=1000,
    bytes_per_hour=50_000_000,
    trusted=("127.0.0.1", "::1"),
)


class OpenDoor:
    """A door on an ephemeral port, and what came in through it."""

    def __init__(
        self,
        kind: type[Door] = SmtpDoor,
        listen: Listen | UnixListen = ANY_PORT,
        limits: DoorLimits = LIMITS,
        ours: str = OURS,
        **options: Any,
    ) -> None:
        self.letters: list[tuple[Envelope, bytes]] = []
        self.answers: list[Future[LetterId | None]] = []
        self.answer: Callable[[Future[LetterId | None]], None] = lambda future: future.set_result(LetterId(1))
        """Decides the future of each letter that comes in."""
        self.came = Event()
        self.port = 0
        self._ready = Event()
        # SMTP in the loop of a server, LMTP in Python's own, which is that of a server where there is no other
        self._loop = new_event_loop() if kind is SmtpDoor else asyncio.new_event_loop()
        self.door = kind(listen, self._accept, OwnAddress(ours), limits, **options)
        self._thread = Thread(target=self._run)

    def _accept(self, envelope: Envelope, raw: bytes, at: datetime) -> Future[LetterId | None]:
        assert at.tzinfo is not None
        future: Future[LetterId | None] = Future()
        future.set_running_or_notify_cancel()
        self.letters.append((envelope, raw))
        self.answers.append(future)
        self.came.set()
        self.answer(future)
        return future

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        where = self._loop.run_until_complete(self.door.open())
        self.port = where.port if isinstance(where, Listen) else 0
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def open(self) -> None:
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def close(self, patience: float) -> None:
        asyncio.run_coroutine_threadsafe(self.door.close(patience), self._loop).result(PATIENCE)

    def begin_to_close(self, patience: float) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(self.door.close(patience), self._loop)

    def end(self) -> None:
        self.close(0)
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    async def _finish(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    def take_one(self) -> None:
        """Have a letter sent, as a client does that waits for the answer."""
        with self.client() as client:
            client.sendmail("a@example.org", [OURS], LETTER)

    def client(self) -> smtplib.SMTP:
        return smtplib.SMTP("127.0.0.1", self.port, local_hostname="test", timeout=PATIENCE)


@contextmanager
def opened(*given: Any, **options: Any) -> Iterator[OpenDoor]:
    """An open door, closed at the end."""
    door = OpenDoor(*given, **options)
    door.open()
    try:
        yield door
    finally:
        for future in door.answers:
            if not future.done():
                future.set_result(LetterId(1))
        door.end()


def dont_answer(_future: Future[LetterId | None]) -> None:
    """Leave a letter waiting for its commit."""


@contextmanager
def raw(door: OpenDoor) -> Iterator[tuple[socket.socket, Callable[[], str]]]:
    """A connection to type into, and the next line that the server says."""
    with socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) as connection:
        said = connection.makefile("r", encoding="ascii", newline="\r\n")
        with said:
            yield connection, lambda: said.readline().rstrip("\r\n")


def talk(connection: socket.socket, said: Callable[[], str], *lines: str) -> str:
    """Type lines, one answer each; return the last answer."""
    answer = said()
    for line in lines:
        connection.sendall(line.encode() + b"\r\n")
        answer = said()
    return answer


TO_DATA = ("HELO test", "MAIL FROM:<a@example.org>", f"RCPT TO:<{OURS}>", "DATA")
