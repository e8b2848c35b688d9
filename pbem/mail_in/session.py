"""A client's SMTP or LMTP session: aiosmtpd speaks the protocol, and this bounds it and takes letters in."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import structlog
from aiosmtpd.smtp import SMTP

from pbem.mail_in.acceptance import TOO_LARGE
from pbem.mail_in.connection_limits import ConnectionLimiter, DoorLimits
from pbem.meters import DoorMeters

log = structlog.get_logger()

CLOSING = "421 4.3.2 Closing for now, please try again later"
TOO_LONG = "421 4.4.2 This has lasted too long"
_IDLE = "421 4.4.2 Nothing has come for too long"
_TOO_MANY_COMMANDS = "421 4.7.0 Too many commands"
_BARE_END = "521 5.5.2 Lines end with <CR><LF> here, and no <CR> or <LF> stands alone"
_NO_END = "500 5.5.0 This has no end"
_FORWARDED = re.compile(r"(?:^| )ADDR=(?:IPV6:)?([0-9a-fA-F.:]+|\[UNAVAILABLE\])(?= |$)", re.IGNORECASE)
"""Postfix's statement about the client that it had a letter from; no other attribute is used."""
_NOT_HERE = "502 5.5.1 There is no such command here"
_ANOTHER_PROTOCOL = "500 5.5.1 This is LMTP: say LHLO"
_GRACE_SECONDS = 5.0
"""The time that a client has to read the last words before the connection is cut."""


@dataclass(frozen=True)
class SessionSetup:
    """The configuration that all sessions of a door share."""

    handler: object
    """Answers for aiosmtpd's hooks."""
    limits: DoorLimits
    hostname: str
    guests: ConnectionLimiter[GuardedSession]
    meters: DoorMeters
    tls: ssl.SSLContext | None = None
    """The configuration for STARTTLS; None: it is not offered."""
    wants_proxy: bool = False
    """Each connection begins with a PROXY line."""


class GuardedSession(SMTP):
    """A session that can be counted, bounded in every respect, and ended politely (RFC 5321)."""

    def __init__(self, setup: SessionSetup) -> None:
        super().__init__(
            setup.handler,
            data_size_limit=setup.limits.letter_bytes,
            enable_SMTPUTF8=False,
            decode_data=False,
            hostname=setup.hostname,
            ident="pbem",
            tls_context=setup.tls,
            timeout=setup.limits.idle_seconds,
            proxy_protocol_timeout=setup.limits.idle_seconds if setup.wants_proxy else None,
        )
        self._setup = setup
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
        host = None if self._setup.wants_proxy else _host(transport)
        refusal = self._setup.guests.why_not(host, transport.get_extra_info("socket").fileno())
        if refusal is not None:
            log.warning("connection refused", because=refusal)
            self._setup.meters.turned_away.inc()
            _turn_away(cast("asyncio.Transport", transport), refusal)
            return
        self._setup.guests.enter(self, host)
        super().connection_made(transport)
        self._end = self.loop.call_later(self._setup.limits.session_seconds, self._end_of_session)
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
        self._setup.guests.leave(self)
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
        """No letter is under way in this session."""
        return self.envelope is None or self.envelope.mail_from is None

    def hang_up(self, last_words: str = CLOSING) -> None:
        """Say goodbye and close; a client that does not listen is cut off, at once if it has been told before."""
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
        if self._unanswered > self._setup.limits.unanswered_bytes:
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
        if reply.startswith("552") and not reply.startswith(TOO_LARGE):  # aiosmtpd's own, to MAIL with the size
            self._setup.meters.refused("too_large")
        self._replies += reply[3:4] != "-" and not reply.startswith("354")
        if self._replies > self._setup.limits.session_commands + 1:  # the first one is the greeting
            self.hang_up(_TOO_MANY_COMMANDS)


