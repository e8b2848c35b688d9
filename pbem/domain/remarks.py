"""What players write at a board, kept to be read beside the moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pbem.ids import BoardNumber, PlayerId

LONGEST = 20_000
"""Characters that are kept of one."""


class RemarkKind(StrEnum):
    """What it was written with."""

    COMMENT = "comment"
    """A move, or something else that was done at the board."""
    CHAT = "chat"
    """Nothing else."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a player has written at a board."""

    board: BoardNumber
    event: int
    """The number of the board's last event by then; of a comment, that of what it was written with."""
    player: PlayerId
    """Who has written it."""
    writer: str
    """His userid."""
    at: datetime
    kind: RemarkKind
    text: str = field(repr=False)
