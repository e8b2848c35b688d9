"""What everybody may know of players, read from the database; never changes anything."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, literal, select, tuple_

from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.parts import FIRST
from pbem.domain.rankings import FinishedBoard, Ranked, Ranks, Reliability, Seen, Standings
from pbem.domain.ratings import ESTABLISHED, Rating
from pbem.ids import BoardNumber
from pbem.storage.boards import PLAYED
from pbem.storage.models import (
    BoardRow,
    EventRow,
    PlayerRow,
    RatingChangeRow,
    RatingRow,
    ReadinessRow,
    SeatRow,
    SeekRow,
)
from pbem.storage.ratings import IS_HERE, change_of, is_active, rating_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from sqlalchemy import Connection

    from pbem.domain.parts import Part
    from pbem.domain.ratings import RatingChange
    from pbem.ids import PlayerId


class RankingRepository:
    """What everybody may know of players, as it is stored."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect

    def standings(self, game: str, active_since: datetime, most: int, part: Part = FIRST) -> Standings:
        """How the players of a game stand, at most so many of each kind in a part."""
        has_rating, active = RatingRow.games > 0, is_active(active_since)
        seeks = (func.coalesce(RatingRow.games, 0) == 0) & (_sought(game) > 0)
        kinds = (
            has_rating & active & (RatingRow.games >= ESTABLISHED),
            (has_rating & active & (RatingRow.games < ESTABLISHED)) | seeks,
            has_rating & ~active,
        )
        return Standings(*(self._ranks(game, most, which, part.skipped(most)) for which in kinds))

    def of_player(self, player: PlayerId, games: Iterable[str]) -> Sequence[Ranked]:
        """A player in these games, as far as he has to do with them."""
        rows = [self._connect().execute(_ranked(game).where(PlayerRow.id == player)).one() for game in games]
        ranked = [_rank(row) for row in rows]
        return [each for each in ranked if each.rating.games or each.boards or each.seeking or each.limit is not None]

    def _ranks(self, game: str, most: int, which: ColumnElement[bool], skipped: int) -> Ranks:
        is_new = case((RatingRow.games > 0, 0), else_=1)
        best_first = (is_new, RatingRow.rating.desc(), RatingRow.games.desc(), PlayerRow.userid_key)
        query = _ranked(game).where(IS_HERE, which).order_by(*best_first).limit(most + 1).offset(skipped)
        rows = [_rank(row) for row in self._connect().execute(query)]
        return Ranks(tuple(rows[:most]), len(rows) > most, skipped)

    def history(
        self, player: PlayerId | None, game: str | None, most: int, part: Part = FIRST
    ) -> Sequence[FinishedBoard]:
        """The finished boards of a player (None: of everybody), newest first, ``most`` and one more at the most."""
        query = select(*BoardRow.__table__.c).where(~BoardRow.active, PLAYED)
        if player is not None:
            query = query.where(BoardRow.number.in_(_boards_of(player)))
        if game is not None:
            query = query.where(BoardRow.game == game)
        if part.behind:
            ended = select(BoardRow.finished_at).where(BoardRow.number == part.behind).scalar_subquery()
            query = query.where(tuple_(BoardRow.finished_at, BoardRow.number) < tuple_(ended, literal(part.behind)))
        newest_first = (BoardRow.finished_at.desc(), BoardRow.number.desc())
        query = query.order_by(*newest_first).limit(most + 1).offset(part.skipped(most))
        rows = self._connect().execute(query).all()
        numbers = [row.number for row in rows]
        players = self._players(numbers)
        changes, deeds = self._changes(numbers), self._ended_by_operator(numbers)
        return [_finished(row, players[row.number], changes.get(row.number, {}), deeds) for row in rows]

    def _players(self, boards: Sequence[int]) -> Mapping[int, list[str]]:
        """The userids by seat, by board."""
        query = (
            select(SeatRow.board_number, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
            .where(SeatRow.board_number.in_(boards))
            .order_by(SeatRow.board_number, SeatRow.seat)
        )
        found: dict[int, list[str]] = {}
        for board, userid in self._connect().execute(query):
            found.setdefault(board, []).append(userid)
        return found

    def _changes(self, boards: Sequence[int]) -> Mapping[int, dict[str, RatingChange]]:
        """What boards have changed and what still holds, by board and userid."""
        query = (
            select(*RatingChangeRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == RatingChangeRow.player_id)
            .where(RatingChangeRow.board_number.in_(boards), RatingChangeRow.undone_at.is_(None))
        )
        found: dict[int, dict[str, RatingChange]] = {}
        for row in self._connect().execute(query):
            found.setdefault(row.board_number, {})[row.userid] = change_of(row)
        return found

    def _ended_by_operator(self, boards: Sequence[int]) -> Collection[int]:
        """Those of the boards that the operator has ended."""
        last = (EventRow.board_number == BoardRow.number) & (EventRow.number == BoardRow.event_number)
        query = (
            select(EventRow.board_number, EventRow.record)
            .join(BoardRow, last)
            .where(BoardRow.number.in_(boards), EventRow.kind.in_((EventKind.FORFEIT.value, EventKind.DRAW.value)))
        )
        return {board for board, record in self._connect().execute(query) if record == BY_OPERATOR}

    def rating_changes(self, player: PlayerId, game: str, most: int) -> Sequence[RatingChange]:
        """The last changes of a player's rating in a game that still hold, the oldest of them first."""
        query = (
            select(*RatingChangeRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == RatingChangeRow.player_id)
            .where(RatingChangeRow.player_id == player, RatingChangeRow.game == game)
            .where(RatingChangeRow.undone_at.is_(None))
            .order_by(RatingChangeRow.at.desc(), RatingChangeRow.board_number.desc())
            .limit(most)
        )
        return [change_of(row) for row in self._connect().execute(query)][::-1]

    def reliability(self, player: PlayerId) -> Reliability:
        """How a player's games have ended; a forfeit that the operator has decided on is not held against him."""
        boards = select(func.count()).select_from(BoardRow).where(~BoardRow.active, PLAYED)
        finished = self._connect().scalar(boards.where(BoardRow.number.in_(_boards_of(player)))) or 0
        return Reliability(finished, self._forfeits([player])[player])

    def _forfeits(self, players: Collection[int]) -> Counter[int]:
        """How many games each of the players has forfeited, as far as the operator has not decided on it."""
        query = (
            select(SeatRow.player_id, EventRow.board_number, EventRow.record)
            .join(SeatRow, and_(SeatRow.board_number == EventRow.board_number, SeatRow.seat == EventRow.seat))
            .join(BoardRow, BoardRow.number == EventRow.board_number)
            .where(SeatRow.player_id.in_(players), EventRow.kind == EventKind.FORFEIT.value, ~BoardRow.active, PLAYED)
        )
        found = self._connect().execute(query)
        return Counter(player for player, _ in {(row[0], row[1]) for row in found if row[2] != BY_OPERATOR})

    def newest_boards(self, player: PlayerId, most: int) -> Sequence[BoardNumber]:
        """The last boards of a player, the newest first."""
        query = select(BoardRow.number).where(PLAYED, BoardRow.number.in_(_boards_of(player)))
        found = self._connect().scalars(query.order_by(BoardRow.number.desc()).limit(most))
        return [BoardNumber(number) for number in found]

    def seen(self, since: date, most: int, part: Part = FIRST) -> Sequence[Seen]:
        """The players who were here since a day, the last one first, ``most`` and one more at the most."""
        boards = select(func.count(SeatRow.board_number.distinct())).where(SeatRow.player_id == PlayerRow.id)
        finished = boards.join(BoardRow, BoardRow.number == SeatRow.board_number).where(~SeatRow.active, PLAYED)
        query = (
            select(
                PlayerRow.id,
                PlayerRow.pace_seconds,
                PlayerRow.userid,
                PlayerRow.seen_on,
                boards.where(SeatRow.active).scalar_subquery().label("boards"),
                finished.scalar_subquery().label("finished"),
            )
            .where(PlayerRow.seen_on >= since, IS_HERE)
            .order_by(PlayerRow.seen_on.desc(), PlayerRow.userid_key)
            .limit(most + 1)
            .offset(part.skipped(most))
        )
        rows = self._connect().execute(query).all()
        forfeits = self._forfeits([row.id for row in rows])
        return [_seen(row, forfeits[row.id]) for row in rows]


def _seen(row: Row[Any], forfeits: int) -> Seen:
    pace = None if row.pace_seconds is None else timedelta(seconds=row.pace_seconds)
    return Seen(row.userid, row.seen_on, row.boards, row.finished, forfeits, pace)


def _boards_of(player: PlayerId) -> Select[Any]:
    return select(SeatRow.board_number).where(SeatRow.player_id == player)


def _sought(game: str) -> ColumnElement[int]:
    """How many challenges a player looks for."""
    mine = (SeekRow.player_id == PlayerRow.id) & (SeekRow.game == game)
    return select(func.coalesce(func.sum(SeekRow.wanted), 0)).where(mine).correlate(PlayerRow).scalar_subquery()


def _ranked(game: str) -> Select[Any]:
    """Players in a game: the rating, where there is one, boards, limit and seeks."""
    boards = (
        select(func.count(SeatRow.board_number.distinct()))
        .join(BoardRow, BoardRow.number == SeatRow.board_number)
        .where(SeatRow.player_id == PlayerRow.id, SeatRow.active, BoardRow.game == game)
        .correlate(PlayerRow)
    )
    return (
        select(
            PlayerRow.userid,
            func.coalesce(RatingRow.game, game).label("game"),
            *(each for each in RatingRow.__table__.c if each.name not in ("player_id", "game")),
            boards.scalar_subquery().label("boards"),
            ReadinessRow.most,
            _sought(game).label("seeking"),
        )
        .outerjoin(RatingRow, and_(RatingRow.player_id == PlayerRow.id, RatingRow.game == game))
        .outerjoin(ReadinessRow, and_(ReadinessRow.player_id == PlayerRow.id, ReadinessRow.game == game))
    )


def _rank(row: Row[Any]) -> Ranked:
    rating = Rating() if row.rating is None else rating_of(row)
    return Ranked(row.userid, row.game, rating, row.boards, row.most, row.seeking)


def _finished(
    row: Row[Any], players: Sequence[str], changes: Mapping[str, RatingChange], deeds: Collection[int]
) -> FinishedBoard:
    return FinishedBoard(
        number=BoardNumber(row.number),
        game=row.game,
        finished_at=row.finished_at,
        players=tuple(players),
        winners=tuple(row.winners or ()),
        ending=row.ending,
        changes=changes,
        by_operator=row.number in deeds,
        pair=None if row.pair is None else BoardNumber(row.pair),
    )
