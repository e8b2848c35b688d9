"""Deleting guests, and the boards at which they have played."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Engine, Select, delete, exists, func, select, text
from sqlalchemy.exc import OperationalError

from pbem.storage.engine import reading, writing
from pbem.storage.models import (
    BoardAnalysisRow,
    BoardRow,
    DigestEntryRow,
    EventRow,
    NoteRow,
    PauseRow,
    PlayerRow,
    RemarkRow,
    SeatRow,
    SessionRow,
    SolvedPuzzleRow,
    StudyRow,
    TaskRow,
    WatchRow,
)

GUESTS_AT_ONCE = 50
"""Guests that are deleted in one transaction, each with a few boards."""

_OF_BOARD = (TaskRow, BoardAnalysisRow, DigestEntryRow, WatchRow, RemarkRow, NoteRow, StudyRow)
_OF_GAME = (PauseRow, EventRow, SeatRow)
_OF_PLAYER = (SessionRow, SolvedPuzzleRow)
_LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code for a lock that was not had in time."""


def forget_guests(engine: Engine, now: datetime, most: int = GUESTS_AT_ONCE) -> int:
    """Delete some of the guests whose time is up, with their boards; return how many.

    The newest player and the newest board stay, and with them their guest: nobody else is ever to have their number.
    """
    try:
        with reading(engine) as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SET LOCAL lock_timeout = '1s'"))
            if connection.scalar(_guests(now).limit(1)) is None:
                return 0
    except OperationalError as failed:
        if getattr(failed.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        return 0  # somebody holds the table: there is time, and a server that ends does not wait for it
    with writing(engine) as connection:
        guests = list(connection.scalars(_guests(now).limit(most)))
        _delete(connection, guests)
        return len(guests)


def _guests(now: datetime) -> Select[int]:
    is_newest = PlayerRow.id == select(func.max(PlayerRow.id)).scalar_subquery()
    newest_board = select(func.max(BoardRow.number)).scalar_subquery()
    stays = exists().where(
        SeatRow.player_id == PlayerRow.id,
        SeatRow.board_number == BoardRow.number,
        ~BoardRow.of_guest | (BoardRow.number == newest_board),
    )
    return select(PlayerRow.id).where(
        PlayerRow.guest_until.is_not(None), PlayerRow.guest_until <= now, ~is_newest, ~stays
    )


def _delete(connection: Connection, guests: list[int]) -> None:
    boards = list(connection.scalars(select(SeatRow.board_number).where(SeatRow.player_id.in_(guests)).distinct()))
    for row in (*_OF_BOARD, *_OF_GAME):
        connection.execute(delete(row).where(row.board_number.in_(boards)))
    connection.execute(delete(BoardRow).where(BoardRow.number.in_(boards)))
    for owned in _OF_PLAYER:
        connection.execute(delete(owned).where(owned.player_id.in_(guests)))
    connection.execute(delete(PlayerRow).where(PlayerRow.id.in_(guests)))
