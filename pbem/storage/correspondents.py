"""What addresses have been answered lately, in the database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from pbem.domain.correspondents import Correspondent
from pbem.domain.players import address_key
from pbem.errors import Conflict
from pbem.storage.models import CorrespondentRow
from pbem.storage.repository import Repository

_LONGEST = 320
"""Characters of an address that are kept."""
_MINE = CorrespondentRow.address_key == bindparam("which")
_READ = select(*CorrespondentRow.__table__.c).where(_MINE)
_WRITE = update(CorrespondentRow).where(_MINE)
_WRITE_AS_READ = _WRITE.where(
    CorrespondentRow.day == bindparam("day_read"), CorrespondentRow.questions == bindparam("questions_read")
)
_ADD = insert(CorrespondentRow)


class CorrespondentRepository(Repository[str, Correspondent]):
    """What addresses have been answered lately. Counts of letters handled at once may be lost; nothing else is."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._read: dict[str, tuple[datetime, int]] = {}
        """Of those that are in the database: the day, and how many questions."""
        self._strict: set[str] = set()

    def of(self, address: str, now: datetime) -> Correspondent:
        """The counts of an address as they stand now."""
        key = address_key(address)[:_LONGEST]
        if key in self.saved:
            return self.saved[key]
        row = self._connect().execute(_READ, {"which": key}).one_or_none()
        if row is None:
            return Correspondent.new(key, now)
        self._read[key] = row.day, row.questions
        known = Correspondent(
            row.address_key, row.day, row.hour, row.answers, row.lately, row.unread, row.questions, row.octets, row.said
        )
        return known.at(now)

    def save(self, correspondent: Correspondent, *, counts_strictly: bool = False) -> None:
        """Keep the counts of an address; strictly: decided anew if somebody else has counted meanwhile."""
        self.saved[correspondent.address] = correspondent
        if counts_strictly:
            self._strict.add(correspondent.address)

    def write(self, connection: Connection) -> None:
        """Write what was saved; who writes last is right, but for what is counted strictly.

        Raises:
            Conflict: somebody else has counted meanwhile.
        """
        for each in self.saved.values():
            values = {
                "day": each.day,
                "hour": each.hour,
                "answers": each.answers,
                "lately": each.lately,
                "unread": each.unread,
                "questions": each.questions,
                "octets": each.octets,
                "said": each.said,
            }
            mine, new = {**values, "which": each.address}, {**values, "address_key": each.address}
            if each.address in self._strict and each.address in self._read:
                day, questions = self._read[each.address]
                as_read = {**mine, "day_read": day, "questions_read": questions}
                if connection.execute(_WRITE_AS_READ, as_read).rowcount == 0:
                    raise Conflict(counted=each.address)
            elif each.address in self._strict or connection.execute(_WRITE, mine).rowcount == 0:
                connection.execute(_ADD, new)
