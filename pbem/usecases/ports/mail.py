"""Mails, questions, and who is told what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from pbem.domain.boards import Board
from pbem.domain.bounces import Bounce
from pbem.domain.broadcasts import Broadcast
from pbem.domain.confirmations import Confirmation, ConfirmationKind
from pbem.domain.correspondents import Correspondent
from pbem.domain.digests import DigestEntry
from pbem.domain.mails import StoredMail
from pbem.domain.reports import Report
from pbem.domain.watches import Watch
from pbem.ids import BoardNumber, ConfirmationId, PlayerId


class Confirmations(Protocol):
    """Questions asked and not forgotten."""

    def next_id(self) -> ConfirmationId:
        """An id for a new question."""

    def new_nonce(self) -> int:
        """32 random bits for a new question."""

    def find(self, confirmation: ConfirmationId) -> Confirmation | None:
        """The question with this id."""

    def save(self, confirmation: Confirmation) -> None:
        """Add the question, or mark it answered; answered twice, the commit is a `Conflict`."""

    def count_since(self, player: PlayerId, kind: ConfirmationKind, moment: datetime) -> int:
        """How many questions of a kind were asked of a player since."""

    def has_open(self, player: PlayerId, kind: ConfirmationKind, since: datetime) -> bool:
        """Whether a question of a kind that was asked of a player since is still to be answered."""

    def withdraw(self, player: PlayerId, kinds: Collection[ConfirmationKind], now: datetime) -> None:
        """Let nobody answer the stored questions of these kinds any more that were asked of a player."""


class Correspondents(Protocol):
    """What addresses have been answered lately."""

    def of(self, address: str, now: datetime) -> Correspondent:
        """The counts of an address as they stand now."""

    def save(self, correspondent: Correspondent, *, counts_strictly: bool = False) -> None:
        """Keep the counts of an address; strictly: decided anew if somebody else has counted meanwhile."""


class Bounces(Protocol):
    """Mails that came back, by player and address."""

    def of(self, player: PlayerId, address_key: str, since: datetime) -> Sequence[Bounce]:
        """The mails to an address of a player that have come back since a moment, oldest first."""

    def add(self, bounce: Bounce) -> None:
        """Note that a mail has come back."""

    def forget(self, player: PlayerId, address_key: str) -> None:
        """Hold nothing against an address any more: mail arrives there again."""


class Mails(Protocol):
    """Mails of ours, whatever has become of them."""

    def find(self, mail: int) -> StoredMail | None:
        """The mail with this number."""

    def by_message_id(self, message_id: str) -> StoredMail | None:
        """The mail with this Message-ID, which only its reader has seen."""

    def latest_to(self, player: PlayerId, key: str) -> StoredMail | None:
        """The last mail to an address of a player that was handed over, as far as is known."""

    def about_board(self, board: BoardNumber, most: int) -> Sequence[StoredMail]:
        """The last mails about a board, oldest first, ``most`` and one more at the most."""

    def last_kept(self, player: PlayerId, board: BoardNumber, names: Collection[str]) -> Sequence[StoredMail]:
        """For each address of a player the last mail about a board that says one of these notices, with its bytes."""

    def has_been_told(self, player: PlayerId, name: str, since: datetime) -> bool:
        """Whether a mail to a player that says some notice was written since a moment."""

    def came_back(self, mail: StoredMail, why: str, now: datetime) -> None:
        """Note that a mail has come back."""

    def is_delayed(self, mail: StoredMail, why: str) -> None:
        """Note that a mail has not arrived yet, and that delivery is still tried."""


class Reports(Protocol):
    """What players have told the operator of each other."""

    def next_id(self) -> int:
        """An id for a new report; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def find(self, report: int) -> Report | None:
        """The report with this id."""

    def count_since(self, player: PlayerId, moment: datetime) -> int:
        """How many a player has made since."""

    def newest(self, *, closed: bool, most: int) -> Sequence[Report]:
        """The open reports, or all of them, newest first."""

    def save(self, report: Report) -> None:
        """Add the report, or note that it is closed; closed twice, the commit is a `Conflict`."""


class Watches(Protocol):
    """Who watches which boards without playing there."""

    def of(self, player: PlayerId) -> Sequence[Watch]:
        """What a player watches, in the order in which he has asked for it."""

    def of_board(self, board: Board) -> Sequence[Watch]:
        """What anybody says who is still here that is about a board."""

    def over(self, player: PlayerId) -> Sequence[Watch]:
        """What a player watches of boards that are over."""

    def add(self, watch: Watch) -> None:
        """Watch this, too."""

    def drop(self, watch: Watch) -> None:
        """Watch this no more."""


class Digests(Protocol):
    """What is kept for daily mails."""

    def add(self, entry: DigestEntry) -> None:
        """Keep something for the next daily mail of its player."""

    def of(self, player: PlayerId) -> Sequence[DigestEntry]:
        """What is stored for a player, in the order in which it happened."""

    def told(self, entries: Sequence[DigestEntry]) -> None:
        """Keep these no longer; told by somebody else meanwhile, the commit is a `Conflict`."""

    def put_off(self, player: PlayerId, until: datetime) -> None:
        """Have everything that is kept for a player told at this moment, be it sooner or later than it was."""


class Broadcasts(Protocol):
    """What players tell everybody."""

    def next_id(self) -> int:
        """An id for a new one; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def count_since(self, player: PlayerId, moment: datetime) -> int:
        """How many a player has sent since."""

    def find_unsent(self, number: int) -> Broadcast | None:
        """The one with this id, unless everybody has been told."""

    def unsent(self, besides: Collection[int] = ()) -> Broadcast | None:
        """The oldest that not everybody has been told, but for some."""

    def listeners(self, after: PlayerId, most: int) -> Sequence[PlayerId]:
        """The next players who read mail, in the order of their ids."""

    def save(self, broadcast: Broadcast) -> None:
        """Add one, or note how far it has come; brought further by somebody else, the commit is a `Conflict`."""
