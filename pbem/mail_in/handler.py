"""What aiosmtpd asks at each step of a session: who may come in, what is taken, and whether it is safe."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from pbem.domain.letters import Envelope, InboxFull
from pbem.mail_in.guarded import CLOSING
from pbem.mail_in.guards import LONGEST_PATH, Traffic
from pbem.mail_in.parts import UnreadableLetter, check_shape

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from aiosmtpd.proxy_protocol import ProxyData
    from aiosmtpd.smtp import Envelope as SmtpEnvelope
    from aiosmtpd.smtp import Session as Spoken

    from pbem.ids import LetterId
    from pbem.mail_in.addresses import OwnAddress
    from pbem.mail_in.guarded import GuardedSession
    from pbem.mail_in.guards import DoorLimits, Guests
    from pbem.mail_in.session import Session
    from pbem.meters import DoorMeters

    Accept = Callable[[Envelope, bytes, datetime], Future[LetterId | None]]

log = structlog.get_logger()

_NOT_OURS = "550 5.1.1 No such mailbox here"
_NO_SENDER = "553 5.1.7 No such sender can be answered"
_TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients"
_TRY_LATER = "451 4.3.0 Temporary trouble, please try again later"
_FULL = "451 4.3.1 Too many letters are waiting, please try again later"
_TOO_MUCH = "450 4.7.1 Too much mail from you within an hour, please try again later"
_UNREADABLE = "554 5.6.0 Nobody can read such a letter: too many header fields, too long ones, or parts within parts"
_SAFE = "250 2.0.0 Accepted"


class Handler:
    """Answers for a door, to all of its sessions."""

    def __init__(
        self, accept: Accept, ours: OwnAddress, limits: DoorLimits, guests: Guests[GuardedSession], meters: DoorMeters
    ) -> None:
        self._accept = accept
        self._ours = ours
        self._limits = limits
        self._guests = guests
        self._meters = meters
        self.traffic = Traffic(limits)
        self.closing = False

    async def handle_PROXY(  # noqa: N802 - aiosmtpd's name
        self, session: Session, _spoken: Spoken, _envelope: SmtpEnvelope, proxy: ProxyData
    ) -> bool:
        """Count the session for the host that the balancer names."""
        host = None if proxy.src_addr is None else str(proxy.src_addr)
        refusal = self._guests.why_not_from(host)
        if refusal is not None:
            log.warning("connection refused", because=refusal)
            self._meters.turned_away.inc()
            await session.push(refusal)
            return False
        self._guests.enter(session, host)
        return True

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, session: Session, spoken: Spoken, _envelope: SmtpEnvelope, name: str, replies: list[str]
    ) -> list[str]:
        """Offer what there is: aiosmtpd would name AUTH within TLS."""
        spoken.host_name = name
        offered = [reply for reply in replies if reply[4:8] not in ("AUTH", "HELP")]
        forwarding = ["250-XFORWARD ADDR"] if session.is_mta else []
        return [*offered, *forwarding, "250-PIPELINING", "250 ENHANCEDSTATUSCODES"]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self,
        session: Session,
        _spoken: Spoken,
        envelope: SmtpEnvelope,
        address: str | None,
        options: list[str],
    ) -> str:
        """Take the envelope's sender, unless the door is closing or too much comes from there."""
        if self.closing:
            return CLOSING
        if self.traffic.is_too_much(session.client, (address or "").removeprefix("<>")):
            log.warning("letter refused", because="too much from one client", client=session.client)
            self._meters.refused("too_much")
            return _TOO_MUCH
        if len(address or "") > LONGEST_PATH or not (address or "").isprintable():
            return _NO_SENDER
        envelope.mail_from = address or ""
        envelope.mail_options.extend(options)
        return "250 2.1.0 Sender ok"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _session: Session, _spoken: Spoken, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        """Take our own addresses only; we relay for nobody."""
        if self._ours.token(address) is None or len(address) > LONGEST_PATH:
            self._meters.refused("not_ours")
            return _NOT_OURS
        if len(envelope.rcpt_tos) >= self._limits.recipients:
            return _TOO_MANY_RECIPIENTS
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Recipient ok"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, session: Session, _spoken: Spoken, envelope: SmtpEnvelope
    ) -> str:
        """Have the letter stored; a client that hangs up meanwhile does not stop that."""
        letter = envelope.content
        assert isinstance(letter, bytes)  # noqa: S101 - for the types
        sender = (envelope.mail_from or "").removeprefix("<>")  # which is how aiosmtpd writes the null sender
        try:
            check_shape(letter)
        except UnreadableLetter as unreadable:
            log.warning("letter refused", because=unreadable.facts["error"], client=session.client, bytes=len(letter))
            self._meters.refused("unreadable")
            return _UNREADABLE
        try:
            stored = self._accept(Envelope(sender, tuple(envelope.rcpt_tos), session.client), letter, datetime.now(UTC))
            awaited = asyncio.wrap_future(stored)
            awaited.add_done_callback(_seen)
            number = await asyncio.shield(awaited)
        except InboxFull:
            log.warning("letter not stored", because="too many are waiting")
            self._meters.refused("full")
            return _FULL
        except Exception as failed:  # noqa: BLE001 - the client hears 451 whatever it was, and keeps the letter
            log.error("letter not stored", error=type(failed).__name__)  # noqa: TRY400 - no trace: it may show the letter
            self._meters.refused("trouble")
            return _TRY_LATER
        if number is None:
            log.info("letter seen before", bytes=len(letter))
            self._meters.repeated.inc()
        else:
            log.info("letter accepted", letter=number, bytes=len(letter))
            self._meters.accepted.inc()
        return _SAFE

    async def handle_exception(self, error: Exception) -> str:
        """Tell a client nothing of what went wrong in here."""
        log.error("session failed", error=type(error).__name__)
        return _TRY_LATER


def _seen(stored: asyncio.Future[LetterId | None]) -> None:
    """Look at what has become of a letter: asyncio would log that nobody has, if its client has hung up."""
    if not stored.cancelled():
        stored.exception()
