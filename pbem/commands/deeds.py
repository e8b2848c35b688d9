"""What an operator or a clock asks for; players cannot, so these commands have no form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.commands.model import Command

if TYPE_CHECKING:
    from pbem.ids import BoardNumber, TournamentId


@dataclass(frozen=True, slots=True)
class AnnulBoard(Command):
    """Take a board off the lists, as if it had never been played."""

    board: BoardNumber
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EndBoard(Command):
    """End a game: won by ``winner``, or a draw if that is None."""

    board: BoardNumber
    winner: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HandOverSeat(Command):
    """Give the seat of one player to another."""

    board: BoardNumber
    giver: str
    taker: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StrikeClock(Command):
    """Do what the clock of a board calls for by now, if anything: remind, forfeit, take silence for an answer."""

    board: BoardNumber


@dataclass(frozen=True, slots=True)
class LetSeeksMeet(Command):
    """Start the boards that the seeks for a game come to by now; nobody has to ask for it again."""

    game: str


@dataclass(frozen=True, slots=True)
class AdvanceTournament(Command):
    """Begin the next round of a tournament, or end it, if all boards of this round are over."""

    tournament: TournamentId
