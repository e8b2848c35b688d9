"""Commands that come from a page, an operator, a clock, a returned mail, an answered question or a proven letter.

Players do not write these commands, so they have no form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.commands.command import BoardCommand, Command
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
    """Do what the clock of a board calls for by now, if anything: remind, forfeit, treat no reply as an answer."""

    board: BoardNumber


@dataclass(frozen=True, slots=True)
class LetSeeksMeet(Command):
    """Start the boards that the current seeks for a game lead to; nobody has to ask for it again."""

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
    """Root of the commands with which an operator changes one account."""

    userid: str
    reason: str = ""
    """In the operator's words; the player is told them."""


@dataclass(frozen=True, slots=True)
class FreezePlayer(AccountDeed):
    """Let a player look on and do nothing else; their clocks are stopped."""


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
    """Take a player off the server as if they had signed off."""


@dataclass(frozen=True, slots=True)
class StopMail(AccountDeed):
    """Stop all mail to a player; their clocks are stopped."""


@dataclass(frozen=True, slots=True)
class AllowMail(AccountDeed):
    """Resume mail to a player."""


@dataclass(frozen=True, slots=True)
class SetAddresses(AccountDeed):
    """Replace a player's addresses; the new ones count as confirmed."""

    addresses: tuple[str, ...] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class SuppressAddress(Command):
    """Stop all mail to an address, whoever plays from there."""

    address: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LiftSuppression(Command):
    """Resume mail to an address, whoever plays from there."""

    address: str


@dataclass(frozen=True, slots=True)
class TakeBackMail(Command):
    """Record the delivery report for a mail of ours that came back, and hold it against the address."""

    permanent: bool
    status: str = ""
    """RFC 3463: ``5.1.1``; empty if the report has none."""
    diagnosis: str = ""
    """The words of the failing system."""
    player: PlayerId | None = None
    """The recipient of the mail, as its bounce address says; None: only the returned mail tells."""
    mark: int = 0
    """The mark of the player's address in the bounce address; see `pbem.domain.replies.address_mark`."""
    message_ids: tuple[str, ...] = ()
    """Of the mails in the report; one of them is ours."""
    is_delayed: bool = False
    """True if it has not come back yet: delivery is still tried."""
    reporter: str = ""
    """The address that the report says it is from."""


@dataclass(frozen=True, slots=True)
class GiveMailUp(Command):
    """Record a mail that the relay has not taken, and hold it against the address."""

    mail: int
    """Its number in the outbox."""
    reason: str
    """The words of the relay."""
    of_recipient: bool
    """True if the relay refused the mail because of its recipient; else it was out of reach for days."""


@dataclass(frozen=True, slots=True)
class UnsubscribeByLink(Command):
    """Mail a player less of a board, or nothing: the link from one of their mails was used."""

    board: BoardNumber
    player: PlayerId
    is_click: bool = False
    """The link was used on the web, where no address shows who uses it."""


@dataclass(frozen=True, slots=True)
class StopMailsByLink(Command):
    """Turn a preference of a player off, which ends mails of a kind: the link from one of them was used."""

    preference: str
    player: PlayerId
    is_click: bool = False
    """The link was used on the web, where no address shows who uses it."""


@dataclass(frozen=True, slots=True)
class ConfirmAddress(Command):
    """Confirm the address that has answered a question of ours; the first one opens the account."""

    confirmation: ConfirmationId
    keeps_password: bool = True
    """True if the password that was chosen when the question was asked remains valid."""


@dataclass(frozen=True, slots=True)
class ChangeAccount(Command):
    """Change an account as its player has agreed to: other addresses, another password, or its closing."""

    confirmation: ConfirmationId


@dataclass(frozen=True, slots=True)
class ResetPassword(Command):
    """Give a player who forgot their password the one with which they answered our question."""

    confirmation: ConfirmationId
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class HearFromPlayer(Command):
    """Resume mail to a player at one of their addresses, since a proven letter has come from there."""

    player: PlayerId
    address: str


@dataclass(frozen=True, slots=True)
class ExpectPlan(BoardCommand):
    """A page is about to replace the speaker's plan, or a queued move, by another, or to add to it."""

    for_guests: ClassVar[bool] = True
    seen: str
    """The stamp of the plan that the page has shown; empty: there was none."""
    adds: bool = False
    """The page is about to add to it."""


@dataclass(frozen=True, slots=True)
class SaveNote(BoardCommand):
    """A page saves the speaker's note as a whole; an empty one is deleted."""

    text: str = field(repr=False)
    seen: int
    """The revision of the note that the page has shown; 0: there was none."""


@dataclass(frozen=True, slots=True)
class SaveStudy(BoardCommand):
    """A page saves the speaker's study as a whole, or adds lines that were tried on the board."""

    title: str = field(repr=False)
    text: str = field(repr=False)
    seen: int | None = None
    """The revision of the study that the page has shown, 0 if there was none; None: the text is added to any."""
