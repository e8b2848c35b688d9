"""What everybody may know of players, read from the database; never changes anything."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, and_, exists, func, literal, select, tuple_, union_all
from sqlalchemy.orm import aliased

from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.parts import FIRST
from pbem.domain.rankings import FinishedBoard, Ranked, Ranks, Reliability, Seen, Standings
from pbem.domain.ratings import Rating
from pbem.ids import BoardNumber
from pbem.storage.models import (
    BoardRow,
    EventRow,
    PlayedRow,
    PlayerRow,
    RatingChangeRow,
    RatingRow,
    ReadinessRow,
    SeatRow,
    SeekRow,
)
from pbem.storage.ratings import IS_ESTABLISHED, IS_PROVISIONAL, change_of, is_active, rating_of
from pbem.storage.tallies import FINISHED, IS_HERE, PLAYED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from sqlalchemy import Connection, Subquery

    from pbem.domain.parts import Part
    from pbem.domain.ratings import RatingChange
    from pbem.ids import PlayerId


class RankingRepository:
    """What everybody may know of players, as it is stored."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect

    def standings(self, game: str, active_since: datetime, most: int, part: Part = FIRST) -> Standings:
        """How the players of a game stand, at most so many of each kind in a part."""
        active, skipped = is_active(active_since), part.skipped(most)
        wanted = skipped + most + 1
        kinds = (
            [_best(game, wanted, IS_ESTABLISHED, active)],
            [_best(game, wanted, IS_PROVISIONAL, active), _seeking(game, wanted)],
            [_best(game, wanted, kind, ~active) for kind in (IS_ESTABLISHED, IS_PROVISIONAL)],
        )
        return Standings(*(self._ranks(game, most, kind, skipped) for kind in kinds))

    def of_player(self, player: PlayerId, games: Iterable[str]) -> Sequence[Ranked]:
        """A player in these games, as far as he has to do with them."""
        rows = [self._connect().execute(_of_player(player, game)).one() for game in games]
        ranked = [_rank(row) for row in rows]
        return [each for each in ranked if each.rating.games or each.boards or each.seeking or each.limit is not None]

    def _ranks(self, game: str, most: int, kinds: Sequence[Subquery], skipped: int) -> Ranks:
        """The players of some kinds, of whom those who have no rating stand last."""
        these = union_all(*map(select, kinds)).subquery()
        best_first = (these.c.is_new, these.c.rating.desc(), these.c.games.desc(), these.c.userid_key)
        page = select(these).order_by(*best_first).limit(most + 1).offset(skipped).subquery()
        best_first = (page.c.is_new, page.c.rating.desc(), page.c.games.desc(), page.c.userid_key)
        query = _with_boards(select(*page.c), game, page.c.player_id).order_by(*best_first)
        rows = [_rank(row) for row in self._connect().execute(query)]
        return Ranks(tuple(rows[:most]), len(rows) > most, skipped)

    def history(
        self, player: PlayerId | None, game: str | None, most: int, part: Part = FIRST
    ) -> Sequence[FinishedBoard]:
        """The finished boards of a player (None: of everybody), newest first, ``most`` and one more at the most."""
        query, number, ended_at = _finished_boards(player)
        if game is not None:
            query = query.where(BoardRow.game == game)
        if part.behind:
            ended = select(BoardRow.finished_at).where(BoardRow.number == part.behind).scalar_subquery()
            query = query.where(tuple_(ended_at, number) < tuple_(ended, literal(part.behind)))
        query = query.order_by(ended_at.desc(), number.desc()).limit(most + 1).offset(part.skipped(most))
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
        row = self._played([player])[player]
        return Reliability(row.finished, row.forfeits)

    def _played(self, players: Collection[int]) -> Mapping[int, _Played]:
        """How many boards, of all games, each of the players has had."""
        sums = (func.sum(each) for each in (PlayedRow.active, PlayedRow.finished, PlayedRow.forfeits))
        query = select(PlayedRow.player_id, *sums).where(PlayedRow.player_id.in_(players)).group_by(PlayedRow.player_id)
        found = {row[0]: _Played(*map(int, row[1:])) for row in self._connect().execute(query)}
        return {player: found.get(player, _Played(0, 0, 0)) for player in players}

    def newest_boards(self, player: PlayerId, most: int) -> Sequence[BoardNumber]:
        """The last boards of a player, the newest first."""
        newest = (
            select(SeatRow.board_number)
            .join(BoardRow, BoardRow.number == SeatRow.board_number)
            .where(SeatRow.player_id == player, is_on, PLAYED)
            .distinct()
            .order_by(SeatRow.board_number.desc())
            .limit(most)
            .subquery()
            for is_on in (SeatRow.active, ~SeatRow.active)
        )
        found = self._connect().scalars(union_all(*map(select, newest)))
        return [BoardNumber(number) for number in sorted(found, reverse=True)[:most]]

    def seen(self, since: date, most: int, part: Part = FIRST) -> Sequence[Seen]:
        """The players who were here since a day, the last one first, ``most`` and one more at the most."""
        query = (
            select(PlayerRow.id, PlayerRow.pace_seconds, PlayerRow.userid, PlayerRow.seen_on)
            .where(PlayerRow.seen_on >= since, IS_HERE)
            .order_by(PlayerRow.seen_on.desc(), PlayerRow.userid_key)
            .limit(most + 1)
            .offset(part.skipped(most))
        )
        rows = self._connect().execute(query).all()
        played = self._played([row.id for row in rows])
        return [_seen(row, played[row.id]) for row in rows]


