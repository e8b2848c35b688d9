"""Rankings in the database, and ranks within them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Connection,
    Label,
    Row,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    literal,
    literal_column,
    select,
    tuple_,
    union_all,
)

from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.players import userid_key
from pbem.domain.ratings import (
    FinishedBoard,
    HeadToHead,
    Ranked,
    Ranks,
    Rating,
    RatingChange,
    Reliability,
    Score,
    Seen,
    Standings,
)
from pbem.domain.watches import FIRST, ListPart
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.counters import COUNTED, FINISHED
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
    aliased,
)
from pbem.storage.players import IS_HERE
from pbem.storage.ratings import IS_ESTABLISHED, IS_PROVISIONAL, IS_RATED, change_of, is_active, rating_of
from pbem.storage.repository import readable_rows

_GAME: BindParameter[str] = bindparam("game", type_=RatingRow.game.type)
_VARIANT: BindParameter[str] = bindparam("variant", type_=RatingRow.variant.type)
_PLAYER: BindParameter[int] = bindparam("player", type_=PlayerRow.id.type)
_POOL = (RatingRow.game == _GAME) & (RatingRow.variant == _VARIANT)
_NO_RATING = ("player_id", "game", "variant", "here", "idle_since")
_RATING = tuple(each for each in RatingRow.__table__.c if each.name not in _NO_RATING)


def _players(is_new: int) -> Select[Any]:
    """Players, and whether they stand behind all who have a rating."""
    new: Label[int] = literal_column(str(is_new)).label("is_new")
    return select(PlayerRow.id.label("player_id"), PlayerRow.userid, PlayerRow.userid_key, new, *_RATING)


def _best(players: Select[Any], player: ColumnElement[int]) -> Subquery:
    """The best of some players; among equals the newest, since that is the order of the index."""
    best_first = RatingRow.rating.desc(), RatingRow.games.desc(), player.desc()
    return players.order_by(*best_first).limit(bindparam("wanted")).subquery()


def _rated(*which: ColumnElement[bool]) -> Subquery:
    """The best of those who have a rating."""
    rated = _players(0).join_from(RatingRow, PlayerRow, PlayerRow.id == RatingRow.player_id)
    return _best(rated.where(_POOL, *which), RatingRow.__table__.c.player_id)


def _seeking() -> Subquery:
    """Those who look for a challenge and have no rating."""
    mine = and_(RatingRow.player_id == PlayerRow.id, _POOL)
    seekers = select(SeekRow.player_id).where(SeekRow.game == _GAME, SeekRow.wanted > 0)
    new = _players(1).join_from(PlayerRow, RatingRow, mine, isouter=True)
    unrated = new.where(PlayerRow.id.in_(seekers), IS_HERE, func.coalesce(RatingRow.games, 0) == 0)
    return _best(unrated, PlayerRow.__table__.c.id)


def _with_boards(players: Select[Any], player: ColumnElement[int]) -> Select[Any]:
    """Players with their boards, limit and seeks in a game."""
    sought = select(func.sum(SeekRow.wanted)).where(SeekRow.player_id == player, SeekRow.game == _GAME)
    return (
        players.add_columns(
            _GAME.label("game"),
            _VARIANT.label("variant"),
            func.coalesce(PlayedRow.active, 0).label("boards"),
            ReadinessRow.most,
            func.coalesce(sought.correlate_except(SeekRow).scalar_subquery(), 0).label("seeking"),
        )
        .outerjoin(PlayedRow, and_(PlayedRow.player_id == player, PlayedRow.game == _GAME))
        .outerjoin(ReadinessRow, and_(ReadinessRow.player_id == player, ReadinessRow.game == _GAME))
    )


def _best_first(players: Subquery) -> tuple[ColumnElement[Any], ...]:
    each = players.c
    return each.is_new, each.rating.desc(), each.games.desc(), each.player_id.desc()


def _page(*kinds: Subquery) -> Select[Any]:
    """Some of the players of some kinds: only for these it is looked up what boards they have."""
    players = union_all(*map(select, kinds)).subquery()
    part = select(players).order_by(*_best_first(players)).limit(bindparam("most")).offset(bindparam("skipped"))
    page = part.subquery()
    return _with_boards(select(*page.c), page.c.player_id).order_by(*_best_first(page))


_SINCE: BindParameter[datetime] = bindparam("since", type_=RatingRow.last_at.type)
_ACTIVE = is_active(_SINCE)
ESTABLISHED = _page(_rated(IS_ESTABLISHED, _ACTIVE))
"""Given ``game``, ``variant``, ``since``, and of the list ``skipped``, ``most`` and the ``wanted`` of both together."""
PROVISIONAL = _page(_rated(IS_PROVISIONAL, _ACTIVE), _seeking())
"""The same of those who are provisional, or look for a challenge."""
PROVISIONAL_IN_VARIANT = _page(_rated(IS_PROVISIONAL, _ACTIVE))
"""The same of those who are provisional: what is sought may be another variant."""
_IDLE = (_POOL, IS_RATED, RatingRow.idle_since < _SINCE)
INACTIVE = _page(_rated(IS_ESTABLISHED, ~_ACTIVE), _rated(IS_PROVISIONAL, ~_ACTIVE))
"""The same of those who have had no board since, if there are many: they are met among the best soon enough."""
FEW_INACTIVE = _page(_rated(*_IDLE))
"""The same if there are few: the best of all of them."""
MOST_FEW = 500
HOW_MANY_INACTIVE = select(func.count()).select_from(select(RatingRow.game).where(*_IDLE).limit(MOST_FEW).subquery())
"""So many, if that is fewer; given ``game``, ``variant`` and ``since``."""

_MINE = and_(RatingRow.player_id == PlayerRow.id, _POOL)
_MAYBE_RATED = select(PlayerRow.userid, *_RATING).join_from(PlayerRow, RatingRow, _MINE, isouter=True)
OF_PLAYER = _with_boards(_MAYBE_RATED.where(PlayerRow.id == _PLAYER), _PLAYER)
"""Given ``player``, ``game`` and ``variant``."""
_VARIANTS_OF_PLAYER = (
    select(RatingRow.game, RatingRow.variant)
    .where(RatingRow.player_id == _PLAYER, RatingRow.variant != "", RatingRow.games > 0)
    .order_by(RatingRow.game, RatingRow.variant)
)


def _newest() -> CompoundSelect[int]:
    """The queries for the last boards of a player: among those that are on, and among the others."""
    newest = (
        select(SeatRow.board_number)
        .join(BoardRow, BoardRow.number == SeatRow.board_number)
        .where(SeatRow.player_id == bindparam("player"), is_on, COUNTED)
        .distinct()
        .order_by(SeatRow.board_number.desc())
        .limit(bindparam("most"))
        .subquery()
        for is_on in (SeatRow.active, ~SeatRow.active)
    )
    return union_all(*map(select, newest))


_NEWEST = _newest()


_OF_BOARD: tuple[Any, ...] = (
    BoardRow.number,
    BoardRow.game,
    BoardRow.finished_at,
    BoardRow.winners,
    BoardRow.ending,
    BoardRow.pair,
)
"""All that a list of finished boards has of them."""


class RankingRepository:
    """Public facts about players, as stored."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect

    def standings(
        self, game: str, active_since: datetime, most: int, part: ListPart = FIRST, variant: str = ""
    ) -> Standings:
        """The standings of a game or variant, at most so many players of each kind in a part.

        Players who only look for challenges are among those of the game as it is usually played.
        """
        skipped = part.skipped(most)
        page = {
            "game": game,
            "variant": variant,
            "since": active_since,
            "skipped": skipped,
            "most": most + 1,
            "wanted": skipped + most + 1,
        }
        are_few = self._connect().scalars(HOW_MANY_INACTIVE, page).one() < MOST_FEW
        inactive = FEW_INACTIVE if are_few else INACTIVE
        provisional = PROVISIONAL_IN_VARIANT if variant else PROVISIONAL
        established, others, idle = (self._ranks(kind, page) for kind in (ESTABLISHED, provisional, inactive))
        return Standings(established, others, idle, game, variant)

    def of_player(self, player: PlayerId, games: Iterable[str]) -> Sequence[Ranked]:
        """A player in these games, as far as they take part in them, and in each variant that they have a rating in."""
        found = self._connect().execute(_VARIANTS_OF_PLAYER, {"player": player}).all()
        pools = [(game, variant) for game in games for variant in ("", *(each for of, each in found if of == game))]
        which = ({"player": player, "game": game, "variant": variant} for game, variant in pools)
        ranked = [_rank(self._connect().execute(OF_PLAYER, each).one()) for each in which]
        ranked = [each for each in ranked if each.rating.games or not each.variant]
        return [each for each in ranked if each.rating.games or each.boards or each.seeking or each.limit is not None]

    def _ranks(self, kind: Select[Any], page: Mapping[str, Any]) -> Ranks:
        rows = readable_rows(lambda: self._connect().execute(kind, page), _rank, "rating")
        most = page["most"] - 1
        return Ranks(tuple(sorted(rows[:most], key=_place)), len(rows) > most, page["skipped"])

    def history(
        self, player: PlayerId | None, game: str | None, most: int, part: ListPart = FIRST
    ) -> Sequence[FinishedBoard]:
        """The finished boards of a player (None: of everybody), newest first, ``most`` and one more at the most."""
        query, number, ended_at = _finished_boards(player)
        if game is not None:
            query = query.where(BoardRow.game == game)
        if part.behind:
            ended = select(BoardRow.finished_at).where(BoardRow.number == part.behind).scalar_subquery()
            query = query.where(tuple_(ended_at, number) < tuple_(ended, literal(part.behind)))
        query = query.order_by(ended_at.desc(), number.desc()).limit(most + 1).offset(part.skipped(most))
        rows = readable_rows(lambda: self._connect().execute(query), _itself, "finished board")
        numbers = [row.number for row in rows]
        players = self._players(numbers)
        changes, deeds = self._changes(numbers), self._ended_by_operator(numbers)
        whole = (row for row in rows if row.number in players)
        return [_finished(row, players[row.number], changes.get(row.number, {}), deeds) for row in whole]

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
        """The rating changes by boards that are still valid, by board and userid."""
        query = (
            select(*RatingChangeRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == RatingChangeRow.player_id)
            .where(RatingChangeRow.board_number.in_(boards), RatingChangeRow.undone_at.is_(None))
        )
        found: dict[int, dict[str, RatingChange]] = {}
        for number, change in readable_rows(lambda: self._connect().execute(query), _of_board, "rating change"):
            found.setdefault(number, {})[change.userid] = change
        return found

    def _ended_by_operator(self, boards: Sequence[int]) -> Collection[int]:
        """Those of the boards that the operator has ended."""
        last = (EventRow.board_number == BoardRow.number) & (EventRow.number == BoardRow.event_number)
        query = (
            select(EventRow.board_number, EventRow.record)
            .join(BoardRow, last)
            .where(BoardRow.number.in_(boards), EventRow.kind.in_((EventKind.FORFEIT.value, EventKind.DRAW.value)))
        )
        rows = readable_rows(lambda: self._connect().execute(query), _itself, "event")
        return {row.board_number for row in rows if row.record == BY_OPERATOR}

    def rating_changes(self, player: PlayerId, game: str, most: int, variant: str = "") -> Sequence[RatingChange]:
        """The last changes of a player's rating in a game or variant that still hold, the oldest of them first."""
        query = (
            select(*RatingChangeRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == RatingChangeRow.player_id)
            .where(
                RatingChangeRow.player_id == player, RatingChangeRow.game == game, RatingChangeRow.variant == variant
            )
            .where(RatingChangeRow.undone_at.is_(None))
            .order_by(RatingChangeRow.at.desc(), RatingChangeRow.board_number.desc())
            .limit(most)
        )
        return readable_rows(lambda: self._connect().execute(query), change_of, "rating change")[::-1]

    def head_to_head(self, player: PlayerId, most: int, other: PlayerId | None = None) -> Sequence[HeadToHead]:
        """The results of a player against those whom they have met most in rated games, or against one ``other``.

        Those who have won or lost together did not play against each other.
        """
        mine, theirs = aliased(RatingChangeRow), aliased(RatingChangeRow)
        scores = [
            func.sum(case((mine.outcome == score.value, 1), else_=0)) for score in (Score.WIN, Score.LOSS, Score.TIE)
        ]
        query = (
            select(PlayerRow.userid, *scores)
            .join_from(mine, theirs, theirs.board_number == mine.board_number)
            .join(PlayerRow, PlayerRow.id == theirs.player_id)
            .where(mine.player_id == player, theirs.player_id != player, mine.outcome == -theirs.outcome)
            .where(mine.undone_at.is_(None), theirs.undone_at.is_(None))
            .group_by(PlayerRow.userid, PlayerRow.userid_key)
            .order_by(func.count().desc(), PlayerRow.userid_key)
            .limit(most)
        )
        if other is not None:
            query = query.where(theirs.player_id == other)
        return [HeadToHead(userid, *map(int, sums)) for userid, *sums in self._connect().execute(query)]

    def reliability(self, player: PlayerId) -> Reliability:
        """The ways in which a player's games have ended; forfeits decided by the operator do not count."""
        row = self._played([player])[player]
        return Reliability(row.finished, row.forfeits)

    def _played(self, players: Collection[int]) -> Mapping[int, _Played]:
        """The number of boards of each player, of all games."""
        sums = (func.sum(each) for each in (PlayedRow.active, PlayedRow.finished, PlayedRow.forfeits))
        query = select(PlayedRow.player_id, *sums).where(PlayedRow.player_id.in_(players)).group_by(PlayedRow.player_id)
        found = {row[0]: _Played(*map(int, row[1:])) for row in self._connect().execute(query)}
        return {player: found.get(player, _Played(0, 0, 0)) for player in players}

    def newest_boards(self, player: PlayerId, most: int) -> Sequence[BoardNumber]:
        """The last boards of a player, the newest first."""
        found = self._connect().scalars(_NEWEST, {"player": player, "most": most})
        return [BoardNumber(number) for number in sorted(found, reverse=True)[:most]]

    def seen(self, since: date, most: int, part: ListPart = FIRST) -> Sequence[Seen]:
        """The players who were here since a day, the last one first, ``most`` and one more at the most."""
        query = (
            select(PlayerRow.id, PlayerRow.pace_seconds, PlayerRow.userid, PlayerRow.seen_on)
            .where(PlayerRow.seen_on >= since, IS_HERE)
            .order_by(PlayerRow.seen_on.desc(), PlayerRow.userid_key)
            .limit(most + 1)
            .offset(part.skipped(most))
        )
        rows = readable_rows(lambda: self._connect().execute(query), _itself, "player")
        played = self._played([row.id for row in rows])
        return [_seen(row, played[row.id]) for row in rows]