class Session(GuardedSession):
    """A session of SMTP (RFC 5321)."""

    greeting = "HELO"
    _forwarded: str | None = None

    @property
    def is_mta(self) -> bool:
        """The other side is taken for our own MTA because it is on this machine."""
        host = self._setup.guests.host(self)
        return host is not None and _is_loopback(host)

    @property
    def client(self) -> str | None:
        """The IP address of the client that a letter comes from; None if it is not known."""
        return self._forwarded or self._setup.guests.host(self)

    async def smtp_XFORWARD(self, arg: str | None) -> None:  # noqa: N802 - aiosmtpd's naming
        """Note the client that our own MTA had the next letter from (Postfix's XFORWARD_README)."""
        if not self.is_mta:
            await self.push(_NOT_HERE)
            return
        found = _FORWARDED.search(arg or "")
        if found is not None:
            self._forwarded = _as_address(found[1])
        await self.push("250 2.0.0 Noted")

    async def check_helo_needed(self, helo: str = "") -> bool:
        """Return True, and tell the client, if it must introduce itself first."""
        needed: bool = await super().check_helo_needed(helo or self.greeting)
        return needed

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 - aiosmtpd's name
        """Take a letter in and have it stored.

        aiosmtpd's own keeps a line without an end, and an object for each line however short.
        """
        if await self.check_helo_needed():
            return
        assert self.envelope is not None  # noqa: S101 - for the types
        if not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 There are no recipients")
            return
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        status = await self._store(await self._read_letter())
        reply = "\r\n".join(self._replies_to(status, self.envelope.rcpt_tos))
        self.envelope = self._create_envelope()
        self._forwarded = None
        await self.push(reply)
        if self._is_over:
            self.hang_up(TOO_LONG)

    def _replies_to(self, status: str, recipients: Sequence[str]) -> list[str]:
        """The replies once a letter has come."""
        del recipients  # SMTP has one answer for all of them
        return [status]

    async def _read_letter(self) -> bytes | None:
        """The bytes up to the lone dot (RFC 5321 s 4.5.2); None if there are too many."""
        letter, is_too_large, begins = bytearray(), False, True
        while True:
            try:
                line = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as longer:
                line = await self._reader.readexactly(longer.consumed)
            if begins and line == b".\r\n":
                return None if is_too_large else bytes(letter)
            if begins and line.startswith(b"."):
                line = line[1:]
            begins = line.endswith(b"\r\n")
            is_too_large |= len(letter) + len(line) > self._setup.limits.letter_bytes
            if is_too_large:
                letter.clear()
            else:
                letter += line

    async def _store(self, letter: bytes | None) -> str:
        assert self.envelope is not None  # noqa: S101 - for the types
        self.envelope.content = letter
        self._is_storing = True
        try:
            return str(await self._call_handler_hook("DATA"))
        finally:
            self._is_storing = False

    async def smtp_STARTTLS(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Begin TLS, once."""
        if self._tls_protocol is not None:
            await self.push("503 5.5.1 This is TLS already")
        else:
            await super().smtp_STARTTLS(arg)

    async def smtp_AUTH(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Refuse: nobody needs to log in, so nobody can try passwords here."""
        del arg
        await self.push(_NOT_HERE)

    async def smtp_VRFY(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Tell nothing (RFC 5321 s 3.5.3)."""
        del arg
        await self.push("252 2.5.0 Mail a letter to see")

    async def smtp_EXPN(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Tell nothing."""
        del arg
        await self.push(_NOT_HERE)

    async def smtp_HELP(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Tell nothing that is not known."""
        del arg
        await self.push("214 2.0.0 See RFC 5321")


class LmtpSession(Session):
    """A session that begins with LHLO."""

    greeting = "LHLO"
    is_mta = True

    @property
    def client(self) -> str | None:
        """The client that the MTA names: its own address says nothing."""
        return self._forwarded

    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's naming
        """Greet; what is offered is the same as in SMTP."""
        if arg:
            await super().smtp_EHLO(arg)
        else:
            await self.push("501 5.5.4 Syntax: LHLO hostname")

    async def smtp_HELO(self, hostname: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Refuse: whoever says so would not wait for the reply to each recipient (RFC 2033 s 4.1)."""
        del hostname
        await self.push(_ANOTHER_PROTOCOL)

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Refuse likewise."""
        await self.smtp_HELO(hostname)

    def _replies_to(self, status: str, recipients: Sequence[str]) -> list[str]:
        """One reply for each recipient that was taken, all the same: the letter is stored once (RFC 2033 s 4.2)."""
        return [status for _ in recipients]


class _TurnedAway(asyncio.Protocol):
    """The other end of a connection that nobody listens to."""


def _turn_away(transport: asyncio.Transport, refusal: str) -> None:
    transport.set_protocol(_TurnedAway())
    transport.write(refusal.encode() + b"\r\n")
    transport.close()


def _host(transport: asyncio.BaseTransport) -> str | None:
    """The address that a connection comes from; None for one over a UNIX socket."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else None


def _with_code(reply: str) -> str:
    """A reply with an enhanced status code (RFC 2034), as those of aiosmtpd have none."""
    bare = re.fullmatch(r"([245])\d\d ((?!\d\.\d).*)", reply)
    if bare is None or (bare[1] == "2" and bare[2] not in ("OK", "Bye")):
        return reply
    return f"{reply[:3]} {bare[1]}.0.0 {bare[2]}"


def _as_address(text: str) -> str | None:
    """An IP address as it is written mostly; None if it is none."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    address = _as_address(host)
    return address is not None and ipaddress.ip_address(address).is_loopback
