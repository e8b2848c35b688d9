"""Ratings of players, and what boards have changed of them, in the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)

from pbem.domain.ratings import ESTABLISHED, Rating, RatingChange, Score
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.counters import settle
from pbem.storage.models import PlayerRow, RatingChangeRow, RatingRow
from pbem.storage.repository import Repository

IS_ESTABLISHED = (RatingRow.games >= literal_column(str(ESTABLISHED))) & RatingRow.here
"""Established ratings of those who are here, in the words of their index."""
IS_PROVISIONAL = (RatingRow.games > literal_column("0")) & (RatingRow.games < literal_column(str(ESTABLISHED)))
IS_PROVISIONAL &= RatingRow.here
"""The same of provisional ones."""
IS_RATED = (RatingRow.games > literal_column("0")) & RatingRow.here
"""The same of both."""


def is_active(since: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """The condition that a rated player has had a board of that game since a moment."""
    return RatingRow.idle_since.is_(None) | (RatingRow.idle_since >= since)


_OF = select(*RatingRow.__table__.c).where(
    RatingRow.player_id == bindparam("player"),
    RatingRow.game == bindparam("game"),
    RatingRow.variant == bindparam("variant"),
)
_CHANGES = (
    select(*RatingChangeRow.__table__.c, PlayerRow.userid)
    .join(PlayerRow, PlayerRow.id == RatingChangeRow.player_id)
    .where(RatingChangeRow.board_number == bindparam("board"))
    .order_by(RatingChangeRow.player_id)
)


class KeptSums:
    """Sums of the established ratings of large pools: to add them up takes long, and within an hour they hardly change.

    The average of small pools is that of the moment.
    """

    LARGE = 10_000
    """Players of a pool."""
    FOR = timedelta(hours=1)

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], tuple[datetime, int, int]] = {}

    def find(self, game: str, variant: str, since: datetime) -> tuple[int, int] | None:
        """Sum and number of those who played since a moment, if they were kept not long before."""
        kept, total, count = self._sums.get((game, variant), (None, 0, 0))
        return (total, count) if kept is not None and timedelta(0) <= since - kept < self.FOR else None

    def keep(self, game: str, variant: str, since: datetime, total: int, count: int) -> None:
        """Keep them if the pool is large."""
        if count >= self.LARGE:
            self._sums[game, variant] = (since, total, count)


class RatingRepository(Repository[tuple[PlayerId, str, str], Rating]):
    """Ratings by player, game and variant, and their changes by board.

    A named variant has ratings of its own; an empty ``variant`` is the game as it is usually played.
    """

    _notes = ("saved", "_noted")

    def __init__(self, connect: Callable[[], Connection], sums: KeptSums | None = None) -> None:
        super().__init__(connect)
        self._sums = sums or KeptSums()
        self._noted: dict[BoardNumber, tuple[str, tuple[RatingChange, ...]]] = {}
        self._stored: dict[tuple[str, str, datetime], tuple[int, int]] = {}

    def of(self, player: PlayerId, game: str, variant: str = "") -> Rating:
        """The rating of a player in a game or variant; that of a new player, if they are new to it."""
        if (player, game, variant) in self.saved:
            return self.saved[player, game, variant]
        which = {"player": player, "game": game, "variant": variant}
        row = self._connect().execute(_OF, which).one_or_none()
        return Rating() if row is None else rating_of(row)

    def established(self, game: str, since: datetime, variant: str = "") -> tuple[int, int]:
        """Sum and number, stored and saved, of the established ratings of those who played since a moment."""
        mine = {player: rating for (player, *pool), rating in self.saved.items() if pool == [game, variant]}
        total, count = self._stored_of(game, variant, since)
        if mine:
            before, were = self._established(game, variant, since, RatingRow.player_id.in_(mine))
            total, count = total - before, count - were
        values = [rating.value for rating in mine.values() if rating.is_established]
        return total + sum(values), count + len(values)

    def _stored_of(self, game: str, variant: str, since: datetime) -> tuple[int, int]:
        """The stored sums, kept because a leaving player ends many boards of a game."""
        if (game, variant, since) not in self._stored:
            found = self._sums.find(game, variant, since)
            if found is None:
                found = self._established(game, variant, since)
                self._sums.keep(game, variant, since, *found)
            self._stored[game, variant, since] = found
        return self._stored[game, variant, since]

    def _established(self, game: str, variant: str, since: datetime, *which: ColumnElement[bool]) -> tuple[int, int]:
        query = select(func.coalesce(func.sum(RatingRow.rating), 0), func.count()).where(
            RatingRow.game == game, RatingRow.variant == variant, IS_ESTABLISHED, is_active(since), *which
        )
        total, count = self._connect().execute(query).one()
        return int(total), count

    def save(self, player: PlayerId, game: str, rating: Rating, variant: str = "") -> None:
        """Keep a rating; if somebody else has changed it since it was read, the commit is a `Conflict`."""
        self.saved[player, game, variant] = rating

    def changes(self, board: BoardNumber) -> Sequence[RatingChange]:
        """The changes by a board, taken back since or not."""
        if board in self._noted:
            return self._noted[board][1]
        return [change_of(row) for row in self._connect().execute(_CHANGES, {"board": board})]

    def note(self, board: BoardNumber, game: str, changes: Sequence[RatingChange]) -> None:
        """Keep what a board has changed, instead of what was noted of it before."""
        self._noted[board] = (game, tuple(changes))

    def write(self, connection: Connection) -> None:
        """Write what was saved and noted.

        Raises:
            Conflict: a rating was changed since it was read.
        """
        for (player, game, variant), rating in sorted(self.saved.items(), key=lambda each: each[0]):
            key, values = {"player_id": player, "game": game, "variant": variant}, _rating_values(rating)
            if rating.revision == 0:
                connection.execute(insert(RatingRow).values(**key, **values))
                continue
            as_read = update(RatingRow).filter_by(**key, revision=rating.revision)
            if connection.execute(as_read.values(values)).rowcount == 0:
                raise Conflict(player=player, game=game)
        settle(connection, {(player, game) for player, game, _ in self.saved})
        for board, (game, changes) in self._noted.items():
            connection.execute(delete(RatingChangeRow).where(RatingChangeRow.board_number == board))
            connection.execute(insert(RatingChangeRow), [_change_values(board, game, each) for each in changes])


def rating_of(row: Row[Any]) -> Rating:
    """The rating that a row holds."""
    return Rating(int(row.rating), row.won, row.lost, row.tied, row.last_at, row.revision)


def change_of(row: Any) -> RatingChange:
    """The change that a row holds, with its player's userid."""
    return RatingChange(
        player=PlayerId(row.player_id),
        userid=row.userid,
        before=int(row.before),
        after=int(row.after),
        games=row.games_before,
        score=Score(row.outcome),
        at=row.at,
        undone_at=row.undone_at,
        variant=row.variant,
    )


def _rating_values(rating: Rating) -> dict[str, Any]:
    return {
        "rating": rating.value,
        "games": rating.games,
        "won": rating.won,
        "lost": rating.lost,
        "tied": rating.tied,
        "last_at": rating.last_at,
        "revision": rating.revision + 1,
    }


def _change_values(board: BoardNumber, game: str, change: RatingChange) -> dict[str, Any]:
    return {
        "board_number": board,
        "player_id": change.player,
        "game": game,
        "variant": change.variant,
        "at": change.at,
        "before": change.before,
        "after": change.after,
        "games_before": change.games,
        "outcome": int(change.score),
        "undone_at": change.undone_at,
    }
