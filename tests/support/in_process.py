"""The server in the process of the tests: without sockets, and nothing in it happens but when somebody waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

import structlog

from pbem.bootstrap.loops import ROLES
from pbem.bootstrap.server import Server
from pbem.cli.settings import configure_logs
from pbem.config import Settings
from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.parts import check_shape
from pbem.mail_out.relay import Deferred, Refused
from pbem.workers.runner import Loop
from tests.support.ahead import OwnClock
from tests.support.mail import PATIENCE, Mail, Postbox
from tests.support.readers import DirectReader
from tests.support.server import GameServer

_ROUND_SECONDS = 0.01
_PERMANENT = 500
_PATIENCE = 10.0
"""Longer than what has failed waits to be tried again."""


class InProcessPostbox(Postbox):
    """The mail system of all people, without a socket: who waits for a mail has the server work."""

    def __init__(self) -> None:
        super().__init__()
        self.server: InProcessServer | None = None

    @property
    def port(self) -> int:
        """There is none."""
        return 0

    def send(self, port: int, sender: str, recipient: str, raw: bytes) -> None:
        """Have a letter stored; on return it is."""
        del port
        self._running.take(sender, recipient, raw)

    def settle(self, port: int) -> None:
        """Have the server do all that there is to do."""
        del port
        self._running.work()
        self._running.goes_round()

    def next_for(self, address: str, patience: float = PATIENCE) -> Mail:
        """The next unread mail to an address, for which the server works if need be."""
        self._work_until(lambda: bool(self.unread_for(address)))
        return super().next_for(address, 0)

    def wait_until(self, holds: Callable[[list[Mail]], bool], patience: float = PATIENCE) -> None:
        """Have the server work until the mails that came fulfil a condition."""
        self._work_until(lambda: holds(self.mails))
        super().wait_until(holds, 0)

    def _work_until(self, holds: Callable[[], bool]) -> None:
        """Have the server work until something holds, as long as it may be waiting for something to be tried again."""
        until = time.monotonic() + _PATIENCE
        while not holds() and time.monotonic() < until:
            if not (self._running.work() or self._running.goes_round()):
                time.sleep(_ROUND_SECONDS)

    @property
    def _running(self) -> InProcessServer:
        assert self.server is not None
        return self.server


class _PostboxRelay:
    """Hands mails over to a postbox, and reads its answers as those of an MTA."""

    def __init__(self, postbox: Postbox) -> None:
        self._postbox = postbox

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        """Hand one mail over."""
        del name
        at_rcpt = self._postbox.at_rcpt.get(recipient.lower())
        answer = at_rcpt or self._postbox.take(Mail(sender or "<>", recipient, raw))
        code = int(answer[:3])
        if code >= _PERMANENT:
            raise Refused(answer, of_recipient=at_rcpt is not None)
        if not answer.startswith("250"):
            raise Deferred(answer)

    def close(self) -> None:
        """Nothing is held open."""


class InProcessServer(GameServer):
    """A server that works when it is told to, in the thread of who tells it."""

    def __init__(
        self, folder: Path, postbox: InProcessPostbox, ahead: timedelta | None = None, /, **settings: str
    ) -> None:
        super().__init__(folder, postbox, **settings)
        postbox.server = self
        self._clock = None if ahead is None else OwnClock(ahead)
        self._server: Server | None = None
        self._answering: list[Loop] = []
        self._others: list[Loop] = []

    @property
    def is_running(self) -> bool:
        """True if it has been started, and not ended since."""
        return self._server is not None

    def passes(self, time: timedelta) -> None:
        """Let its clock be ahead by so much."""
        assert self._clock is not None, "its clock cannot be set"
        self._clock.ahead = time

    def start(self) -> Self:
        """Make it anew, on the database that is there."""
        environ = {
            "PBEM_DATABASE_URL": f"sqlite:///{self.folder / 'pbem.db'}",
            "PBEM_RETRY_MAIL_SECONDS": "1",
            "PBEM_RETRY_LETTER_SECONDS": "0",
            "PBEM_WAIT_FOR_ROBOTS_SECONDS": "0",
            "PBEM_WORKER_THREADS": "1",
            "PBEM_DELIVERY_THREADS": "1",
        }
        settings = Settings.read(environ | self.environ())
        with self._working():
            self._ours = OwnAddress(settings.address)
            self._server = Server(settings, DirectReader(self._ours), lambda: _PostboxRelay(self.postbox))
            self._server.prepare()
            self._server.introduce(ROLES)
            loops = {loop.name: loop for loop in self._server.loops}
            self._answering = [loops.pop(name) for name in ("worker", "delivery")]
            loops.pop("housekeeping").step()
            loops.pop("bell", None)  # which waits for other processes to ring
            self._others = list(loops.values())
        self.goes_round()
        return self

    def stop(self) -> int:
        """End it once everything is done."""
        if self.is_running:
            self.work()
            self._end()
        return 0

    def kill(self) -> None:
        """End it as it is."""
        self.was_killed = True
        self._end()

    def _end(self) -> None:
        assert self._server is not None
        self._server.close()
        self._server = None

    def take(self, sender: str, recipient: str, raw: bytes, client: str = "127.0.0.1") -> None:
        """Store a letter that comes from a client."""
        assert self._server is not None
        assert self._ours.token(recipient) is not None, f"no such mailbox here: {recipient}"
        check_shape(raw)
        letter = raw if raw.endswith(b"\r\n") else raw + b"\r\n"
        now = datetime.now(UTC) + (self._clock.ahead if self._clock else timedelta(0))
        with self._working():
            self._server.accept(Envelope(sender, (recipient,), client), letter, now).result()

    def work(self) -> bool:
        """Answer the letters that are there, and hand over what comes of them; False if there was nothing to do."""
        return self._step(self._answering)

    def goes_round(self) -> bool:
        """Look whether anything else is to be done, and do it; False if nothing is."""
        return self._step(self._others) | self.work()

    def _step(self, loops: Sequence[Loop]) -> bool:
        steps = 0
        with self._working():
            while busy := sum(loop.step() for loop in loops):
                steps += busy
        return steps > 0

    @contextmanager
    def _working(self) -> Iterator[None]:
        """A stretch in which it works, and logs what is wrong."""
        if not structlog.is_configured():
            configure_logs("warning")
        with self._clock.shown() if self._clock else nullcontext():
            yield


@contextmanager
def in_process_server(folder: Path, ahead: timedelta | None = None, /, **settings: str) -> Iterator[InProcessServer]:
    """A server in this process, ended at the end; with a clock that can be ahead, if it is said by how much."""
    server = InProcessServer(folder, InProcessPostbox(), ahead, **settings).start()
    try:
        yield server
    finally:
        server.stop()
    server.check()
