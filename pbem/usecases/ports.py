"""What the handlers need of the outside, as protocols; `pbem.storage` and `bootstrap` provide it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pbem.errors import PbemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from pbem.commands.model import Which
    from pbem.domain.boards import Board
    from pbem.domain.confirmations import Confirmation
    from pbem.domain.correspondents import Correspondent
    from pbem.domain.players import Player
    from pbem.ids import BoardNumber, ConfirmationId, PlayerId


class Conflict(PbemError):
    """Somebody else changed what a unit of work was decided upon; it must be decided anew."""


class Players(Protocol):
    """Everybody who has signed up."""

    def next_id(self) -> PlayerId:
        """An id for a new player; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def get(self, player: PlayerId) -> Player:
        """The player with this id; there is one."""

    def by_userid(self, userid: str) -> Player | None:
        """The player with this userid, however it is spelled."""

    def by_confirmed_address(self, address: str) -> Sequence[Player]:
        """The players who have confirmed this address."""

    def save(self, player: Player) -> None:
        """Add the player, or replace what is known of him."""


class Boards(Protocol):
    """Every board."""

    def next_number(self) -> BoardNumber:
        """A number for a new board; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def find(self, number: BoardNumber) -> Board | None:
        """The board with this number."""

    def of_players(
        self, players: Iterable[PlayerId] | None, which: Which, game: str | None, most: int
    ) -> Sequence[Board]:
        """The boards of these players (None: of everybody), lowest number first, ``most`` and one more at the most."""

    def each(self, game: str | None = None) -> Iterator[Board]:
        """Every stored board, or every one of a game, declined ones too, lowest number first; read as it is asked."""

    def count(self, game: str) -> tuple[int, int, int]:
        """How many active boards, finished boards and players a game has."""

    def save(self, board: Board) -> None:
        """Add the board, or append what is new of it."""


class Confirmations(Protocol):
    """Questions asked and not forgotten."""

    def next_id(self) -> ConfirmationId:
        """An id for a new question."""

    def find(self, confirmation: ConfirmationId) -> Confirmation | None:
        """The question with this id."""

    def save(self, confirmation: Confirmation) -> None:
        """Add the question, or mark it answered; answered twice, the commit is a `Conflict`."""


class Correspondents(Protocol):
    """What addresses have been answered lately."""

    def of(self, address: str, now: datetime) -> Correspondent:
        """The counts of an address as they stand now."""

    def save(self, correspondent: Correspondent) -> None:
        """Keep the counts of an address."""


class UnitOfWork(Protocol):
    """Reads now, keeps what is to be written, and writes it all in one short transaction or not at all."""

    @property
    def players(self) -> Players:
        """The players, changes of this unit of work included."""

    @property
    def boards(self) -> Boards:
        """The boards, changes of this unit of work included."""

    @property
    def confirmations(self) -> Confirmations:
        """The questions, changes of this unit of work included."""

    @property
    def correspondents(self) -> Correspondents:
        """What addresses have been answered lately, changes of this unit of work included."""

    @property
    def changes_boards(self) -> bool:
        """Whether a board has been saved."""

    def attempt(self) -> AbstractContextManager[None]:
        """A stretch whose changes are forgotten if an exception leaves it."""

    def rehearsal(self) -> AbstractContextManager[None]:
        """A stretch whose changes are forgotten at its end."""


class Passwords(Protocol):
    """Hashes passwords so that finding one from its hash is dear."""

    def hash(self, password: str) -> str:
        """A salted hash of the password."""

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether the password is the one; costs the same time when there is no hash."""
