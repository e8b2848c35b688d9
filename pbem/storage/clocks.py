"""The clocks of boards in the database: their rules, and when each is to be looked at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, or_, select, update

from pbem.domain.boards import Board
from pbem.domain.clocks import ClockRules
from pbem.ids import BoardNumber
from pbem.storage.engine import writing
from pbem.storage.models import BoardRow
from pbem.storage.repository import Repository


def clock_of(values: Mapping[str, Any] | None) -> ClockRules:
    """The rules as they were stored; where there are none, the usual ones."""
    if values is None:
        return ClockRules()
    total, opening = values["total"], values.get("opening")
    return ClockRules(
        timedelta(seconds=values["nag"]),
        timedelta(seconds=values["forfeit"]),
        None if total is None else timedelta(seconds=total),
        values["own"],
        None if opening is None else clock_of(opening),
    )


def clock_values(clock: ClockRules) -> dict[str, Any]:
    """The rules as they are stored, in seconds."""
    opening = {} if clock.opening is None else {"opening": clock_values(clock.opening)}
    return {
        **opening,
        "nag": int(clock.nag.total_seconds()),
        "forfeit": int(clock.forfeit.total_seconds()),
        "total": None if clock.total is None else int(clock.total.total_seconds()),
        "own": clock.is_own,
    }


class ClockRepository(Repository[BoardNumber, "tuple[int, datetime | None]"]):
    """When the clocks of boards are to be looked at; each board that is written says it anew."""

    def due(self, now: datetime, most: int, without: Collection[BoardNumber] = ()) -> Sequence[BoardNumber]:
        """The active boards whose clocks are to be looked at by now, those that wait longest first."""
        query = (
            select(BoardRow.number)
            .where(BoardRow.active, BoardRow.clock_at <= now, BoardRow.number.not_in(without))
            .order_by(BoardRow.clock_at, BoardRow.number)
            .limit(most)
        )
        return [BoardNumber(number) for number in self._connect().scalars(query)]

    def postpone(self, board: Board, until: datetime | None) -> None:
        """Look at the clock of a board later (None: when something has happened), if it has not changed meanwhile."""
        self.saved[board.number] = board.revision, until

    def write(self, connection: Connection) -> None:
        """Write what was postponed."""
        for number, (revision, until) in self.saved.items():
            mine = (BoardRow.number == number) & (BoardRow.revision == revision)
            connection.execute(update(BoardRow).where(mine).values(clock_at=until))


def look_again(engine: Engine, now: datetime) -> int:
    """Have all clocks looked at that somebody was nagged by whose clock was ahead, or that seem to stand.

    Returns how many there are.
    """
    doubtful = or_(BoardRow.clock_at.is_(None), BoardRow.nagged_at > now, BoardRow.answer_nagged_at > now)
    with writing(engine) as connection:
        return connection.execute(update(BoardRow).where(BoardRow.active, doubtful).values(clock_at=now)).rowcount