class _Played(NamedTuple):
    """Boards of a player."""

    active: int
    finished: int
    forfeits: int


def _seen(row: Any, played: _Played) -> Seen:
    pace = None if row.pace_seconds is None else timedelta(seconds=row.pace_seconds)
    return Seen(row.userid, row.seen_on, played.active, played.finished, played.forfeits, pace)


def _finished_boards(player: PlayerId | None) -> tuple[Select[Any], Any, Any]:
    """The finished boards of a player (None: of everybody), and what they are to be ordered by, so that an index is."""
    query = select(*BoardRow.__table__.c).where(FINISHED)
    if player is None:
        return query, BoardRow.number, BoardRow.finished_at
    another = aliased(SeatRow)
    is_his_too = (another.board_number == SeatRow.board_number) & (another.player_id == player)
    query = query.join(SeatRow, SeatRow.board_number == BoardRow.number).where(
        SeatRow.player_id == player,
        SeatRow.finished_at.is_not(None),
        ~exists().where(is_his_too, another.seat < SeatRow.seat),  # of several seats the first
    )
    return query, SeatRow.board_number, SeatRow.finished_at


def _sought(game: str, player: ColumnElement[int]) -> ColumnElement[int]:
    """How many challenges a player looks for."""
    mine = (SeekRow.player_id == player) & (SeekRow.game == game)
    return select(func.coalesce(func.sum(SeekRow.wanted), 0)).where(mine).correlate_except(SeekRow).scalar_subquery()


_RATING = tuple(each for each in RatingRow.__table__.c if each.name not in ("player_id", "game", "here", "idle_since"))


def _best(game: str, most: int, *which: ColumnElement[bool]) -> Subquery:
    """Those of the players who have a rating, the best of them; an index of ratings leads to them."""
    return (
        select(PlayerRow.id.label("player_id"), PlayerRow.userid, PlayerRow.userid_key, literal(0).label("is_new"))
        .add_columns(*_RATING)
        .join_from(RatingRow, PlayerRow, PlayerRow.id == RatingRow.player_id)
        .where(RatingRow.game == game, *which)
        .order_by(RatingRow.rating.desc(), RatingRow.games.desc(), PlayerRow.userid_key)
        .limit(most)
        .subquery()
    )


def _seeking(game: str, most: int) -> Subquery:
    """Those who look for a challenge and have no rating."""
    mine = and_(RatingRow.player_id == PlayerRow.id, RatingRow.game == game)
    seekers = select(SeekRow.player_id).where(SeekRow.game == game, SeekRow.wanted > 0)
    return (
        select(PlayerRow.id.label("player_id"), PlayerRow.userid, PlayerRow.userid_key, literal(1).label("is_new"))
        .add_columns(*_RATING)
        .join_from(PlayerRow, RatingRow, mine, isouter=True)
        .where(IS_HERE, func.coalesce(RatingRow.games, 0) == 0, PlayerRow.id.in_(seekers))
        .order_by(RatingRow.rating.desc(), RatingRow.games.desc(), PlayerRow.userid_key)
        .limit(most)
        .subquery()
    )


def _of_player(player: PlayerId, game: str) -> Select[Any]:
    """A player in a game."""
    mine = and_(RatingRow.player_id == PlayerRow.id, RatingRow.game == game)
    query = select(PlayerRow.userid, *_RATING).join_from(PlayerRow, RatingRow, mine, isouter=True)
    return _with_boards(query.where(PlayerRow.id == player), game, literal(player))


def _with_boards(query: Select[Any], game: str, player: ColumnElement[int]) -> Select[Any]:
    """Players in a game with their boards, limit and seeks."""
    return (
        query.add_columns(
            literal(game).label("game"),
            func.coalesce(PlayedRow.active, 0).label("boards"),
            ReadinessRow.most,
            _sought(game, player).label("seeking"),
        )
        .outerjoin(PlayedRow, and_(PlayedRow.player_id == player, PlayedRow.game == game))
        .outerjoin(ReadinessRow, and_(ReadinessRow.player_id == player, ReadinessRow.game == game))
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