class _Played(NamedTuple):
    """Boards of a player."""

    active: int
    finished: int
    forfeits: int


def _itself(row: Row[Any]) -> Row[Any]:
    return row


def _of_board(row: Row[Any]) -> tuple[int, RatingChange]:
    return row.board_number, change_of(row)


def _seen(row: Any, played: _Played) -> Seen:
    pace = None if row.pace_seconds is None else timedelta(seconds=row.pace_seconds)
    return Seen(row.userid, row.seen_on, played.active, played.finished, played.forfeits, pace)


def _finished_boards(player: PlayerId | None) -> tuple[Select[Any], Any, Any]:
    """The finished boards of a player (None: of everybody), and what they are to be ordered by, so that an index is."""
    query = select(*_OF_BOARD)
    if player is None:
        return query.where(FINISHED), BoardRow.number, BoardRow.finished_at
    # nothing is to lead away from the player's seats: PostgreSQL might rather look through all boards that are over
    query = query.join_from(BoardRow, SeatRow, SeatRow.board_number + literal_column("0") == BoardRow.number)
    query = query.where(SeatRow.player_id == player, SeatRow.finished_at.is_not(None), COUNTED)
    return query, SeatRow.board_number, SeatRow.finished_at


def _rank(row: Row[Any]) -> Ranked:
    rating = Rating() if row.rating is None else rating_of(row)
    return Ranked(row.userid, row.game, rating, row.boards, row.most, int(row.seeking), row.variant)


def _place(ranked: Ranked) -> tuple[bool, int, int, str]:
    """The order within a part of a list: equals by their names."""
    rating = ranked.rating
    value = rating.value if rating.games else 0
    return not rating.games, -value, -rating.games, userid_key(ranked.userid)


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
        changes=changes if changes.keys() >= set(players) else {},
        by_operator=row.number in deeds,
        pair=None if row.pair is None else BoardNumber(row.pair),
    )
