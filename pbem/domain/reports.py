"""What players tell the operator of each other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.ids import BoardNumber, PlayerId


@dataclass(frozen=True, slots=True)
class Report:
    """What a player has told the operator about another."""

    id: int
    at: datetime
    player: PlayerId
    """Who tells it."""
    about: PlayerId
    board: BoardNumber | None
    text: str
    """Without words that may be a password."""
    closed_at: datetime | None = None
    note: str | None = None
    """What the operator has noted of it."""
