"""One client's session, guarded: who may come in, how long it lasts, how much may be said."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import structlog
from aiosmtpd.smtp import SMTP

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable

    from pbem.mail_in.guards import DoorLimits, Guests
    from pbem.mail_in.handler import Handler
    from pbem.meters import DoorMeters

log = structlog.get_logger()

CLOSING = "421 4.3.2 Closing for now, please try again later"
TOO_LONG = "421 4.4.2 This has lasted too long"
_IDLE = "421 4.4.2 Nothing has come for too long"
_TOO_MANY_COMMANDS = "421 4.7.0 Too many commands"
_BARE_END = "521 5.5.2 Lines end with <CR><LF> here, and no <CR> or <LF> stands alone"
_NO_END = "500 5.5.0 This has no end"
_GRACE_SECONDS = 5.0
"""How long a client has to read the last words before the connection is cut."""


class _Door(Protocol):
    """What a session needs of the door that it came through."""

    limits: DoorLimits
    hostname: str
    handler: Handler
    tls: ssl.SSLContext | None
    wants_proxy: bool
    guests: Guests[GuardedSession]
    meters: DoorMeters


class GuardedSession(SMTP):
    """A session that can be counted, bounded in every respect, and ended politely (RFC 5321)."""

    def __init__(self, door: _Door) -> None:
        super().__init__(
            door.handler,
            data_size_limit=door.limits.letter_bytes,
            enable_SMTPUTF8=False,
            decode_data=False,
            hostname=door.hostname,
            ident="pbem",
            tls_context=door.tls,
            timeout=door.limits.idle_seconds,
            proxy_protocol_timeout=door.limits.idle_seconds if door.wants_proxy else None,
        )
        self._door = door
        self._replies = 0
        self._unanswered = 0
        self._end: asyncio.TimerHandle | None = None
        self._is_over = False
        self._is_storing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in, unless there are too many; called a second time for what is said within TLS."""
        if self.transport is not None:
            super().connection_made(transport)
            return
        host = None if self._door.wants_proxy else _host(transport)
        refusal = self._door.guests.why_not(host, transport.get_extra_info("socket").fileno())
        if refusal is not None:
            log.warning("connection refused", because=refusal)
            self._door.meters.turned_away.inc()
            _turn_away(cast("asyncio.Transport", transport), refusal)
            return
        self._door.guests.enter(self, host)
        super().connection_made(transport)
        self._end = self.loop.call_later(self._door.limits.session_seconds, self._end_of_session)
        assert self._handler_coroutine is not None  # noqa: S101 - for the types
        self._handler_coroutine.add_done_callback(self._conversation_ended)

    def _cb_client_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super()._cb_client_connected(reader, writer)
        reader.readuntil = partial(self._line, reader.readuntil)  # type: ignore[method-assign]  # what aiosmtpd reads by

    async def _line(self, read: Callable[[bytes], Awaitable[bytes]], separator: bytes = b"\n") -> bytes:
        """A line that a client has sent: of a command, if nobody says how it ends.

        A command ends with CR LF and holds neither elsewhere (RFC 5321 s 2.3.8). Where two read the same bytes, and one
        of them takes either alone for the end of a line, commands can be smuggled.
        """
        line = await read(separator)
        if separator == b"\n" and (not line.endswith(b"\r\n") or b"\r" in line[:-2]):
            self.hang_up(_BARE_END)
            raise asyncio.CancelledError
        return line

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the client."""
        super().connection_lost(error)
        self._door.guests.leave(self)
        if self._end is not None:
            self._end.cancel()

    def _conversation_ended(self, task: asyncio.Task[None]) -> None:
        """Close what a failed conversation has left open, such as a PROXY line that cannot be read."""
        failed = None if task.cancelled() else task.exception()
        if failed is not None:
            log.info("session ended", error=type(failed).__name__)
        if self.transport is not None:
            self.transport.close()

    @property
    def is_idle(self) -> bool:
        """Whether no letter is under way in this session."""
        return self.envelope is None or self.envelope.mail_from is None

    def hang_up(self, last_words: str = CLOSING) -> None:
        """Say goodbye and close; a client that does not listen is cut off, at once if he has been told before."""
        transport = cast("asyncio.Transport | None", self.transport)  # uvloop's are no instances of it
        if transport is None:
            return
        if transport.is_closing():
            transport.abort()
            return
        transport.write(last_words.encode() + b"\r\n")
        transport.close()
        self.loop.call_later(_GRACE_SECONDS, transport.abort)
        if self._handler_coroutine is not None and not self._is_storing:
            self._handler_coroutine.cancel()

    def data_received(self, data: bytes) -> None:
        """Take bytes in, unless too many have come that nothing could be answered to."""
        self._unanswered += len(data)
        if self._unanswered > self._door.limits.unanswered_bytes:
            self.hang_up(_NO_END)
            return
        self._reset_timeout()
        super().data_received(data)

    def _timeout_cb(self) -> None:
        if self._is_storing:
            self._reset_timeout()
        else:
            self.hang_up(_IDLE)

    def _end_of_session(self) -> None:
        """Bytes that trickle in keep no session alive; a letter that is being stored is still answered."""
        self._is_over = True
        if not self._is_storing:
            self.hang_up(TOO_LONG)

    async def push(self, status: Any) -> None:
        """Reply, and count the replies: each answers one command, understood or not."""
        reply = status.decode("ascii") if isinstance(status, bytes) else str(status)
        await super().push("\r\n".join(map(_with_code, reply.split("\r\n"))))
        self._unanswered = 0
        if reply.startswith("552"):  # to MAIL with the size, or to DATA
            self._door.meters.refused("too_large")
        self._replies += reply[3:4] != "-" and not reply.startswith("354")
        if self._replies > self._door.limits.session_commands + 1:  # the first one is the greeting
            self.hang_up(_TOO_MANY_COMMANDS)


class _TurnedAway(asyncio.Protocol):
    """The other end of a connection that nobody listens to."""


def _turn_away(transport: asyncio.Transport, refusal: str) -> None:
    transport.set_protocol(_TurnedAway())
    transport.write(refusal.encode() + b"\r\n")
    transport.close()


def _host(transport: asyncio.BaseTransport) -> str | None:
    """Where a connection comes from; None for one over a UNIX socket."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else None


def _with_code(reply: str) -> str:
    """A reply with an enhanced status code (RFC 2034), as those of aiosmtpd have none."""
    bare = re.fullmatch(r"([245])\d\d ((?!\d\.\d).*)", reply)
    if bare is None or (bare[1] == "2" and bare[2] not in ("OK", "Bye")):
        return reply
    return f"{reply[:3]} {bare[1]}.0.0 {bare[2]}"
