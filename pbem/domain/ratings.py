"""Ratings, finished boards, and the pace at which players move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import IntEnum
from fractions import Fraction
from itertools import chain, islice
from statistics import median

from pbem.domain.boards import Board
from pbem.domain.events import LEAVING, EventKind
from pbem.domain.vacations import counted, standing_for
from pbem.games.game import Seat
from pbem.ids import BoardNumber, PlayerId

NEW = 1600
"""The rating of who has not played yet."""

ESTABLISHED = 20
"""Games from which on a rating is established; until then it is provisional."""

ACTIVE_FOR = timedelta(days=90)
"""Who has had no board of a game for so long is not active there."""

_USUAL = 1720
"""What the average of the established, active players should be; provisional ratings make up for what it is not."""

_K = 32
"""The most that an established rating changes by."""

_DIGITS = 9
"""Of an established change that are looked at: 17.6 times 10/11 is 16, also in floating point."""


class Score(IntEnum):
    """What a game has brought a player."""

    LOSS = -1
    TIE = 0
    WIN = 1


@dataclass(frozen=True, slots=True)
class Rating:
    """What one player is rated in one game, and the rated games that led there."""

    value: int = NEW
    won: int = 0
    lost: int = 0
    tied: int = 0
    last_at: datetime | None = None
    """When the last of them was rated; None before the first."""
    revision: int = 0
    """How often it was written; storage refuses a write that is based on an older one."""

    @property
    def games(self) -> int:
        """How many games were rated."""
        return self.won + self.lost + self.tied

    @property
    def is_established(self) -> bool:
        """Whether enough games were rated; else the rating is provisional."""
        return self.games >= ESTABLISHED

    def with_game(self, value: int, score: Score, at: datetime) -> Rating:
        """The rating after one more game."""
        last_at = at if self.last_at is None else max(at, self.last_at)
        return replace(self._counted(score, 1), value=value, last_at=last_at)

    def without_game(self, change: int, score: Score) -> Rating:
        """The rating with a game taken back that had changed it by so much, whatever was rated since."""
        return replace(self._counted(score, -1), value=self.value - change)

    def _counted(self, score: Score, by: int) -> Rating:
        match score:
            case Score.WIN:
                return replace(self, won=self.won + by)
            case Score.LOSS:
                return replace(self, lost=self.lost + by)
            case Score.TIE:
                return replace(self, tied=self.tied + by)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a board has done to the rating of one who played there."""

    player: PlayerId
    userid: str
    before: int
    after: int
    games: int
    """Rated before it; 0: there was no rating yet."""
    score: Score
    at: datetime
    undone_at: datetime | None = None
    """When it was taken back, since the board was annulled."""

    @property
    def is_established(self) -> bool:
        """Whether the rating was established with this game, or is so for longer."""
        return self.games + 1 >= ESTABLISHED


def way(rating: Rating, changes: Sequence[RatingChange]) -> tuple[tuple[datetime, int], ...]:
    """How a rating has come about: when it changed, and what it was from then on.

    Args:
        rating: what it is now.
        changes: the last that still hold, the oldest first; those that were taken back are not seen any more.
    """
    values = [rating.value]
    for change in reversed(changes[1:]):
        values.append(values[-1] - (change.after - change.before))
    return tuple(zip((change.at for change in changes), reversed(values), strict=True)) if changes else ()


def scores(seats: int, winners: Sequence[Seat]) -> tuple[Score, ...]:
    """What a game has brought each seat: all of a winning team have won; a game that all have won is a draw."""
    if not 0 < len(set(winners)) < seats:
        return (Score.TIE,) * seats
    return tuple(Score.WIN if seat in winners else Score.LOSS for seat in range(seats))


def pair_scores(one: Sequence[Score], other: Sequence[Score]) -> tuple[Score, ...]:
    """What a pair of games has brought each of its players, who stand in the same order both times."""
    return tuple(Score((total > 0) - (total < 0)) for total in map(sum, zip(one, other, strict=True)))


