"""Private notes of players about boards."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pbem.ids import BoardNumber, PlayerId

LONGEST_NOTE = 4000
"""Characters."""
MOST_NOTES = 1000
"""Notes of one player."""


@dataclass(frozen=True, slots=True)
class BoardNote:
    """The private note of a player at a board."""

    player: PlayerId
    board: BoardNumber
    text: str = field(repr=False)
    """Empty: it is to be deleted."""
    changed_at: datetime
    revision: int = 0
    """As read; 0: it is new."""
