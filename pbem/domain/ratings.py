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
"""The rating of a player who has not played yet."""

ESTABLISHED = 20
"""Games from which on a rating is established; until then it is provisional."""

ACTIVE_FOR = timedelta(days=90)
"""A player without a board of a game for so long is not active there."""

_USUAL = 1720
"""The target for the average of the established, active players; provisional ratings are corrected towards it."""

_K = 32
"""The most that an established rating changes by."""

_DIGITS = 9
"""Of an established change that are looked at: 17.6 times 10/11 is 16, also in floating point."""


class Score(IntEnum):
    """The score of a player in a game."""

    LOSS = -1
    TIE = 0
    WIN = 1


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one player in one game or variant, and the rated games that led to it."""

    value: int = NEW
    won: int = 0
    lost: int = 0
    tied: int = 0
    last_at: datetime | None = None
    """When the last of them was rated; None before the first."""
    revision: int = 0
    """The number of times that it was written; storage refuses a write that is based on an older one."""

    @property
    def games(self) -> int:
        """The number of rated games."""
        return self.won + self.lost + self.tied

    @property
    def is_established(self) -> bool:
        """Enough games were rated; otherwise the rating is provisional."""
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
    """The effect of a board on the rating of a player there."""

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
    variant: str = ""
    """The variant that the rating is for; empty for the game as it is usually played."""

    @property
    def is_established(self) -> bool:
        """The rating became established with this game, or was so before."""
        return self.games + 1 >= ESTABLISHED


def way(rating: Rating, changes: Sequence[RatingChange]) -> tuple[tuple[datetime, int], ...]:
    """The history of a rating: the moments when it changed, and its value from then on.

    Args:
        rating: the current rating.
        changes: the last that still hold, the oldest first; without those that were taken back.
    """
    values = [rating.value]
    for change in reversed(changes[1:]):
        values.append(values[-1] - (change.after - change.before))
    return tuple(zip((change.at for change in changes), reversed(values), strict=True)) if changes else ()


def scores(seats: int, winners: Sequence[Seat]) -> tuple[Score, ...]:
    """The score of each seat: all of a winning team have won; a game that all have won is a draw."""
    if not 0 < len(set(winners)) < seats:
        return (Score.TIE,) * seats
    return tuple(Score.WIN if seat in winners else Score.LOSS for seat in range(seats))


def pair_scores(one: Sequence[Score], other: Sequence[Score]) -> tuple[Score, ...]:
    """The score of each player in a pair of games; they are in the same order both times."""
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
    """The opponent of a player: the average of all others."""

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


def pool_name(game: str, variant: str) -> str:
    """The name of a rating pool: the players of a game, or of a named variant of it, who are rated together."""
    return f"{game} {variant}" if variant else game


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player in one game."""

    userid: str
    game: str
    rating: Rating
    boards: int
    """Active ones."""
    limit: int | None
    """The most of them that they want, 0 if they take no challenges; None if they have not said."""
    seeking: int
    """The number of challenges that they look for."""
    variant: str = ""
    """The variant that the rating is for; empty for the game as it is usually played. Boards, limit and seeks are those
    of all variants together."""

    @property
    def pool(self) -> str:
        """The name of the game, and that of the variant if it is one: ``mambo mambogo``."""
        return pool_name(self.game, self.variant)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The players of one kind in a game, best first."""

    rows: tuple[Ranked, ...]
    more: bool
    """There are more of them than are wanted."""
    skipped: int = 0
    """The number of rows above the first one."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The ranking of the players of a game, or of a named variant of it."""

    established: Ranks
    provisional: Ranks
    """Those who only seek challenges among them, last."""
    inactive: Ranks
    game: str = ""
    variant: str = ""
    """Empty for the game as it is usually played."""

    @property
    def is_empty(self) -> bool:
        """Nobody has a rating or looks for challenges."""
        return not (self.established.rows or self.provisional.rows or self.inactive.rows)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The rated games of a player against another one; those of all games and variants together."""

    userid: str
    """The other one."""
    won: int
    lost: int
    tied: int


@dataclass(frozen=True, slots=True)
class FinishedBoard:
    """A summary of a game."""

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
    """The operator has ended it."""
    pair: BoardNumber | None = None
    """The other board of a pair."""
    rated_with: BoardNumber | None = None
    """The same if both count and are rated together, there or when that one is over."""
    waits: bool = False
    """The other board of the pair is still on."""

    @property
    def is_against_oneself(self) -> bool:
        """One player has held all seats."""
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
    """The median time per move; None if they have made none."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """The record of a player in finishing games."""

    finished: int
    """Games of theirs that were played and are over."""
    forfeits: int
    """Those among them that they lost by keeping the others waiting, or by leaving the server."""


MOST_BOARDS = 20
"""Of a player that are looked at, the newest first."""

_MOST_MOVES = 200

_TURNING = (EventKind.MOVE, EventKind.UNDO, *LEAVING)
"""Events after which another player has to act."""


def move_times(board: Board, player: PlayerId) -> Iterator[timedelta]:
    """The times that a player has kept the others waiting at a board, by move, the newest first.

    An answer to a decision is a move. Pauses do not count, nor moves that were taken back, nor moves from before they
    were given a seat, nor moves that the board was imported with: all of them are as old as the board.
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
    """The median time per move of a player; None if they have made none.

    Args:
        boards: their boards, the newest first.
        player: the player.
    """
    newest = islice(boards, MOST_BOARDS)
    times = list(islice(chain.from_iterable(move_times(board, player) for board in newest), _MOST_MOVES))
    return timedelta(seconds=median(each.total_seconds() for each in times)) if times else None
