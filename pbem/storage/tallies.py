"""How many boards games have and players have had: counted as boards begin and end, so that nobody counts them all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    case,
    exists,
    func,
    insert,
    literal_column,
    null,
    select,
    update,
)

from pbem.domain.boards import Board
from pbem.domain.courses import UNPLAYED
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.ids import PlayerId
from pbem.storage.models import BoardRow, PlayedRow, PlayerRow, RatingRow, SeatRow, TallyRow
from pbem.storage.players import IS_HERE

Pair: TypeAlias = "tuple[PlayerId, str]"
"""A player in a game."""


_UNPLAYED: list[ColumnElement[str]] = [literal_column(f"'{ending.value}'") for ending in UNPLAYED]
PLAYED = BoardRow.ending.is_(None) | BoardRow.ending.not_in(_UNPLAYED)
"""Boards that were not declined or annulled."""
FINISHED = ~BoardRow.active & BoardRow.ending.not_in(_UNPLAYED)
"""Those of them that are over, in the words of the indexes."""
_PARTS = 16
"""Rows over which the boards of a game are spread."""


def _more(column: Any) -> ColumnElement[int]:
    more: ColumnElement[int] = column + bindparam(f"more_{column.key}")
    return more


_MINE = (PlayedRow.player_id == bindparam("player")) & (PlayedRow.game == bindparam("of_game"))
_COUNT = (
    update(PlayedRow)
    .where(_MINE)
    .values({each: _more(each) for each in (PlayedRow.active, PlayedRow.finished, PlayedRow.forfeits)})
    .returning(PlayedRow.active + PlayedRow.finished)
)
_BEGIN_TO_COUNT = insert(PlayedRow)
_END = update(PlayedRow).where(_MINE, PlayedRow.ended_at.is_(None) | (PlayedRow.ended_at < bindparam("moment")))
_LAST = (
    select(func.max(BoardRow.finished_at))
    .join(SeatRow, SeatRow.board_number == BoardRow.number)
    .where(SeatRow.player_id == PlayedRow.player_id, BoardRow.game == PlayedRow.game, FINISHED)
    .correlate(PlayedRow)
)
_END_ANEW = update(PlayedRow).where(_MINE).values(ended_at=_LAST.scalar_subquery())
_ADD_UP = (
    update(TallyRow)
    .where(TallyRow.game == bindparam("of_game"), TallyRow.part == bindparam("of_part"))
    .values({each: _more(each) for each in (TallyRow.active, TallyRow.finished, TallyRow.players)})
)
_BEGIN_TO_ADD = insert(TallyRow)


def _of_rating(column: Any) -> Any:
    mine = (PlayedRow.player_id == RatingRow.player_id) & (PlayedRow.game == RatingRow.game)
    return select(column).where(mine).correlate(RatingRow).scalar_subquery()


_ENDED_AT = _of_rating(PlayedRow.ended_at)
_IDLE_SINCE = case(
    (_of_rating(PlayedRow.active) > 0, null()),
    (RatingRow.last_at < _ENDED_AT, _ENDED_AT),
    else_=RatingRow.last_at,
)
_SETTLE = (
    update(RatingRow)
    .where(RatingRow.player_id == bindparam("player"), RatingRow.game == bindparam("of_game"))
    .values(idle_since=_IDLE_SINCE, here=exists().where(PlayerRow.id == RatingRow.player_id, IS_HERE))
)


@dataclass(frozen=True, slots=True)
class Counted:
    """A board as it counts for its game and its players."""

    game: str
    part: int
    ended_at: datetime | None
    """None: it is on."""
    players: frozenset[PlayerId]
    forfeiting: frozenset[PlayerId]
    """Those of them who have forfeited it, as far as the operator has not decided on it and they had ever moved, or
    joined its tournament; while it is on nobody."""


def counted(board: Board, ending: str | None, ended_at: datetime | None) -> Counted | None:
    """How a board counts; None: not at all, since it was declined or annulled.

    Args:
        board: the board.
        ending: why it is over, as it is stored; None: it is on.
        ended_at: since when.
    """
    if ending in UNPLAYED:
        return None
    forfeits = (
        board.seats[each.seat].player
        for each in board.events
        if each.kind is EventKind.FORFEIT
        and each.record != BY_OPERATOR
        and each.seat < len(board.seats)
        and (board.tournament is not None or board.has_answered(board.seats[each.seat].player))
    )
    forfeiting = frozenset(forfeits if ending else ())
    return Counted(board.game, board.number % _PARTS, ended_at, frozenset(board.players), forfeiting)


def note(connection: Connection, changes: Iterable[tuple[Counted | None, Counted | None]]) -> None:
    """Note how boards have counted before and count from now on; their rows have been written."""
    sums = _Sums()
    for before, after in changes:
        if before is not None:
            sums.add(before, -1)
        if after is not None:
            sums.add(after, 1)
    sums.write(connection)


def settle(connection: Connection, pairs: Collection[Pair]) -> None:
    """Bring up to date since when players have had no board of a game, for those who have a rating in it."""
    if pairs:
        connection.execute(_SETTLE, [{"player": player, "of_game": game} for player, game in sorted(pairs)])


class _Sums:
    """What boards together change of what was counted.

    Rows are written in the same order by everybody, so that on PostgreSQL nobody waits for who waits for him.
    """

    def __init__(self) -> None:
        self._players: defaultdict[Pair, Counter[str]] = defaultdict(Counter)
        self._games: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self._ended: dict[Pair, datetime] = {}
        self._taken_back: set[Pair] = set()

    def add(self, each: Counted, more: int) -> None:
        """Count a board once more, or with -1 once less."""
        what = "active" if each.ended_at is None else "finished"
        self._games[each.game, each.part][what] += more
        for player in each.players:
            pair = player, each.game
            self._players[pair][what] += more
            self._players[pair]["forfeits"] += more * (player in each.forfeiting)
            if each.ended_at is not None and more < 0:
                self._taken_back.add(pair)
            elif each.ended_at is not None:
                self._ended[pair] = max(each.ended_at, self._ended.get(pair, each.ended_at))

    def write(self, connection: Connection) -> None:
        """Write it."""
        for pair in sorted(self._players):
            self._write_player(connection, pair)
        settle(connection, self._players)
        for game, part in sorted(self._games):
            more = _named(self._games[game, part], "active", "finished", "players")
            mine = {"of_game": game, "of_part": part}
            if connection.execute(_ADD_UP, {**_as_more(more), **mine}).rowcount == 0:
                connection.execute(_BEGIN_TO_ADD, {"game": game, "part": part, **more})

    def _write_player(self, connection: Connection, pair: Pair) -> None:
        player, game = pair
        more, mine = _named(self._players[pair], "active", "finished", "forfeits"), {"player": player, "of_game": game}
        boards = more["active"] + more["finished"]
        total = connection.execute(_COUNT, {**_as_more(more), **mine}).scalar_one_or_none()
        if total is None:
            total = boards
            connection.execute(_BEGIN_TO_COUNT, {"player_id": player, "game": game, **more})
        if pair in self._taken_back:
            connection.execute(_END_ANEW, mine)
        elif pair in self._ended:
            connection.execute(_END, {**mine, "ended_at": self._ended[pair], "moment": self._ended[pair]})
        any_part = next(key for key in self._games if key[0] == game)
        self._games[any_part]["players"] += (total > 0) - (total - boards > 0)


def _named(sums: Counter[str], *names: str) -> dict[str, int]:
    return {name: sums[name] for name in names}


def _as_more(sums: dict[str, int]) -> dict[str, int]:
    return {f"more_{name}": more for name, more in sums.items()}
