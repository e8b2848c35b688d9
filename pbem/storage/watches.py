"""Watches and remarks in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, and_, bindparam, delete, func, insert, or_, select

from pbem.domain.boards import Board
from pbem.domain.watches import ANY_BOARD, ANY_GAME, ANYBODY, Remark, RemarkKind, Watch, WatchKind
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.models import BoardRow, PlayerRow, RemarkRow, WatchRow
from pbem.storage.players import IS_HERE
from pbem.storage.prepared import Prepared
from pbem.storage.repository import Repository, numbered, one_of, readable_rows

_ALL = (
    select(*WatchRow.__table__.c, PlayerRow.userid)
    .join(PlayerRow, PlayerRow.id == WatchRow.player_id)
    .order_by(WatchRow.id)
)
_WHOLE_GAME = and_(WatchRow.board_number == ANY_BOARD, WatchRow.game.in_([ANY_GAME, bindparam("game")]))
_MINE = _ALL.where(WatchRow.player_id == bindparam("player"))
_OF_PLAYER = Prepared(_MINE)
_SAY = Prepared(insert(RemarkRow))
_OVER = Prepared(_MINE.where(WatchRow.board_number.in_(select(BoardRow.number).where(BoardRow.active.is_(False)))))


@cache
def _of_board(players: int) -> Prepared:
    """The query for the watches about a board with so many players."""
    others = one_of(WatchRow.other_id, "player", players, ANYBODY)
    about = or_(WatchRow.board_number == bindparam("board"), and_(_WHOLE_GAME, others))
    return Prepared(_ALL.where(about, IS_HERE))


class WatchRepository(Repository[Watch, bool]):
    """The watches of boards; for a watch is saved if it is to exist."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._of_boards: dict[tuple[BoardNumber, tuple[PlayerId, ...]], list[Watch]] = {}

    def of(self, player: PlayerId) -> Sequence[Watch]:
        """The watches of a player, in the order in which they were asked for."""
        return self._with_saved(self._read(_OF_PLAYER, player=player), lambda each: each.player == player)

    def of_board(self, board: Board) -> Sequence[Watch]:
        """The watches of remaining players that are about a board; read only once.

        Only those that name it are about a guest's board.
        """
        key = board.number, board.players
        if key not in self._of_boards:
            players = numbered("player", board.players)
            query = _of_board(len(players))
            self._of_boards[key] = self._read(query, board=board.number, game=board.game, **players)
        found = self._with_saved(self._of_boards[key], lambda each: each.covers(board))
        return [each for each in found if each.board == board.number] if board.of_guest else found

    def _with_saved(self, stored: Sequence[Watch], is_meant: Callable[[Watch], bool]) -> list[Watch]:
        kept = [each for each in stored if self.saved.get(each, True)]
        return [*kept, *(each for each, stays in self.saved.items() if stays and each not in kept and is_meant(each))]

    def over(self, player: PlayerId) -> Sequence[Watch]:
        """A player's watches of boards that are over: of these, only words are still to come."""
        return self._read(_OVER, player=player)

    def add(self, watch: Watch) -> None:
        """Watch this, too."""
        self.saved[watch] = True

    def drop(self, watch: Watch) -> None:
        """Watch this no more."""
        self.saved[watch] = False

    def _read(self, query: Prepared, **of: object) -> list[Watch]:
        return readable_rows(
            lambda: self._connect().execute(query.statement, of),
            _watch,
            "watch",
            at_once=lambda: query.rows(self._connect(), of),
        )

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for watch, stays in self.saved.items():
            values = {
                "player_id": watch.player,
                "what": watch.kind.value,
                "game": watch.game,
                "board_number": watch.board,
                "other_id": watch.other,
            }
            this = and_(*(getattr(WatchRow, name) == value for name, value in values.items()))
            if not stays:
                connection.execute(delete(WatchRow).where(this))
            elif connection.scalar(select(WatchRow.id).where(this)) is None:
                connection.execute(insert(WatchRow).values(values))


def _watch(row: Any) -> Watch:
    return Watch(
        player=PlayerId(row.player_id),
        kind=WatchKind(row.what),
        game=row.game,
        board=BoardNumber(row.board_number),
        other=PlayerId(row.other_id),
        userid=row.userid,
    )


_Key: TypeAlias = "tuple[BoardNumber, int, PlayerId, RemarkKind]"


class RemarkRepository(Repository["_Key", Remark]):
    """The remarks of players at boards: one letter says a thing once, however many commands it has."""

    def of_board(self, board: BoardNumber, most: int, but: Collection[PlayerId] = ()) -> Sequence[Remark]:
        """The last remarks that are stored for a board, oldest first, but for those of some players."""
        query = (
            select(*RemarkRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == RemarkRow.player_id)
            .where(RemarkRow.board_number == board, RemarkRow.player_id.not_in(but))
            .order_by(RemarkRow.id.desc())
            .limit(most)
        )
        return readable_rows(lambda: self._connect().execute(query), _remark, "remark")[::-1]

    def last_ids(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        """The id of the last remark that is stored, for those of these boards that have any."""
        row = RemarkRow
        last = select(row.board_number, func.max(row.id)).where(row.board_number.in_(boards)).group_by(row.board_number)
        return {BoardNumber(number): found for number, found in self._connect().execute(last)}

    def add(self, remark: Remark) -> None:
        """Keep a remark."""
        self.saved[remark.board, remark.event, remark.player, remark.kind] = remark

    def write(self, connection: Connection) -> None:
        """Write what was saved."""
        for each in self.saved.values():
            values = {"board_number": each.board, "event": each.event, "player_id": each.player, "at": each.at}
            _SAY.run_late(connection, {**values, "kind": each.kind.value, "text": each.text})


def _remark(row: Row[Any]) -> Remark:
    player, kind = PlayerId(row.player_id), RemarkKind(row.kind)
    return Remark(BoardNumber(row.board_number), row.event, player, row.userid, row.at, kind, row.text)
