"""What the operator mails to everybody."""

from __future__ import annotations

from datetime import datetime

from pbem.domain.notices import Notice
from pbem.domain.players import Player


def bulletin(player: Player, text: str, until: datetime | None) -> Notice:
    """A maintenance notice as a mail of its own."""
    return Notice("bulletin", player, {"player": player, "text": text, "until": until})


def broadcast(player: Player, subject: str, text: str) -> Notice:
    """A letter of the operator's to one of all."""
    return Notice("operator_broadcast", player, {"player": player, "subject": subject, "text": text})
