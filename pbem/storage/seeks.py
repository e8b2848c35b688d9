"""Seeks in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select, update

from pbem.domain.seeks import Seek, Sought
from pbem.errors import Conflict
from pbem.ids import PlayerId, SeekId
from pbem.storage.clocks import clock_of, clock_values
from pbem.storage.models import PlayerRow, SeekRow
from pbem.storage.players import IS_HERE
from pbem.storage.repository import Repository, each_readable


class SeekRepository(Repository[SeekId, Seek]):
    """The seeks of players who are here.

    Two that begin at the same time want the same id, so that one of them is decided upon again, with the other in view.
    """

    def next_id(self) -> SeekId:
        """An id for a new seek; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return SeekId(self._next(SeekRow.id, 1, self.saved))

    def games(self) -> Sequence[str]:
        """The games that several seeks are stored for."""
        here = select(SeekRow.game).join(PlayerRow, PlayerRow.id == SeekRow.player_id).where(IS_HERE)
        return self._connect().scalars(here.group_by(SeekRow.game).having(func.count() > 1)).all()

    def of_game(self, game: str) -> Sequence[Seek]:
        """The seeks for a game, the oldest first."""
        ids = self._connect().scalars(select(SeekRow.id).where(SeekRow.game == game)).all()
        found = each_readable(lambda some: self._read(SeekRow.id.in_(some)), ids, "seek")
        stored = [each for each in found if each.id not in self.saved]
        mine = [each for each in self.saved.values() if each.sought.game == game and each.wanted]
        return sorted([*stored, *mine], key=lambda each: (each.created_at, each.id))

    def count(self, game: str) -> int:
        """The number of boards of a game that are looked for, as stored."""
        sought = select(func.sum(SeekRow.wanted)).join(PlayerRow, PlayerRow.id == SeekRow.player_id)
        return int(self._connect().scalar(sought.where(SeekRow.game == game, IS_HERE)) or 0)

    def save(self, seek: Seek) -> None:
        """Add the seek, or replace it; one that wants nobody any more is forgotten.

        If somebody else has changed it meanwhile the commit is a `Conflict`.
        """
        self.saved[seek.id] = seek

    def _read(self, which: ColumnElement[bool]) -> list[Seek]:
        query: Select[Any] = (
            select(*SeekRow.__table__.c, PlayerRow.userid)
            .join(PlayerRow, PlayerRow.id == SeekRow.player_id)
            .where(which, IS_HERE)
        )
        return [_seek(row) for row in self._connect().execute(query)]

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: somebody else has changed a seek meanwhile.
        """
        for seek in self.saved.values():
            if seek.revision == 0:
                if seek.wanted:
                    connection.execute(insert(SeekRow).values(id=seek.id, **_values(seek)))
                continue
            # an id may be given anew once its seek is over
            as_read = (
                (SeekRow.id == seek.id)
                & (SeekRow.revision == seek.revision)
                & (SeekRow.player_id == seek.player)
                & (SeekRow.created_at == seek.created_at)
            )
            change = update(SeekRow).values(_values(seek)) if seek.wanted else delete(SeekRow)
            if connection.execute(change.where(as_read)).rowcount == 0:
                raise Conflict(seek=seek.id)


def _seek(row: Row[Any]) -> Seek:
    clock = None if row.clock is None else clock_of(row.clock)
    return Seek(
        id=SeekId(row.id),
        player=PlayerId(row.player_id),
        userid=row.userid,
        sought=Sought(row.game, row.options, row.players, clock, row.rated),
        wanted=row.wanted,
        created_at=row.created_at,
        pace=None if row.pace is None else timedelta(seconds=row.pace),
        revision=row.revision,
    )


def _values(seek: Seek) -> dict[str, Any]:
    sought = seek.sought
    return {
        "player_id": seek.player,
        "game": sought.game,
        "options": dict(sought.options),
        "clock": None if sought.clock is None else clock_values(sought.clock),
        "rated": sought.rated,
        "players": sought.players,
        "wanted": seek.wanted,
        "pace": None if seek.pace is None else int(seek.pace.total_seconds()),
        "created_at": seek.created_at,
        "revision": seek.revision + 1,
    }
