"""The boards in play that may stand as a game stood once."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, union

from pbem.domain.events import EventKind
from pbem.domain.fingerprints import Lookalikes
from pbem.storage.models import BoardRow, EventRow, SeatRow


def alike(connection: Connection, lookalikes: Lookalikes) -> list[int]:
    """The numbers of the active boards that are looked for, lowest first."""
    on = select(BoardRow.number).where(BoardRow.active, BoardRow.game == lookalikes.game)
    his = select(SeatRow.board_number).where(SeatRow.player_id == lookalikes.player, SeatRow.active)
    found = union(
        on.where(BoardRow.fingerprint.in_(lookalikes.anybodys)),
        on.where(BoardRow.fingerprint.in_(lookalikes.players), BoardRow.number.in_(his)),
    )
    return sorted({*connection.scalars(found), *_without_fingerprint(connection, lookalikes)})


def _without_fingerprint(connection: Connection, lookalikes: Lookalikes) -> list[int]:
    """Boards that nobody has moved at for long, whose last move stands in the game, or was taken back."""
    old = select(BoardRow.number).where(
        BoardRow.game == lookalikes.game, BoardRow.active, BoardRow.fingerprint.is_(None)
    )
    # mostly there is none, which PostgreSQL would not guess: the order leads it to the index
    if connection.scalar(old.order_by(BoardRow.fingerprint).limit(1)) is None:
        return []
    turns = select(EventRow.board_number, func.max(EventRow.number).label("number"))
    turns = turns.where(EventRow.board_number.in_(old))
    turns = turns.where(EventRow.kind.in_((EventKind.MOVE, EventKind.UNDO))).group_by(EventRow.board_number)
    last = turns.subquery()
    is_last = (EventRow.board_number == last.c.board_number) & (EventRow.number == last.c.number)
    found = connection.execute(select(EventRow.board_number, EventRow.kind, EventRow.record).join(last, is_last))
    return [row.board_number for row in found if row.kind == EventKind.UNDO or row.record in lookalikes.records]
