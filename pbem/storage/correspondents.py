"""What addresses have been answered lately, in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from pbem.domain.correspondents import Correspondent
from pbem.domain.players import address_key
from pbem.storage.models import CorrespondentRow
from pbem.storage.repository import Repository

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

_LONGEST = 320
"""Characters of an address that are kept."""


class CorrespondentRepository(Repository[str, Correspondent]):
    """What addresses have been answered lately. Counts of letters handled at once may be lost; nothing else is."""

    def of(self, address: str, now: datetime) -> Correspondent:
        """The counts of an address as they stand now."""
        key = address_key(address)[:_LONGEST]
        if key in self.saved:
            return self.saved[key]
        query = select(*CorrespondentRow.__table__.c).where(CorrespondentRow.address_key == key)
        row = self._connect().execute(query).one_or_none()
        if row is None:
            return Correspondent.new(key, now)
        known = Correspondent(
            row.address_key, row.day, row.hour, row.answers, row.lately, row.unread, row.questions, row.said
        )
        return known.at(now)

    def save(self, correspondent: Correspondent) -> None:
        """Keep the counts of an address."""
        self.saved[correspondent.address] = correspondent

    def write(self, connection: Connection) -> None:
        """Write what was saved; who writes last is right."""
        for each in self.saved.values():
            values = {
                "day": each.day,
                "hour": each.hour,
                "answers": each.answers,
                "lately": each.lately,
                "unread": each.unread,
                "questions": each.questions,
                "said": each.said,
            }
            mine = CorrespondentRow.address_key == each.address
            if connection.execute(update(CorrespondentRow).where(mine).values(values)).rowcount == 0:
                connection.execute(insert(CorrespondentRow).values(address_key=each.address, **values))
