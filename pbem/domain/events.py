"""The events of a board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pbem.games.game import Seat, TurnRecord


class EventKind(StrEnum):
    """The kinds of event at a board."""

    MOVE = "move"
    RESIGNATION = "resignation"
    FORFEIT = "forfeit"
    """The seat has kept the others waiting for too long."""
    DRAW = "draw"
    """All have agreed on it; the seat is that of the last to do so. Where only computer opponents play on, they do so
    at once, and the seat is the one whose turn it was."""
    DECLINE = "decline"
    """A player has left before their first move, by choice or by the operator. With ``players`` in its record the game
    has started again for the others, whose userids these are by seat; without them the board is over."""
    ANNULMENT = "annulment"
    """The operator has taken the board off the lists; the seat is the one whose turn it was."""
    HANDOVER = "handover"
    """The operator has given the seat to another player; the record has the userids, ``from`` and ``to``."""
    OFFER = "offer"
    """The seat offers a draw or asks to take its last move back; the record says ``of`` what (`OfferKind`). That of an
    undo has ``back_to``, too: the number of the event after which the game would stand."""
    CONSENT = "consent"
    """The seat agrees to the open offer, and others still have to."""
    REFUSAL = "refusal"
    """The seat refuses the open offer, or takes back its own."""
    UNDO = "undo"
    """All have agreed to it, the seat as the last; the record has ``back_to``, as that of the offer."""


class OfferKind(StrEnum):
    """The kinds of offer that one player can make to the others."""

    DRAW = "draw"
    UNDO = "undo"


TALK = (EventKind.OFFER, EventKind.CONSENT, EventKind.REFUSAL)
"""Events that leave the game as it is."""

LEAVING = (EventKind.RESIGNATION, EventKind.FORFEIT)
"""Events by which a player leaves the game."""

_DEEDS = (EventKind.ANNULMENT, EventKind.HANDOVER)
_MAYBE_DEEDS = (EventKind.FORFEIT, EventKind.DRAW, EventKind.DECLINE)

BY_CLOCK: TurnRecord = {"by": "clock"}
"""The record of a forfeit by silence, and of a draw or a refusal where nobody has answered in time."""

BY_OPERATOR: TurnRecord = {"by": "operator"}
"""The record of a forfeit or a draw that the operator has decided; that of such a decline holds this, too."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at a board, for good; numbered from 1 without gaps."""

    number: int
    kind: EventKind
    seat: Seat
    at: datetime
    record: TurnRecord | None = None
    """For a move: the input as it stands in a game record, without its seat. For other kinds: see there."""

    @property
    def is_deed(self) -> bool:
        """The operator has made it: it says nothing about a player's time."""
        by = self.record.get("by") if isinstance(self.record, dict) else None
        return self.kind in _DEEDS or (self.kind in _MAYBE_DEEDS and by == "operator")

    @property
    def is_by_clock(self) -> bool:
        """It happened because a player took too long."""
        return isinstance(self.record, dict) and self.record.get("by") == "clock"

    @property
    def back_to(self) -> int:
        """For an undo, or the offer of one: the number of the event after which the game stands then."""
        return int(self.record["back_to"]) if isinstance(self.record, dict) else 0

    @property
    def begins_anew(self) -> bool:
        """The game starts again after it."""
        return self.kind is EventKind.DECLINE and isinstance(self.record, dict) and "players" in self.record
