"""What everybody may know of players: how strong, how busy and how reliable they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pbem.domain.ratings import Rating, RatingChange
from pbem.games.game import Seat
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player in one game."""

    userid: str
    game: str
    rating: Rating
    boards: int
    """Active ones."""
    limit: int | None
    """The most of them that he wants, 0 if he takes no challenges; None if he has not said."""
    seeking: int
    """How many challenges he looks for."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The players of one kind in a game, best first."""

    rows: tuple[Ranked, ...]
    more: bool
    """Whether there are more of them than are wanted."""
    skipped: int = 0
    """How many stand above the first row."""


@dataclass(frozen=True, slots=True)
class Standings:
    """How the players of a game stand."""

    established: Ranks
    provisional: Ranks
    """Those who only seek challenges among them, last."""
    inactive: Ranks

    @property
    def is_empty(self) -> bool:
        """Whether nobody has a rating, or looks for one."""
        return not (self.established.rows or self.provisional.rows or self.inactive.rows)


@dataclass(frozen=True, slots=True)
class FinishedBoard:
    """How a game has gone, in short."""

    number: BoardNumber
    game: str
    finished_at: datetime
    players: tuple[str, ...]
    """Their userids by seat."""
    winners: tuple[Seat, ...]
    ending: str
    changes: Mapping[str, RatingChange]
    """By userid; empty if the game was not rated."""
    by_operator: bool = False
    """Whether the operator has ended it."""
    pair: BoardNumber | None = None
    """The other board of a pair."""
    rated_with: BoardNumber | None = None
    """The same if both count and are rated together, there or when that one is over."""
    waits: bool = False
    """Whether that one is still on."""

    @property
    def is_against_oneself(self) -> bool:
        """Whether one player has held all seats."""
        return len(set(self.players)) == 1

    @property
    def winning(self) -> tuple[str, ...]:
        """The userids of those who have won."""
        return tuple(self.players[seat] for seat in self.winners)

    @property
    def losing(self) -> tuple[str, ...]:
        """The userids of the others."""
        return tuple(userid for seat, userid in enumerate(self.players) if seat not in self.winners)


@dataclass(frozen=True, slots=True)
class Seen:
    """A player who was here lately."""

    userid: str
    seen_on: date
    boards: int
    """Active ones, of all games."""
    finished: int
    forfeits: int = 0
    """As `Reliability` has them."""
    pace: timedelta | None = None
    """The median time per move; None if he has made none."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Whether a player brings his games to an end."""

    finished: int
    """Games of his that were played and are over."""
    forfeits: int
    """Those among them that he has lost by keeping the others waiting, or by leaving the server."""
