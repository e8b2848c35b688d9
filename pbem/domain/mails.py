"""Notices, the mails made of them, and entries of daily mails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from itertools import groupby
from zoneinfo import ZoneInfo

from pbem.domain.players import Player
from pbem.domain.preferences import ENGLISH
from pbem.domain.replies import BoardReply, ConfirmReply, TopicReply
from pbem.games.game import Seat
from pbem.ids import BoardNumber, PlayerId


@dataclass(frozen=True, slots=True)
class BoardThread:
    """The thread of mails that a notice belongs to."""

    game: str
    board: BoardNumber
    event: int
    opens: bool = False
    """This is the first mail of the thread."""


_SOURCE = re.compile(r"[0-9a-f]{24}\.([1-9][0-9]*)\.([0-9]+)\.([0-9]*)")


@dataclass(frozen=True, slots=True)
class PictureSource:
    """The stored position that a picture in a mail shows: it need not be kept, as it can be drawn again."""

    board: BoardNumber
    event: int
    """The number of the last event before it; 0 for the start."""
    seat: Seat | None
    """The seat from whose side it is drawn; None: nobody's."""

    def named(self, digest: str) -> str:
        """The name of the picture in its mail: the beginning of its bytes' SHA-256, and the source."""
        return f"{digest}.{self.board}.{self.event}.{'' if self.seat is None else self.seat}"

    @classmethod
    def read(cls, name: str) -> PictureSource | None:
        """The source in the name of a picture; None if there is none."""
        found = _SOURCE.fullmatch(name)
        if found is None:
            return None
        board, event, seat = found.groups()
        return cls(BoardNumber(int(board)), int(event), int(seat) if seat else None)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a mail carries."""

    name: str
    """The name for saving it; plain ASCII."""
    content_type: str
    """``application/json``"""
    content: bytes = field(repr=False)


ALONE = "_alone"
"""Ends what mails are filed under of which nobody else is to learn."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell someone, unrendered."""

    name: str
    """The template that words it: ``board`` → ``board.txt``."""
    to: Player | str
    """A player (all addresses that mail reaches) or one address."""
    facts: Mapping[str, object] = field(default_factory=dict)
    thread: BoardThread | None = None
    reply: BoardReply | ConfirmReply | TopicReply | None = None
    """The proof that answering the mail gives; it is signed into the Reply-To."""
    answers: bool = False
    """It goes to the sender of the letter at hand, and may be gathered with other answers."""
    from_nobody: bool = False
    """Refusals and questions leave with the null sender, so that no machine answers them."""
    attachments: Sequence[Attachment] = ()
    """Files to go with it; such an answer stays a mail of its own."""
    at: str | None = None
    """The one address of the player that it goes to, instead of all that mail reaches."""
    copy_of: bytes | None = field(default=None, repr=False)
    """A mail to the player's address ``at`` that is sent once more instead of words of its own."""
    unsubscribes: bool = False
    """It has a link that unsubscribes its reader, who does not play there, from mails of its board."""
    stopped_by: str | None = None
    """The preference that ends mails of its kind when it is off; the mail has a link that does so."""
    alone: bool = False
    """Nobody else at the board may learn that its reader got it: it would reveal their plans."""
    is_brief: bool = False
    """An unproven letter has caused it, and its address has not been confirmed."""
    leaves_at: datetime | None = None
    """When its mail may leave; None: at once."""
    awaits_robot: bool = False
    """Until it leaves, a computer opponent may move, and a mail that says more takes its place."""
    supersedes: bool = False
    """It takes the place of a mail about the same board to the same player that awaits it."""
    language: str = ENGLISH
    """The language of a reader who is no player."""
    is_decoy: bool = False
    """It is worded like any other but mailed to nobody, so that keeping a secret takes as long as not."""

    @property
    def filed_as(self) -> str:
        """The name under which its mail is kept."""
        return f"{self.name}{ALONE}" if self.alone else self.name


class MailState(StrEnum):
    """The states of a mail."""

    WAITING = "waiting"
    SENT = "sent"
    """Handed over to the relay."""
    FAILED = "failed"
    """Never taken by the relay."""
    BOUNCED = "bounced"
    """It came back."""
    WITHHELD = "withheld"
    """It was never to be sent: no mail reaches the player."""
    DROPPED = "dropped"
    """By the operator."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail that was written, to one address."""

    id: int
    message_id: str
    recipient: str
    created_at: datetime
    state: MailState = MailState.WAITING
    name: str | None = None
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: str | None = None
    player: PlayerId | None = None
    board: BoardNumber | None = None
    attempts: int = 0
    error: str | None = None
    """Why it came back, or was not taken the last time."""
    is_delayed: bool = False
    """It was handed over, and some mail system has since reported that it is still trying."""
    came_back_for_good: bool = False
    """It came back, and not only for now."""
    raw: bytes | None = field(default=None, repr=False)
    """Its bytes; None where they were not asked for, or are not kept any more."""
    packed: bytes | None = field(default=None, repr=False)
    """The same of one that was sent, in fewer bytes, likewise; see `pbem.storage.packed_mails`."""


AT = time(7)
"""On the player's clock."""


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """Something that has happened at a board."""

    player: PlayerId
    """The player who is to be told."""
    board: BoardNumber
    at: datetime
    due_at: datetime
    """When the mail goes out."""
    writer: str = ""
    """The writer of its comment, if there is one."""
    comment: str = ""
    id: int = 0
    """The database's number for it; 0 before it is stored."""


@dataclass(frozen=True, slots=True)
class Happened:
    """The events of one board."""

    board: BoardNumber
    since: datetime
    """When the first of it has."""
    comments: tuple[DigestEntry, ...]


def next_digest(now: datetime, zone: ZoneInfo) -> datetime:
    """When the mail goes out that tells of what happens now."""
    local = now.astimezone(zone)
    days = 0 if local.time() < AT else 1
    return datetime.combine(local.date() + timedelta(days=days), AT, zone).astimezone(UTC)


def by_board(entries: Iterable[DigestEntry]) -> tuple[Happened, ...]:
    """The same board by board, the lowest number first, and at each in the order in which it happened."""
    ordered = sorted(entries, key=lambda each: (each.board, each.at, each.id))
    boards = ((board, list(some)) for board, some in groupby(ordered, key=lambda each: each.board))
    return tuple(Happened(board, some[0].at, tuple(each for each in some if each.comment)) for board, some in boards)
