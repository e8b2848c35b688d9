"""What is kept for the daily mails, in the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from pbem.domain.digests import DigestEntry
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import writing
from pbem.storage.models import DigestEntryRow
from pbem.storage.repository import Noting

_LONGEST_WAIT = timedelta(hours=25)
"""From one daily mail to the next, on the day on which clocks are put back."""


def pull_in_digests(engine: Engine, now: datetime) -> int:
    """Let nothing wait for longer than a day: the clock was ahead when it was kept. Return how much there was."""
    latest = now + _LONGEST_WAIT
    late = update(DigestEntryRow).where(DigestEntryRow.due_at > latest)
    with writing(engine) as connection:
        return connection.execute(late.values(due_at=latest)).rowcount


class DigestRepository(Noting):
    """What is kept for the daily mails."""

    _notes = ("_new", "_told", "_due")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._new: tuple[DigestEntry, ...] = ()
        self._told: tuple[int, ...] = ()
        self._due: dict[PlayerId, datetime] = {}

    def add(self, entry: DigestEntry) -> None:
        """Keep something for the next daily mail of its player."""
        self._new = (*self._new, entry)

    def of(self, player: PlayerId) -> Sequence[DigestEntry]:
        """What is stored for a player, in the order in which it happened."""
        query = select(*DigestEntryRow.__table__.c).where(DigestEntryRow.player_id == player)
        return [
            DigestEntry(
                player=PlayerId(row.player_id),
                board=BoardNumber(row.board_number),
                at=row.at,
                due_at=row.due_at,
                writer=row.writer,
                comment=row.comment,
                id=row.id,
            )
            for row in self._connect().execute(query.order_by(DigestEntryRow.at, DigestEntryRow.id))
        ]

    def due(self, now: datetime, most: int) -> Sequence[PlayerId]:
        """Whose mail is due, who has waited longest first."""
        query = (
            select(DigestEntryRow.player_id)
            .where(DigestEntryRow.due_at <= now)
            .group_by(DigestEntryRow.player_id)
            .order_by(func.min(DigestEntryRow.due_at), DigestEntryRow.player_id)
            .limit(most)
        )
        return [PlayerId(each) for each in self._connect().scalars(query)]

    def told(self, entries: Sequence[DigestEntry]) -> None:
        """Keep these no longer; if somebody else has told them meanwhile, the commit is a `Conflict`."""
        self._told = (*self._told, *(each.id for each in entries))

    def put_off(self, player: PlayerId, until: datetime) -> None:
        """Have everything that is kept for a player told at this moment, be it sooner or later than it was."""
        self._new = tuple(replace(each, due_at=until) if each.player == player else each for each in self._new)
        self._due = {**self._due, player: until}

    def write(self, connection: Connection) -> None:
        """Write what was noted.

        Raises:
            Conflict: some of what is told has been told already.
        """
        if self._told:
            gone = connection.execute(delete(DigestEntryRow).where(DigestEntryRow.id.in_(self._told)))
            if gone.rowcount != len(self._told):
                raise Conflict(entries=len(self._told))
        for player, moment in self._due.items():
            mine = DigestEntryRow.player_id == player
            connection.execute(update(DigestEntryRow).where(mine).values(due_at=moment))
        rows = [
            {
                "player_id": each.player,
                "board_number": each.board,
                "at": each.at,
                "due_at": each.due_at,
                "writer": each.writer,
                "comment": each.comment,
            }
            for each in self._new
        ]
        if rows:
            connection.execute(insert(DigestEntryRow), rows)
