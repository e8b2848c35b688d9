"""Troubles with a relay or a mailbox, as all processes see them: how long they last, and until when to rest."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, bindparam, case, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from pbem.storage.engine import reading, writing
from pbem.storage.models import TroubleRow
from pbem.storage.prepared import Prepared

_LONGEST_WHY = 300
_LAST = Prepared(select(*TroubleRow.__table__.c).where(TroubleRow.name == bindparam("which")))


@dataclass(frozen=True, slots=True)
class Trouble:
    """A trouble that began and is perhaps over."""

    since: datetime
    why: str
    """The last reason."""
    is_busy: bool
    """It says itself that it has had too much from us."""
    rest: timedelta
    """For how long it was left alone after the last attempt."""
    until: datetime
    over_at: datetime | None

    def rests(self, now: datetime) -> bool:
        """Return True if it is to be left alone; a moment further away than it can be is of a clock that was ahead."""
        return now < self.until <= now + self.rest


class Troubles:
    """The last trouble with one relay or mailbox.

    Args:
        engine: of the database.
        name: of the relay or mailbox.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name[:255]

    def last(self) -> Trouble | None:
        """The last one, which may be over; None if there never was any."""
        with reading(self._engine) as connection:
            rows = _LAST.rows(connection, {"which": self._name})
        for row in rows:
            rest = timedelta(seconds=row.rest_seconds)
            return Trouble(row.since, row.why, row.is_busy, rest, row.until, row.over_at)
        return None

    def current(self) -> Trouble | None:
        """The one that goes on."""
        last = self.last()
        return None if last is None or last.over_at is not None else last

    def note(self, why: str, now: datetime, rest: timedelta = timedelta(), *, is_busy: bool = False) -> datetime:
        """Note an attempt in vain, and for how long all processes make no other; return until when that is."""
        row, until = TroubleRow, now + rest
        noted = {
            "why": why[:_LONGEST_WHY],
            "is_busy": is_busy,
            "rest_seconds": int(rest.total_seconds()),
            "until": until,
            "over_at": None,
        }
        since = case((row.over_at.is_(None), row.since), else_=literal(now, row.since.type))
        known = update(row).where(row.name == self._name).values(since=since, **noted)
        with suppress(IntegrityError), writing(self._engine) as connection:  # another process notes it just now
            if not connection.execute(known).rowcount:
                connection.execute(insert(row).values(name=self._name, since=now, **noted))
        return until

    def over(self, now: datetime) -> None:
        """Note that an attempt has succeeded."""
        with writing(self._engine) as connection:
            goes_on = TroubleRow.over_at.is_(None)
            connection.execute(update(TroubleRow).where(TroubleRow.name == self._name, goes_on).values(over_at=now))
