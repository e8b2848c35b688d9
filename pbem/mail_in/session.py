"""What is said in a session: aiosmtpd speaks the protocol, this says what it leaves open, and takes letters in."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from typing import TYPE_CHECKING

from pbem.mail_in.guarded import TOO_LONG, GuardedSession

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOO_LARGE = "552 5.3.4 The letter is too large"
_FORWARDED = re.compile(r"(?:^| )ADDR=(?:IPV6:)?([0-9a-fA-F.:]+|\[UNAVAILABLE\])(?= |$)", re.IGNORECASE)
"""What Postfix says of the client it had a letter from; no other attribute is asked of it."""
_NOT_HERE = "502 5.5.1 There is no such command here"


class Session(GuardedSession):
    """A session of SMTP (RFC 5321)."""

    greeting = "HELO"
    _forwarded: str | None = None

    @property
    def is_mta(self) -> bool:
        """Whether the other side is taken for our own MTA: it is on this machine."""
        host = self._door.guests.host(self)
        return host is not None and _is_loopback(host)

    @property
    def client(self) -> str | None:
        """The IP address of the client that a letter comes from; None if it is not known."""
        return self._forwarded or self._door.guests.host(self)

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
        """Whether the client must introduce himself first; he is told."""
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
        letter = await self._read_letter()
        sender = (self.envelope.mail_from or "").removeprefix("<>")
        octets = self._door.limits.letter_bytes if letter is None else len(letter)
        self._door.handler.traffic.count(self.client, sender, octets)
        status = _TOO_LARGE if letter is None else await self._store(letter)
        reply = "\r\n".join(self._replies_to(status, self.envelope.rcpt_tos))
        self.envelope = self._create_envelope()
        self._forwarded = None
        await self.push(reply)
        if self._is_over:
            self.hang_up(TOO_LONG)

    def _replies_to(self, status: str, recipients: Sequence[str]) -> list[str]:
        """What is said when a letter has come."""
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
            is_too_large |= len(letter) + len(line) > self._door.limits.letter_bytes
            if is_too_large:
                letter.clear()
            else:
                letter += line

    async def _store(self, letter: bytes) -> str:
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


def _as_address(text: str) -> str | None:
    """An IP address as it is written mostly; None if it is none."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    address = _as_address(host)
    return address is not None and ipaddress.ip_address(address).is_loopback
