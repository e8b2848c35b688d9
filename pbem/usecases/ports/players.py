"""Players and what is known of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple, Protocol

from pbem.domain.list_parts import ListPart
from pbem.domain.players import Player
from pbem.domain.rankings import FinishedBoard, Ranked, Reliability, Seen, Standings
from pbem.domain.ratings import Rating, RatingChange
from pbem.ids import BoardNumber, PlayerId


class Players(Protocol):
    """Everybody who has signed up."""

    def next_id(self) -> PlayerId:
        """An id for a new player; taken by somebody else meanwhile, the commit is a `Conflict`."""

    def get(self, player: PlayerId) -> Player:
        """The player with this id; there is one."""

    def get_all(self, players: Iterable[PlayerId]) -> list[Player]:
        """The players with these ids, in this order, asked for at once; there are such."""

    def listed(self, players: Iterable[PlayerId]) -> list[Player]:
        """The same for a list or for mails to many: who cannot be read is logged and left out."""

    def userid_of(self, player: PlayerId) -> str:
        """The userid of the player with this id, even if nothing else that is stored of them can be read."""

    def by_userid(self, userid: str) -> Player | None:
        """The player with this userid, however it is spelled."""

    def alike(self, userid: str) -> Sequence[Player]:
        """The players whose userids are easily taken for this one, their own included."""

    def by_confirmed_address(self, address: str) -> Sequence[Player]:
        """The players who have confirmed this address."""

    def save(self, player: Player) -> None:
        """Add the player, or replace what is known of him."""

    def seen(self, player: Player, day: date) -> None:
        """Note that a player was heard of on a day; that is no change of him, and conflicts with none."""

    def moves_at(self, player: PlayerId, pace: timedelta | None) -> None:
        """Note the median time per move of a player; that is no change of him, and conflicts with none."""

    def hold(self, player: Player) -> None:
        """Decide upon a player as he has been read, without a change to him.

        If somebody else has changed him meanwhile the commit is a `Conflict`; and so is that of whoever has read him
        before this one, and changes him after it.
        """


class SolvedPuzzles(Protocol):
    """Which puzzles players have solved."""

    def solved_by(self, player: PlayerId) -> frozenset[int]:
        """The numbers of the puzzles that a player has solved."""

    def solved(self, player: PlayerId, puzzle: int, at: datetime) -> None:
        """Keep that a player has solved a puzzle, unless he had before."""


class Blocks(Protocol):
    """Who wants nothing from whom."""

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked."""

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that have blocked this one."""

    def apart_from(self, player: PlayerId) -> frozenset[PlayerId]:
        """The players that this one has blocked, or that have blocked him."""

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


class Ratings(Protocol):
    """Ratings by player and game, and what boards have changed of them."""

    def of(self, player: PlayerId, game: str) -> Rating:
        """The rating of a player in a game; that of who is new to it, if he is."""

    def established(self, game: str, since: datetime) -> tuple[int, int]:
        """The established ratings of those who have had a board of a game since a moment: their sum and number."""

    def save(self, player: PlayerId, game: str, rating: Rating) -> None:
        """Keep a rating; if somebody else has changed it since it was read, the commit is a `Conflict`."""

    def changes(self, board: BoardNumber) -> Sequence[RatingChange]:
        """What a board has changed, taken back since or not."""

    def note(self, board: BoardNumber, game: str, changes: Sequence[RatingChange]) -> None:
        """Keep what a board has changed, instead of what was noted of it before."""


class Rankings(Protocol):
    """What everybody may know of players, as it is stored."""

    def standings(self, game: str, active_since: datetime, most: int, part: ListPart = ...) -> Standings:
        """How the players of a game stand, at most so many of each kind in a part."""

    def of_player(self, player: PlayerId, games: Iterable[str]) -> Sequence[Ranked]:
        """A player in these games, as far as he has to do with them."""

    def history(
        self, player: PlayerId | None, game: str | None, most: int, part: ListPart = ...
    ) -> Sequence[FinishedBoard]:
        """The finished boards of a player (None: of everybody), newest first, ``most`` and one more at the most."""

    def rating_changes(self, player: PlayerId, game: str, most: int) -> Sequence[RatingChange]:
        """The last changes of a player's rating in a game that still hold, the oldest of them first."""

    def reliability(self, player: PlayerId) -> Reliability:
        """How a player's games have ended; a forfeit that the operator has decided on is not held against him."""

    def newest_boards(self, player: PlayerId, most: int) -> Sequence[BoardNumber]:
        """The last boards of a player, the newest first."""

    def seen(self, since: date, most: int, part: ListPart = ...) -> Sequence[Seen]:
        """The players who were here since a day, the last one first, ``most`` and one more at the most."""


class Traces(Protocol):
    """What letters, mails and questions tell about a player."""

    def of(self, player: Player) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Lists of facts by what they are about, oldest first; passwords and tokens are not among them."""

    def forget(self, player: Player) -> None:
        """Forget a player who leaves, and whose addresses are still those that he has had.

        What has not been sent yet goes out first.
        """


@dataclass(frozen=True, slots=True)
class WrongAttempt:
    """That a password was wrong: when, and by fingerprints for which userid and from which source."""

    at: datetime
    userid: str
    """Of one that came from a familiar source: the userid and the source together."""
    source: str


class TriedLately(NamedTuple):
    """What is known of passwords like the one at hand."""

    wrong: Sequence[WrongAttempt]
    """Those that were wrong, oldest first."""
    right_at: datetime | None
    """When a right one last came from the same source, to a few days; None: never."""


class MostWrong(NamedTuple):
    """How many wrong passwords there may be before one that is looked at."""

    of_userid: int | None
    of_source: int | None
    """None: they do not count."""


class WrongPasswords(Protocol):
    """Wrong passwords of late."""

    def lately(
        self, userids: Collection[str], sources: Collection[str], player: PlayerId | None, since: datetime
    ) -> TriedLately:
        """Those since a moment, and when a right password of the player last came from one of the sources."""

    def add(self, attempt: WrongAttempt) -> None:
        """Note one; it counts even if all else that the letter wanted is refused."""

    def reserve(self, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
        """Note one before it is known whether it is wrong; decided anew if others have taken the last place."""

    def take_back(self, attempt: WrongAttempt) -> None:
        """Forget one that was right after all."""

    def make_familiar(self, player: PlayerId, source: str, now: datetime) -> None:
        """Note that a right password of a player came from a source."""


class Passwords(Protocol):
    """Hashes passwords so that finding one from its hash is dear."""

    def hash(self, password: str) -> str:
        """A salted hash of the password."""

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether the password is the one; costs the same time when there is no hash."""
