"""Mails of ours that are in the outbox, or were."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pbem.ids import BoardNumber, PlayerId


class MailState(StrEnum):
    """What has become of a mail."""

    WAITING = "waiting"
    SENT = "sent"
    """Handed over to the relay."""
    FAILED = "failed"
    """Never taken by the relay."""
    BOUNCED = "bounced"
    """It came back."""
    WITHHELD = "withheld"
    """It was never to be sent: no mail reaches the player."""
    DROPPED = "dropped"
    """By the operator."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail that was written, to one address."""

    id: int
    message_id: str
    recipient: str
    created_at: datetime
    state: MailState = MailState.WAITING
    name: str | None = None
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: str | None = None
    player: PlayerId | None = None
    board: BoardNumber | None = None
    attempts: int = 0
    error: str | None = None
    """Why it came back, or was not taken the last time."""
    is_delayed: bool = False
    """Whether it was handed over and some mail system has said since that it still tries."""
    came_back_for_good: bool = False
    """Whether it came back, and not only for now."""
    raw: bytes | None = field(default=None, repr=False)
    """Its bytes; None where they were not asked for, or are not kept any more."""
