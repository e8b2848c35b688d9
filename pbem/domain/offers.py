"""Offers of players to each other: a draw, or to take a move back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from pbem.domain.boards import Board
from pbem.domain.events import Event, EventKind, OfferKind
from pbem.games.game import Seat
from pbem.ids import PlayerId

Refused: TypeAlias = tuple[OfferKind, Seat]


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw or an undo that is to be agreed upon."""

    kind: OfferKind
    seat: Seat
    """Its owner."""
    event: int
    """The number of its event."""
    at: datetime
    back_to: int = 0
    """Of an undo: the number of the event after which the game would stand."""
    agreed: tuple[Seat, ...] = ()
    """The seats that have agreed since."""

    def waits_for(self, board: Board, seats: Iterable[Seat]) -> tuple[PlayerId, ...]:
        """The players who still have to answer: all others in play, who hold these ``seats``, who have not agreed."""
        said = {board.seats[seat].player for seat in (self.seat, *self.agreed)}
        playing = dict.fromkeys(board.seats[seat].player for seat in seats)
        return tuple(player for player in playing if player not in said)


@dataclass(frozen=True, slots=True)
class OfferState:
    """The offers at a board since the game last changed."""

    offer: Offer | None = None
    """The open offer."""
    ended: Offer | None = None
    """The offer that the last event has ended."""
    refused: tuple[Refused, ...] = ()
    """The seats that cannot repeat their offers."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """An event that has put an end to an offer, or taken a move back."""

    event: Event
    offer: Offer | None
    """None: a move was taken back that nobody had to be asked about."""


def settlements(events: Iterable[Event]) -> tuple[Settlement, ...]:
    """The results of the offers in a game, by its events."""
    found, talk = [], OfferState()
    for event in events:
        talk = talk_after(talk, event)
        if talk.ended is not None or event.kind is EventKind.UNDO:
            found.append(Settlement(event, talk.ended))
    return tuple(found)


def talk_after(talk: OfferState, event: Event) -> OfferState:
    """The offers after one more event."""
    offer = talk.offer
    match event.kind:
        case EventKind.OFFER:
            return replace(talk, offer=_offer(event), ended=None)
        case EventKind.CONSENT if offer is not None:
            return replace(talk, offer=replace(offer, agreed=(*offer.agreed, event.seat)), ended=None)
        case EventKind.REFUSAL if offer is not None:
            return OfferState(None, offer, (*talk.refused, (offer.kind, offer.seat)))
    return OfferState(ended=offer)


def _offer(event: Event) -> Offer:
    record = event.record if isinstance(event.record, dict) else {}
    return Offer(OfferKind(record["of"]), event.seat, event.number, event.at, record.get("back_to", 0))
