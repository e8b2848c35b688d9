"""What one player tells all others."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.ids import PlayerId


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Words for everybody, on their way; they are mailed in batches."""

    id: int
    player: PlayerId
    """Who has written them."""
    at: datetime
    text: str
    sent_to: PlayerId = PlayerId(0)
    """The last who was told, in the order in which they have signed up."""
    done_at: datetime | None = None
