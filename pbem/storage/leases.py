"""What inbox, outbox and the tasks of robots have in common: rows wait, are leased to one worker, and tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, func, literal_column, or_, select, union, update

from pbem.storage.bell import HOLDERS
from pbem.storage.engine import reading, writing
from pbem.storage.models import LetterRow, MailRow, TaskRow

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime, timedelta

    from sqlalchemy import BindParameter, ColumnElement, Engine

    Waiting = type[LetterRow | MailRow | TaskRow]
    Moment = datetime | BindParameter[datetime]


def is_waiting(row: Waiting) -> ColumnElement[bool]:
    """Whether a row waits, in the words of the indexes: its state stands in the query and is not given to it."""
    waiting: ColumnElement[bool] = row.state == literal_column("'waiting'")
    return waiting


def is_due(row: Waiting, now: Moment) -> ColumnElement[bool]:
    """Whether a row may be tried.

    One that was never tried may always be: the clock may have been ahead when it came.
    """
    return or_(row.next_attempt_at <= now, and_(row.attempts == 0, row.last_error.is_(None)))


def is_free(row: Waiting, now: Moment) -> ColumnElement[bool]:
    """Whether nobody has a row."""
    return or_(row.lease_until.is_(None), row.lease_until < now)


def is_held(row: Waiting, by: Collection[str] | None) -> ColumnElement[bool]:
    """Whether a row is leased to one of these; None: to anybody."""
    whose = row.lease_until.is_not(None) if by is None else row.lease_owner.in_(by)
    return and_(is_waiting(row), whose)


_HOLDERS = union(
    *(
        select(row.lease_owner).where(is_waiting(row), row.lease_owner.is_not(None))
        for row in (LetterRow, MailRow, TaskRow)
    )
).subquery()
_DEAD = select(_HOLDERS.c.lease_owner).where(
    func.pg_try_advisory_xact_lock(HOLDERS, func.hashtext(_HOLDERS.c.lease_owner))
)


def dead_holders(engine: Engine) -> set[str]:
    """The processes that have leases and no bell: they have died, or have just lost their connection.

    On SQLite nobody is found: there the one process takes all over that another had, at its start.
    """
    if engine.dialect.name != "postgresql":
        return set()
    with reading(engine) as connection:
        return {owner for owner in connection.scalars(_DEAD) if owner is not None}


def pull_in(engine: Engine, row: Waiting, now: datetime, longest: timedelta, lease: timedelta) -> int:
    """Bring the times of waiting rows near that lie too far ahead; return how many there were."""
    changed = 0
    with writing(engine) as connection:
        for column, latest in ((row.next_attempt_at, now + longest), (row.lease_until, now + lease)):
            late = update(row).where(is_waiting(row), column > latest)
            changed += connection.execute(late.values({column: latest})).rowcount
    return changed


def count_states(engine: Engine, row: Waiting) -> dict[str, int]:
    """How many rows are in each state."""
    with reading(engine) as connection:
        return dict(connection.execute(select(row.state, func.count()).group_by(row.state)).all())
