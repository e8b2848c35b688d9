"""What players write at boards, in the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, func, insert, select

from pbem.domain.remarks import Remark, RemarkKind
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.models import PlayerRow, RemarkRow
from pbem.storage.repository import Repository, readable_rows

_Key: TypeAlias = "tuple[BoardNumber, int, PlayerId, RemarkKind]"


class RemarkRepository(Repository["_Key", Remark]):
    """What players write at boards: one letter says a thing once, however many commands it has."""

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
            connection.execute(insert(RemarkRow).values(**values, kind=each.kind.value, text=each.text))


def _remark(row: Row[Any]) -> Remark:
    player, kind = PlayerId(row.player_id), RemarkKind(row.kind)
    return Remark(BoardNumber(row.board_number), row.event, player, row.userid, row.at, kind, row.text)
