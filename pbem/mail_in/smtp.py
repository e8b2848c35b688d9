"""The SMTP door (RFC 5321): a letter is answered ``250`` only after it is safe."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import structlog
from aiosmtpd.smtp import SMTP

from pbem.domain.letters import Envelope

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from aiosmtpd.smtp import Envelope as SmtpEnvelope
    from aiosmtpd.smtp import Session

    from pbem.config import Listen
    from pbem.mail_in.addresses import OwnAddress

    Accept = Callable[[Envelope, bytes, datetime], Future[bool]]

log = structlog.get_logger()

_NOT_OURS = "550 5.1.1 No such mailbox here"
_NO_SENDER = "553 5.1.7 No such sender can be answered"
_TRY_LATER = "451 4.3.0 Temporary trouble, please try again later"
_CLOSING = "421 4.3.2 Closing for now, please try again later"
_SAFE = "250 2.0.0 Accepted"
_LONGEST_PATH = 256
"""RFC 5321 s 4.5.3.1.3. What the database could not hold would fail everybody's letters of one commit."""


class _Handler:
    """What aiosmtpd asks at each step of a session."""

    def __init__(self, accept: Accept, ours: OwnAddress) -> None:
        self._accept = accept
        self._ours = ours
        self.closing = False

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self,
        _server: SMTP,
        _session: Session,
        envelope: SmtpEnvelope,
        address: str | None,
        options: list[str],
    ) -> str:
        """Take the envelope's sender, unless the door is closing."""
        if self.closing:
            return _CLOSING
        if len(address or "") > _LONGEST_PATH or not (address or "").isprintable():
            return _NO_SENDER
        envelope.mail_from = address or ""
        envelope.mail_options.extend(options)
        return "250 2.1.0 Sender ok"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        """Take our own addresses only; we relay for nobody."""
        if self._ours.token(address) is None:
            return _NOT_OURS
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Recipient ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: SmtpEnvelope) -> str:  # noqa: N802
        """Have the letter stored; a client that hangs up meanwhile does not stop that."""
        raw = envelope.content
        letter = raw if isinstance(raw, bytes) else (raw or "").encode("utf-8", "surrogateescape")
        sender = (envelope.mail_from or "").removeprefix("<>")  # which is how aiosmtpd writes the null sender
        stored = self._accept(Envelope(sender, tuple(envelope.rcpt_tos)), letter, datetime.now(UTC))
        try:
            new = await asyncio.shield(asyncio.wrap_future(stored))
        except Exception as failed:  # noqa: BLE001 - the client hears 451 whatever it was, and keeps the letter
            log.error("letter not stored", error=type(failed).__name__)  # noqa: TRY400 - no trace: it may show the letter
            return _TRY_LATER
        log.info("letter accepted" if new else "letter seen before", bytes=len(letter))
        return _SAFE

    async def handle_exception(self, error: Exception) -> str:
        """Tell a client nothing of what went wrong in here."""
        log.error("smtp session failed", error=type(error).__name__)
        return _TRY_LATER


class _Session(SMTP):
    """A session that the door knows of, so that it can end it politely."""

    def __init__(self, sessions: set[_Session], handler: _Handler, **options: Any) -> None:
        super().__init__(handler, **options)
        self._sessions = sessions

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the session."""
        super().connection_made(transport)
        self._sessions.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the session."""
        super().connection_lost(error)
        self._sessions.discard(self)

    @property
    def is_idle(self) -> bool:
        """Whether no letter is under way in this session."""
        return self.envelope is None or self.envelope.mail_from is None

    def hang_up(self) -> None:
        """Say goodbye and close."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.write(_CLOSING.encode() + b"\r\n")
            self.transport.close()


class SmtpDoor:
    """Listens, and hands every letter to ``accept``.

    Args:
        listen: where to listen; port 0 lets the system choose.
        accept: stores a letter; its future tells whether the letter is new.
        ours: which recipients are ours.
        most_bytes: the largest letter, announced as SIZE (RFC 1870).
    """

    def __init__(self, listen: Listen, accept: Accept, ours: OwnAddress, most_bytes: int) -> None:
        self._listen = listen
        self._handler = _Handler(accept, ours)
        self._hostname = ours.domain
        self._most_bytes = most_bytes
        self._sessions: set[_Session] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> tuple[str, int]:
        """Begin to listen; return host and port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._session, self._listen.host, self._listen.port)
        host, port = self._server.sockets[0].getsockname()[:2]
        return str(host), int(port)

    def _session(self) -> _Session:
        return _Session(
            self._sessions,
            self._handler,
            data_size_limit=self._most_bytes,
            enable_SMTPUTF8=False,
            decode_data=False,
            hostname=self._hostname,
            ident="pbem",
        )

    async def close(self, patience: float) -> None:
        """Take no more sessions, let letters under way finish within ``patience`` seconds, end the rest."""
        if self._server is None:
            return
        self._handler.closing = True
        self._server.close()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while self._sessions and loop.time() < deadline:
            for session in [each for each in self._sessions if each.is_idle]:
                session.hang_up()
            await asyncio.sleep(0.02)
        for session in list(self._sessions):
            session.hang_up()
        await asyncio.sleep(0)
