"""One frozen dataclass for each thing that can be asked of the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    from pbem.ids import BoardNumber, ConfirmationId

Which: TypeAlias = Literal["all", "active", "inactive", "next"]
"""Which boards of a player are meant: ``next`` are those that wait for him."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Userid and password as they stand in a classic command."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BoardMoment:
    """``101`` or ``101#7``: a board now, or after its 7th move."""

    board: BoardNumber
    moveno: int | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """Root of all commands; ``form`` names the template with the right form of it."""

    form: ClassVar[str]


@dataclass(frozen=True, slots=True)
class SignUp(Command):
    """``signup fsmith secret [fsmith@example.org …]``; without a password the player always proves by mail."""

    form: ClassVar[str] = "signup"
    userid: str
    password: str | None = field(default=None, repr=False)
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Help(Command):
    """``help``, ``help superbo``, ``help move``."""

    form: ClassVar[str] = "help"
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListGames(Command):
    """``list``: the games that the server plays; ``list superbo``: these of them."""

    form: ClassVar[str] = "list"
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """``superbo challenge bob``: starts a board. ``options`` are the option words without their dashes."""

    form: ClassVar[str] = "challenge"
    game: str
    userids: tuple[str, ...]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpokenCommand(Command):
    """Root of the commands in which userid and password may stand."""

    speaker: Credentials | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class ShowPreferences(SpokenCommand):
    """``set``: what I have chosen about my mails."""

    form: ClassVar[str] = "set"


@dataclass(frozen=True, slots=True)
class SetPreferences(SpokenCommand):
    """``set fsmith secret mail=text``; ``settings`` are keys and values as typed."""

    form: ClassVar[str] = "set"
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AddAddresses(SpokenCommand):
    """``add fsmith secret fsmith@example.net``: more addresses."""

    form: ClassVar[str] = "add"
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeAddresses(SpokenCommand):
    """``change address fsmith secret fsmith@example.net``; without an address the sender's is meant."""

    form: ClassVar[str] = "change"
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangePassword(SpokenCommand):
    """``change password fsmith secret better``, or ``change password better``."""

    form: ClassVar[str] = "change"
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Forgot(Command):
    """``forgot fsmith``: whoever reads the mail of that player may set a new password."""

    form: ClassVar[str] = "forgot"
    userid: str


@dataclass(frozen=True, slots=True)
class ShowData(SpokenCommand):
    """``data``: everything that the server holds about the player."""

    form: ClassVar[str] = "data"


@dataclass(frozen=True, slots=True)
class SignOff(SpokenCommand):
    """``signoff``: the player leaves the server."""

    form: ClassVar[str] = "signoff"


@dataclass(frozen=True, slots=True)
class BoardCommand(SpokenCommand):
    """Root of the commands that are about one board, and for its players alone."""

    board: BoardNumber
    game: str | None = field(default=None, kw_only=True)
    """The game that the sender takes the board to be of, if he says so."""


@dataclass(frozen=True, slots=True)
class MakeMove(BoardCommand):
    """``superbo move 101 fsmith secret a1,j12#17``; game, userid and password may be left out."""

    form: ClassVar[str] = "move"
    move_text: str
    """What the game reads; the grammar knows no game."""
    moveno: int | None = None
    """The move that this is meant to be: a late letter must not play into a newer position."""


@dataclass(frozen=True, slots=True)
class Resign(BoardCommand):
    """``superbo resign 101 fsmith secret``: gives up, announces it, takes that back, or declines."""

    form: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True)
class Unsubscribe(BoardCommand):
    """``unsubscribe 101``: a player wants mail of the board only when it is for him to act, and at the end."""

    form: ClassVar[str] = "unsubscribe"


@dataclass(frozen=True, slots=True)
class Subscribe(BoardCommand):
    """``subscribe 101``: a player wants all mail of the board again."""

    form: ClassVar[str] = "subscribe"


@dataclass(frozen=True, slots=True)
class Mailed(BoardCommand):
    """``mailed 101``: what was mailed about the board to whom, when, and what became of it."""

    form: ClassVar[str] = "mailed"


@dataclass(frozen=True, slots=True)
class Resend(BoardCommand):
    """``resend 101``: my last mail of that board again."""

    form: ClassVar[str] = "resend"


@dataclass(frozen=True, slots=True)
class ReportPlayer(SpokenCommand):
    """``report fsmith secret bob 101``: the text below it is for the operator."""

    form: ClassVar[str] = "report"
    about: str
    board: BoardNumber | None = None


@dataclass(frozen=True, slots=True)
class ShowBoards(Command):
    """``superbo show 101 102#7``."""

    form: ClassVar[str] = "show"
    moments: tuple[BoardMoment, ...]
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowPlayersBoards(Command):
    """``superbo show fsmith jdoe next``: the boards of these players, drawn."""

    form: ClassVar[str] = "show"
    userids: tuple[str, ...]
    which: Which = "active"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ExportBoard(Command):
    """``superbo export 101``: the game record as a file."""

    form: ClassVar[str] = "export"
    board: BoardNumber
    game: str | None = None


@dataclass(frozen=True, slots=True)
class TableOfBoards(Command):
    """``superbo games fsmith all``: a line a board; without a userid the boards of everybody."""

    form: ClassVar[str] = "games"
    userids: tuple[str, ...] = ()
    which: Which = "active"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """A reply to one of our questions: yes (or no) to what was asked there. It has no form of its own."""

    confirmation: ConfirmationId
    nonce: int
    agreed: bool | None = True
    """None: the words of the answer are neither yes nor no."""
