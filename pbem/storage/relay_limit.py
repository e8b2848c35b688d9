"""The mails that the relay takes within an hour, counted for all processes together.

A mail counts when it is taken out of the outbox, whatever becomes of it then: providers count what is tried.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from pbem.storage.models import RelayMinuteRow

_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)
_LOCK = 0x7062656E
"""Number of the advisory lock on PostgreSQL."""
_LATELY = RelayMinuteRow.minute.between(
    bindparam("ago", type_=RelayMinuteRow.minute.type), bindparam("now", type_=RelayMinuteRow.minute.type)
)
"""Minutes to come do not count: they are of a clock that was ahead."""
_TAKEN = select(func.coalesce(func.sum(RelayMinuteRow.mails), 0)).where(_LATELY)
_FIRST = select(func.min(RelayMinuteRow.minute)).where(_LATELY)


def take_room(connection: Connection, now: datetime, most: int, per_hour: int) -> int:
    """The number of mails, at most so many, that may be taken now; other processes wait for the transaction's end."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    return max(0, min(most, per_hour - _taken(connection, now)))


def count_taken(connection: Connection, now: datetime, mails: int) -> None:
    """Count mails that were taken, and forget those of earlier hours; less than none were counted before and not."""
    minute = _minute(now)
    connection.execute(delete(RelayMinuteRow).where(RelayMinuteRow.minute < minute - _HOUR))
    known = update(RelayMinuteRow).where(RelayMinuteRow.minute == minute).values(mails=RelayMinuteRow.mails + mails)
    if not connection.execute(known).rowcount:
        connection.execute(insert(RelayMinuteRow).values(minute=minute, mails=mails))


def full_until(connection: Connection, now: datetime, per_hour: int) -> datetime | None:
    """The moment from which the relay takes mails again; None: it does now."""
    if _taken(connection, now) < per_hour:
        return None
    first = connection.scalar(_FIRST, _within_hour(now))
    return None if first is None else first + _HOUR + _MINUTE


def _taken(connection: Connection, now: datetime) -> int:
    return int(connection.scalar(_TAKEN, _within_hour(now)) or 0)


def _within_hour(now: datetime) -> dict[str, datetime]:
    """The first and the last minute in which a mail can have been taken within the hour."""
    return {"ago": _minute(now) - _HOUR, "now": now}


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)
