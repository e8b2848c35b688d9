"""What the handlers need of the outside, as protocols; `pbem.storage` and `bootstrap` provide it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pbem.errors import PbemError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from pbem.commands.model import Which
    from pbem.domain.boards import Board
    from pbem.domain.bounces import Bounce
    from pbem.domain.broadcasts import Broadcast
    from pbem.domain.confirmations import Confirmation, ConfirmationKind
    from pbem.domain.correspondents import Correspondent
    from pbem.domain.digests import DigestEntry
    from pbem.domain.mails import StoredMail
    from pbem.domain.players import Player
    from pbem.domain.rankings import FinishedBoard, Ranked, Reliability, Seen, Standings
    from pbem.domain.ratings import Rating, RatingChange
    from pbem.domain.reports import Report
    from pbem.domain.seeks import Seek
    from pbem.domain.tournaments import Tournament
    from pbem.domain.watches import Watch
    from pbem.ids import BoardNumber, ConfirmationId, PlayerId, SeekId, TournamentId


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

    def seen(self, player: Player, day: date) -> None:
        """Note that a player was heard of on a day; that is no change of him, and conflicts with none."""

    def hold(self, player: Player) -> None:
        """Decide upon a player as he has been read, without a change to him.

        If somebody else has changed him meanwhile the commit is a `Conflict`; and so is that of whoever has read him
        before this one, and changes him after it.
        """


class Boards(Protocol):
    """Every board."""

    def next_number(self) -> BoardNumber:
        """A number for a new board; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def find(self, number: BoardNumber) -> Board | None:
        """The board with this number."""

    def of_players(
        self,
        players: Iterable[PlayerId] | None,
        which: Which,
        game: str | None,
        most: int,
        *,
        ended_since: datetime | None = None,
    ) -> Sequence[Board]:
        """The boards of these players (None: of everybody), lowest number first, ``most`` and one more at the most.

        If ``ended_since`` is a moment, those that ended before it are left out.
        """

    def of_tournament(self, tournament: TournamentId) -> Sequence[Board]:
        """The boards of a tournament, lowest number first, declined and annulled ones too."""

    def each(self, game: str | None = None) -> Iterator[Board]:
        """Every stored board, or every one of a game, declined ones too, lowest number first; read as it is asked."""

    def have_met(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether two players hold seats at one stored board, a declined one too."""

    def have_begun(self, one: PlayerId, other: PlayerId, game: str, since: datetime) -> bool:
        """Whether two players have begun a board of a game since a moment, a declined one too."""

    def active_of(self, player: PlayerId, game: str) -> int:
        """How many active boards of a game a player has."""

    def begun_since(self, player: PlayerId, moment: datetime) -> int:
        """How many boards with this player have begun since a moment."""

    def count(self, game: str) -> tuple[int, int, int]:
        """How many active boards, finished boards and players a game has."""

    def save(self, board: Board) -> None:
        """Add the board, or append what is new of it."""


class Clocks(Protocol):
    """When the clocks of boards are to be looked at."""

    def due(self, now: datetime, most: int, without: Collection[BoardNumber] = ()) -> Sequence[BoardNumber]:
        """The active boards whose clocks are to be looked at by now, those that wait longest first."""

    def postpone(self, board: Board, until: datetime | None) -> None:
        """Look at the clock of a board later (None: when something has happened), if it has not changed meanwhile."""


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


class Traces(Protocol):
    """What letters, mails and questions tell about a player."""

    def of(self, player: Player) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Lists of facts by what they are about, oldest first; passwords and tokens are not among them."""

    def forget(self, player: Player) -> None:
        """Forget a player who leaves, and whose addresses are still those that he has had.

        What has not been sent yet goes out first.
        """


@dataclass(frozen=True, slots=True)
class WrongPassword:
    """That a password was wrong: when, and by fingerprints for which userid and from which mail domain."""

    at: datetime
    userid: str
    domain: str


class WrongPasswords(Protocol):
    """Wrong passwords of late."""

    def like(self, attempt: WrongPassword, since: datetime) -> Sequence[WrongPassword]:
        """Those since a moment with the same userid or domain, oldest first."""

    def add(self, attempt: WrongPassword) -> None:
        """Note one; it counts even if all else that the letter wanted is refused."""


class Correspondents(Protocol):
    """What addresses have been answered lately."""

    def of(self, address: str, now: datetime) -> Correspondent:
        """The counts of an address as they stand now."""

    def save(self, correspondent: Correspondent) -> None:
        """Keep the counts of an address."""


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

    def count_open(self) -> int:
        """How many wait for the operator."""

    def save(self, report: Report) -> None:
        """Add the report, or note that it is closed; closed twice, the commit is a `Conflict`."""


class Ratings(Protocol):
    """Ratings by player and game, and what boards have changed of them."""

    def of(self, player: PlayerId, game: str) -> Rating:
        """The rating of a player in a game; that of who is new to it, if he is."""

    def established(self, game: str, since: datetime) -> Sequence[int]:
        """The established ratings of those who have had a board of a game since a moment."""

    def save(self, player: PlayerId, game: str, rating: Rating) -> None:
        """Keep a rating; if somebody else has changed it since it was read, the commit is a `Conflict`."""

    def changes(self, board: BoardNumber) -> Sequence[RatingChange]:
        """What a board has changed, taken back since or not."""

    def note(self, board: BoardNumber, game: str, changes: Sequence[RatingChange]) -> None:
        """Keep what a board has changed, instead of what was noted of it before."""


class Rankings(Protocol):
    """What everybody may know of players, as it is stored."""

    def standings(self, game: str, active_since: datetime, most: int) -> Standings:
        """How the players of a game stand, at most so many of each kind."""

    def of_player(self, player: PlayerId, games: Iterable[str]) -> Sequence[Ranked]:
        """A player in these games, as far as he has to do with them."""

    def history(self, player: PlayerId | None, game: str | None, most: int) -> Sequence[FinishedBoard]:
        """The finished boards of a player (None: of everybody), newest first, ``most`` and one more at the most."""

    def reliability(self, player: PlayerId) -> Reliability:
        """How a player's games have ended; a forfeit that the operator has decided on is not held against him."""

    def newest_boards(self, player: PlayerId, most: int) -> Sequence[BoardNumber]:
        """The last boards of a player, the newest first."""

    def seen(self, since: date, most: int) -> Sequence[Seen]:
        """The players who were here since a day, the last one first, ``most`` and one more at the most."""


class Tournaments(Protocol):
    """Tournaments with their entrants."""

    def next_id(self) -> TournamentId:
        """An id for a new tournament; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def get(self, tournament: TournamentId) -> Tournament:
        """The tournament with this id; there is one."""

    def find(self, game: str, name: str) -> Tournament | None:
        """The tournament of a game with this name, however it is spelled."""

    def of_game(self, game: str, most: int) -> Sequence[Tournament]:
        """The tournaments of a game: those that are not over, and as many others as ``most`` allows; newest first."""

    def open_by(self, player: PlayerId) -> int:
        """How many tournaments that a player has created wait for their start."""

    def of_player(self, player: PlayerId) -> Sequence[Tournament]:
        """The tournaments that a player takes part in and that are not over."""

    def due(self) -> Sequence[TournamentId]:
        """The stored tournaments that run and have no board that is on."""

    def save(self, tournament: Tournament) -> None:
        """Add the tournament, or replace what is known of it; the commit is a `Conflict` if somebody was quicker."""


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

    def listeners(self, after: PlayerId, most: int) -> Sequence[PlayerId]:
        """The next players who read mail, in the order of their ids."""

    def save(self, broadcast: Broadcast) -> None:
        """Add one, or note how far it has come; brought further by somebody else, the commit is a `Conflict`."""


class Blocks(Protocol):
    """Who wants nothing from whom."""

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked."""

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that have blocked this one."""

    def apart_from(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked, or that have blocked him."""

    def are_apart(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether either of two players has blocked the other."""

    def block(self, player: PlayerId, other: PlayerId) -> None:
        """Keep that a player wants nothing from another."""

    def unblock(self, player: PlayerId, other: PlayerId) -> None:
        """Keep that he may hear from him again."""


class Readiness(Protocol):
    """To how many boards of a game players may be challenged."""

    def most(self, player: PlayerId, game: str) -> int | None:
        """The most active boards that a player wants, 0 if he takes no challenges; None if any number will do."""

    def save(self, player: PlayerId, game: str, most: int | None) -> None:
        """Keep how many boards a player wants."""


class Seeks(Protocol):
    """Who looks for somebody to play with."""

    def next_id(self) -> SeekId:
        """An id for a new seek; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def games(self) -> Sequence[str]:
        """The games that several seeks are stored for."""

    def of_game(self, game: str) -> Sequence[Seek]:
        """The seeks for a game of those who are here, the oldest first."""

    def count(self, game: str) -> int:
        """How many boards of a game are looked for, as it is stored."""

    def save(self, seek: Seek) -> None:
        """Add the seek, or replace it; one that wants nobody any more is forgotten.

        If somebody else has changed it meanwhile the commit is a `Conflict`.
        """


class UnitOfWork(Protocol):
    """Reads now, keeps what is to be written, and writes it all in one short transaction or not at all."""

    @property
    def players(self) -> Players:
        """The players, changes of this unit of work included."""

    @property
    def boards(self) -> Boards:
        """The boards, changes of this unit of work included."""

    @property
    def clocks(self) -> Clocks:
        """When the clocks of boards are to be looked at."""

    @property
    def traces(self) -> Traces:
        """What else is known of players."""

    @property
    def wrong_passwords(self) -> WrongPasswords:
        """The wrong passwords of late, those of this unit of work included."""

    @property
    def confirmations(self) -> Confirmations:
        """The questions, changes of this unit of work included."""

    @property
    def correspondents(self) -> Correspondents:
        """What addresses have been answered lately, changes of this unit of work included."""

    @property
    def bounces(self) -> Bounces:
        """Mails that came back, changes of this unit of work included."""

    @property
    def mails(self) -> Mails:
        """Mails of ours as they are stored; what is about to be mailed is not among them."""

    @property
    def reports(self) -> Reports:
        """What players have told the operator, changes of this unit of work included."""

    @property
    def ratings(self) -> Ratings:
        """The ratings, changes of this unit of work included."""

    @property
    def rankings(self) -> Rankings:
        """The ratings and records of players as they are stored."""

    @property
    def tournaments(self) -> Tournaments:
        """The tournaments, changes of this unit of work included."""

    @property
    def watches(self) -> Watches:
        """Who watches which boards, changes of this unit of work included."""

    @property
    def digests(self) -> Digests:
        """What is kept for daily mails."""

    @property
    def broadcasts(self) -> Broadcasts:
        """What players tell everybody, changes of this unit of work included."""

    @property
    def blocks(self) -> Blocks:
        """Who wants nothing from whom, changes of this unit of work included."""

    @property
    def readiness(self) -> Readiness:
        """To how many boards players may be challenged, changes of this unit of work included."""

    @property
    def seeks(self) -> Seeks:
        """The seeks, changes of this unit of work included."""

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
