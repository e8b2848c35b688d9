"""What nobody writes in a letter: the operator asks for it, or a clock; players cannot, so it has no form."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class BeginTournament(Command):
    """Start a tournament in place of its creator."""

    game: str
    name: str


@dataclass(frozen=True, slots=True)
class CallOffTournament(Command):
    """Call off a tournament that has not begun."""

    game: str
    name: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AccountDeed(Command):
    """Root of what an operator does to one account."""

    userid: str
    reason: str = ""
    """In his words; the player is told so."""


@dataclass(frozen=True, slots=True)
class FreezePlayer(AccountDeed):
    """Let a player look on and do nothing else; his clocks stand."""


@dataclass(frozen=True, slots=True)
class UnfreezePlayer(AccountDeed):
    """Let a frozen player go on."""


@dataclass(frozen=True, slots=True)
class BanPlayer(AccountDeed):
    """Close a player's account for good."""


@dataclass(frozen=True, slots=True)
class UnbanPlayer(AccountDeed):
    """Open a banned account again."""


@dataclass(frozen=True, slots=True)
class RemovePlayer(AccountDeed):
    """Take a player off the server as if he had signed off."""


@dataclass(frozen=True, slots=True)
class StopMail(AccountDeed):
    """Mail nothing to a player any more; his clocks stand."""


@dataclass(frozen=True, slots=True)
class AllowMail(AccountDeed):
    """Mail to a player again."""


@dataclass(frozen=True, slots=True)
class SetAddresses(AccountDeed):
    """Replace a player's addresses; the new ones count as confirmed."""

    addresses: tuple[str, ...] = field(kw_only=True)
