"""The facts of operators' work: audit entries, reports, bulletins, broadcasts, queues."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from pbem.domain.boards import Board
from pbem.domain.players import is_robot
from pbem.errors import NotAllowed, PlayerError, Unreadable
from pbem.games.game import Game
from pbem.ids import BoardNumber, PlayerId


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One thing an operator has done."""

    at: datetime
    operator: str
    """The account on the machine."""
    deed: str
    """``player freeze``, ``board annul``."""
    subject: str
    """The player or thing that it was done to."""
    reason: str = ""


class Level(StrEnum):
    """The result of a check, in one word."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not as it should."""
    WRONG = "wrong"


class Finding(NamedTuple):
    """The result of one check of the server or of what is around it."""

    what: str
    level: Level
    said: str = ""
    """The fault and what helps, or what was seen; nothing if the level says it all."""


_CLOCK_OFF, _CLOCK_WRONG = timedelta(seconds=30), timedelta(minutes=5)
"""From so much on signatures and tokens of others may seem to be of the future, and from so much on they do."""


def clock_finding(off: timedelta, other: str) -> Finding:
    """The finding about the clock of this machine.

    Args:
        off: its time less that of another one.
        other: the machine that has the other one.
    """
    if abs(off) < _CLOCK_OFF:
        return Finding("clock", Level.OK, f"the same as that of {other}")
    amount, unit = round(abs(off) / timedelta(minutes=1)), "minutes"
    if amount < 2:
        amount, unit = round(abs(off) / timedelta(seconds=1)), "seconds"
    said = f"{amount} {unit} {'ahead of' if off > timedelta() else 'behind'} that of {other}"
    level = Level.WRONG if abs(off) >= _CLOCK_WRONG else Level.WARNING
    return Finding("clock", level, f"{said}: set it, for example with `timedatectl set-ntp true`")


@dataclass(frozen=True, slots=True)
class Report:
    """A report by a player about another, for the operator."""

    id: int
    at: datetime
    player: PlayerId
    """The player who reports."""
    about: PlayerId
    board: BoardNumber | None
    text: str
    """Without words that may be a password."""
    closed_at: datetime | None = None
    note: str | None = None
    """The operator's note about it."""


LONGEST = 2000
"""Characters of a bulletin: it stands in every mail."""


class BadText(Unreadable):
    """The text is empty or too long, or holds characters that no mail should; ``reason`` names which.

    ``what`` is the text: the Subject, a reason.
    """

    reason: str
    longest: int
    what: str = "text"


@dataclass(frozen=True, slots=True)
class Bulletin:
    """A maintenance notice, for example."""

    id: int
    text: str
    posted_at: datetime
    ends_at: datetime | None = None
    """None: until it is taken down."""


def checked_text(text: str, longest: int = LONGEST, what: str = "text") -> str:
    """A text of the operator's as it goes into mails: line ends as ours are, nothing at its ends.

    Raises:
        BadText: it cannot be mailed.
    """
    said = text.replace("\r\n", "\n").strip()
    if not said:
        raise BadText("empty", longest, what)
    if len(said) > longest:
        raise BadText("long", longest, what)
    if not all(each == "\n" or each.isprintable() for each in said):
        raise BadText("control", longest, what)
    return said


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Words for everybody, on their way; they are mailed in batches."""

    id: int
    player: PlayerId
    """The player who wrote them."""
    at: datetime
    text: str
    sent_to: PlayerId = PlayerId(0)
    """The last player who was told; players are told in the order of their sign-ups."""
    done_at: datetime | None = None


class TooFewStay(NotAllowed):
    """The game is not for so few."""

    game: str
    players: int
    least: int


class OnlyRobotsStay(NotAllowed):
    """Nobody but computer opponents would play on."""


def obstacle(board: Board, game: Game[Any, Any], player: PlayerId) -> PlayerError | None:
    """The reason why the others cannot start again without a player, under the same options; None if they can."""
    staying = board.staying_without(player)
    stay = len(staying)
    if staying and all(is_robot(board.seats[seat].userid) for seat in staying):
        return OnlyRobotsStay()
    if stay not in game.players:
        return TooFewStay(game.title, stay, game.players.start)
    try:
        game.begin(board.options, stay)
    except PlayerError as wrong:
        return wrong
    return None


@dataclass(frozen=True, slots=True)
class Depths:
    """Counts of what lies in the database; each moment is of the oldest of them, None where there is none."""

    letters_waiting: int = 0
    """Not handled yet."""
    letters_since: datetime | None = None
    letters_shunted: int = 0
    """Set aside, since they could not be handled."""
    shunted_since: datetime | None = None
    mails_waiting: int = 0
    """Not handed over yet."""
    mails_since: datetime | None = None
    mails_resting: int = 0
    """Those of them that the relay did not take, to be tried again later."""
    mails_postponed: int = 0
    """Those of them to strangers that wait for their turn, since too many write."""
    mails_failed: int = 0
    """Given up lately."""
    failed_since: datetime | None = None
    addresses_suppressed: int = 0
    """Nothing is mailed to them."""
    suppressed_lately: int = 0
    """Those of them that came lately."""
    reports_open: int = 0
    """Reports by players about others that nobody has handled."""
    reports_since: datetime | None = None
    robots_waiting: int = 0
    """Turns that computer opponents have to think about."""
    robots_since: datetime | None = None
    analyses_waiting: int = 0
    robots_stuck: int = 0
    """Tasks set aside, since they ended their thinker again and again."""