def average(total: int, count: int) -> Fraction:
    """The average of the established, active players of a game; what is usual if there are none.

    Args:
        total: the sum of their ratings.
        count: how many they are.
    """
    return Fraction(total, count) if count else Fraction(_USUAL)


def rated(before: Sequence[Rating], outcome: Sequence[Score], level: Fraction) -> tuple[int, ...]:
    """The ratings after a game, by seat.

    Args:
        before: each player's rating.
        outcome: what the game has brought each.
        level: the `average` of the game.
    """
    return tuple(
        _rated(mine, score, _opponents(before, seat), level)
        for seat, (mine, score) in enumerate(zip(before, outcome, strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Opponent:
    """Who a player has played against: the average of all others."""

    value: Fraction
    games: Fraction

    @property
    def is_established(self) -> bool:
        return self.games >= ESTABLISHED


def _opponents(ratings: Sequence[Rating], seat: Seat) -> _Opponent:
    others = [each for other, each in enumerate(ratings) if other != seat]
    values, games = sum(each.value for each in others), sum(each.games for each in others)
    return _Opponent(Fraction(values, len(others)), Fraction(games, len(others)))


def _rated(mine: Rating, score: Score, opponent: _Opponent, level: Fraction) -> int:
    if mine.is_established:
        return mine.value + _established_change(mine.value, score, opponent)
    worth = _worth(mine.value, score, opponent)
    return int(Fraction(mine.value * mine.games + worth, mine.games + 1)) + int((_USUAL - level) / 5)


def _worth(mine: int, score: Score, opponent: _Opponent) -> int:
    """The rating that a provisional player has shown in one game."""
    if opponent.is_established:
        return int(opponent.value + 400 * score)
    return int((mine + opponent.value) / 2 + 200 * score)


def _established_change(mine: int, score: Score, opponent: _Opponent) -> int:
    weight = Fraction(_K) if opponent.is_established else _K * opponent.games / ESTABLISHED
    expected = 1 / (1 + 10 ** (float(opponent.value - mine) / 400))
    return int(round(float(weight) * ((score + 1) / 2 - expected), _DIGITS))


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


MOST_BOARDS = 20
"""Of a player that are looked at, the newest first."""

_MOST_MOVES = 200

_TURNING = (EventKind.MOVE, EventKind.UNDO, *LEAVING)
"""Events after which somebody is to act who was not before."""


def move_times(board: Board, player: PlayerId) -> Iterator[timedelta]:
    """How long a player has kept the others waiting at a board, by move, the newest first.

    An answer to a decision is a move. Pauses do not count, nor moves that were taken back, nor what was played before
    a seat was given to him, nor moves that the board was imported with: all of them are as old as the board.
    """
    if len(board.players) < len(board.seats):
        return
    times: list[timedelta] = []
    since, seated_at = board.game_begun_at, board.game_begun_at
    pauses, in_force = standing_for(player, board.pauses), {event.number for event in board.in_force}
    for event in board.played:
        is_his = board.seats[event.seat].player == player
        if event.kind is EventKind.HANDOVER and is_his:
            times, seated_at = [], event.at
        elif event.kind is EventKind.MOVE and is_his and event.at > board.begun_at and event.number in in_force:
            times.append(counted(max(since, seated_at), event.at, pauses))
        if event.kind in _TURNING:
            since = event.at
    yield from reversed(times)


def pace(boards: Iterable[Board], player: PlayerId) -> timedelta | None:
    """The median time per move of a player; None if he has made none.

    Args:
        boards: his boards, the newest first.
        player: whom it is about.
    """
    newest = islice(boards, MOST_BOARDS)
    times = list(islice(chain.from_iterable(move_times(board, player) for board in newest), _MOST_MOVES))
    return timedelta(seconds=median(each.total_seconds() for each in times)) if times else None
