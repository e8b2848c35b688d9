"""Decides, in SMTP's words, what becomes of a letter: the same at every door."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import TypeAlias

import structlog

from pbem.domain.letters import Envelope, InboxFull
from pbem.ids import LetterId
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.connection_limits import LONGEST_PATH, DoorLimits, Traffic
from pbem.mail_in.parts import UnreadableLetter, check_shape
from pbem.meters import DoorMeters

log = structlog.get_logger()

Accept: TypeAlias = "Callable[[Envelope, bytes, datetime], Future[LetterId | None]]"
"""Stores a letter; the future tells its number, None if it had come before."""

TOO_LARGE = "552 5.3.4 The letter is too large"
SAFE = "250 2.0.0 Accepted"
NO_SENDER = "553 5.1.7 No such sender can be answered"
_NOT_OURS = "550 5.1.1 No such mailbox here"
_TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients"
TRY_LATER = "451 4.3.0 Temporary trouble, please try again later"
_FULL = "451 4.3.1 Too many letters are waiting, please try again later"
_TOO_MUCH = "450 4.7.1 Too much mail from you within an hour, please try again later"
_UNREADABLE = "554 5.6.0 Nobody can read such a letter: too many header fields, too long ones, or parts within parts"


class Acceptance:
    """Decides for one door about senders, recipients and letters.

    Args:
        accept: stores a letter.
        ours: which recipients are ours.
        limits: what the door bears.
        meters: what is counted here.
    """

    def __init__(self, accept: Accept, ours: OwnAddress, limits: DoorLimits, meters: DoorMeters) -> None:
        self._accept = accept
        self._ours = ours
        self._limits = limits
        self._meters = meters
        self._traffic = Traffic(limits)

    def refuse_sender(self, client: str | None, sender: str) -> str | None:
        """The refusal of a sender, if too much comes from there or nobody can be answered; None: it may go on."""
        if self._traffic.is_too_much(client, sender):
            log.warning("letter refused", because="too much from one client", client=client)
            self._meters.refused("too_much")
            return _TOO_MUCH
        if len(sender) > LONGEST_PATH or not sender.isprintable():
            return NO_SENDER
        return None

    def refuse_recipient(self, address: str, taken: int) -> str | None:
        """The refusal of a recipient after so many have been taken; None: it is ours, as we relay for nobody."""
        if self._ours.token(address) is None or len(address) > LONGEST_PATH:
            self._meters.refused("not_ours")
            return _NOT_OURS
        return _TOO_MANY_RECIPIENTS if taken >= self._limits.recipients else None

    async def store(self, envelope: Envelope, letter: bytes | None) -> str:
        """Store a letter, and reply once it is safe; a client that hangs up meanwhile does not stop that.

        Args:
            envelope: says who has sent it; the client counts, taken or not.
            letter: its bytes; None if they are too many.
        """
        client, sender = envelope.client, envelope.sender
        self._traffic.count(client, sender, self._limits.letter_bytes if letter is None else len(letter))
        if letter is None:
            self._meters.refused("too_large")
            return TOO_LARGE
        try:
            check_shape(letter)
        except UnreadableLetter as unreadable:
            log.warning("letter refused", because=unreadable.facts["error"], client=client, bytes=len(letter))
            self._meters.refused("unreadable")
            return _UNREADABLE
        if client is not None and self._traffic.trusts(client):
            envelope = Envelope(sender, envelope.recipients)  # who has brought the letter there is not known
        try:
            awaited = asyncio.wrap_future(self._accept(envelope, letter, datetime.now(UTC)))
            awaited.add_done_callback(_seen)
            number = await asyncio.shield(awaited)
        except InboxFull:
            log.warning("letter not stored", because="too many are waiting")
            self._meters.refused("full")
            return _FULL
        except Exception as failed:  # noqa: BLE001 - the client hears 451 whatever it was, and keeps the letter
            log.error("letter not stored", error=type(failed).__name__)  # noqa: TRY400 - no trace: it may show the letter
            self._meters.refused("trouble")
            return TRY_LATER
        if number is None:
            log.info("letter seen before", bytes=len(letter))
            self._meters.repeated.inc()
        else:
            log.info("letter accepted", letter=number, bytes=len(letter))
            self._meters.accepted.inc()
        return SAFE


def _seen(stored: asyncio.Future[LetterId | None]) -> None:
    """Look at what has become of a letter: asyncio would log that nobody has, if its client has hung up."""
    if not stored.cancelled():
        stored.exception()
