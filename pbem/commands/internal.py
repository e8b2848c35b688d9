"""What an operator, a clock, a mail that comes back, a question that was answered or a letter that is proven asks for.

Players do not write these commands, so they have no form.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.commands.command import Command
from pbem.ids import BoardNumber, ConfirmationId, PlayerId, TournamentId


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


@dataclass(frozen=True, slots=True)
class SuppressAddress(Command):
    """Mail nothing to an address any more, whoever plays from there."""

    address: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LiftSuppression(Command):
    """Mail to an address again, whoever plays from there."""

    address: str


@dataclass(frozen=True, slots=True)
class TakeBackMail(Command):
    """Note what a delivery report says of a mail of ours that came back, and hold it against the address."""

    permanent: bool
    status: str = ""
    """RFC 3463: ``5.1.1``; empty if the report has none."""
    diagnosis: str = ""
    """What the failing system said."""
    player: PlayerId | None = None
    """Whose mail it was, as its bounce address says; None where only the returned mail tells."""
    mark: int = 0
    """Which of his addresses it went to, as the bounce address says, too; see `pbem.domain.replies.address_mark`."""
    message_ids: tuple[str, ...] = ()
    """Of the mails in the report; one of them is ours."""
    is_delayed: bool = False
    """Whether it has not come back yet: delivery is still tried."""
    reporter: str = ""
    """The address that the report says it is from."""


@dataclass(frozen=True, slots=True)
class GiveMailUp(Command):
    """Note a mail that the relay has not taken, and hold it against the address."""

    mail: int
    """Its number in the outbox."""
    reason: str
    """What the relay said."""
    of_recipient: bool
    """Whether it has refused the mail because of whom it is for; else it was out of reach for days."""


@dataclass(frozen=True, slots=True)
class UnsubscribeByLink(Command):
    """Mail a player less of a board, or nothing: the link from a mail of his was used."""

    board: BoardNumber
    player: PlayerId


@dataclass(frozen=True, slots=True)
class ConfirmAddress(Command):
    """Confirm the address that has answered a question of ours; the first one opens the account."""

    confirmation: ConfirmationId
    keeps_password: bool = True
    """Whether the password stays that was chosen when the question was asked."""


@dataclass(frozen=True, slots=True)
class ChangeAccount(Command):
    """Do to an account what its player has agreed to: other addresses, another password, his leaving."""

    confirmation: ConfirmationId


@dataclass(frozen=True, slots=True)
class ResetPassword(Command):
    """Give a player the password that he has answered our question with: he had forgotten his."""

    confirmation: ConfirmationId
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class HearFromPlayer(Command):
    """Mail to a player again at an address of his, since a letter that is proven has come from there."""

    player: PlayerId
    address: str
