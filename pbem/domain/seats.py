"""Who holds a seat at a board, and the moves that he has left there, which are yet to be made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.domain.boards import Board
    from pbem.ids import PlayerId


@dataclass(frozen=True, slots=True)
class QueuedMove:
    """A move that is made by itself when its player's turn comes, if it is legal then."""

    text: str = field(repr=False)
    """As typed; the game reads it when it is made."""
    moveno: int | None = None
    """The move that it is meant to be."""
    event: int = 0
    """The number of the board's last event when it was queued."""


@dataclass(frozen=True, slots=True)
class SubmittedMove:
    """A move that waits for its player to confirm it."""

    text: str = field(repr=False)
    event: int
    """The number of the board's last event when it was submitted: in a newer position it is none."""

    def fits(self, board: Board) -> bool:
        """Whether it can still be confirmed: the game stands as it did, whatever was said meanwhile."""
        return self.event >= board.changed_by


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who holds a seat."""

    player: PlayerId
    userid: str
    resigning: bool = False
    """Has announced, out of turn, to resign when the turn comes."""
    quiet: bool = False
    """Wants mail of this board only when it is for him to act, and at the end."""
    queued: QueuedMove | None = None
    """Nobody else ever sees it."""
    submitted: SubmittedMove | None = None
    """Likewise."""

    def without_plans(self) -> SeatHolder:
        """The same with no move that is yet to be made."""
        return replace(self, queued=None, submitted=None)
