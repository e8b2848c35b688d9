"""Leases: rows that wait and are worked on by one worker at a time, and things that one process at a time does."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    and_,
    func,
    insert,
    literal_column,
    or_,
    select,
    true,
    union,
    update,
)
from sqlalchemy.exc import IntegrityError

from pbem.storage.engine import reading, writing
from pbem.storage.models import BackupRow, LetterRow, MailboxRow, MailRow, TaskRow
from pbem.storage.process_notifier import HOLDERS

Waiting = type[LetterRow | MailRow | TaskRow]
Moment = datetime | BindParameter[datetime]


_AT_ONCE = 1000
"""Rows that a statement names: a database takes so many values and no more, PostgreSQL 65,535."""


_ALL: ColumnElement[bool] = true()


class Rests(NamedTuple):
    """The times that a row rests before it is tried again."""

    usual: timedelta
    longest: timedelta


def is_in(row: Waiting, state: str) -> ColumnElement[bool]:
    """The condition that a row is in a state, as a literal, so that it matches the partial indexes."""
    there: ColumnElement[bool] = row.state == literal_column(f"'{state}'")
    return there


def is_waiting(row: Waiting) -> ColumnElement[bool]:
    """The condition that a row waits."""
    return is_in(row, "waiting")


def is_due(row: Waiting, now: Moment) -> ColumnElement[bool]:
    """The condition that a row may be tried.

    One that was never tried may always be: the clock may have been ahead when it came.
    """
    return or_(row.next_attempt_at <= now, and_(row.attempts == 0, row.last_error.is_(None)))


def is_free(row: Waiting, now: Moment) -> ColumnElement[bool]:
    """The condition that nobody holds a row."""
    return or_(row.lease_until.is_(None), row.lease_until < now)


def is_held(row: Waiting, by: Collection[str] | None) -> ColumnElement[bool]:
    """The condition that a row is leased to one of these; None: to anyone."""
    whose = row.lease_until.is_not(None) if by is None else row.lease_owner.in_(by)
    return and_(is_waiting(row), whose)


_HOLDERS = union(
    *(
        select(row.lease_owner).where(is_waiting(row), row.lease_owner.is_not(None))
        for row in (LetterRow, MailRow, TaskRow)
    ),
    *(select(row.lease_owner).where(row.lease_owner.is_not(None)) for row in (MailboxRow, BackupRow)),
).subquery()
_DEAD = select(_HOLDERS.c.lease_owner).where(
    func.pg_try_advisory_xact_lock(HOLDERS, func.hashtext(_HOLDERS.c.lease_owner))
)


def holders(connection: Connection) -> list[str]:
    """The processes that have letters, mails or tasks of robots in their hands, or a mailbox, or make a backup."""
    return sorted(filter(None, connection.scalars(select(_HOLDERS.c.lease_owner))))


def dead_holders(engine: Engine) -> set[str]:
    """The processes that have leases and no bell: they have died, or have just lost their connection.

    On SQLite nobody is found: there the one process takes all over that another had, at its start.
    """
    if engine.dialect.name != "postgresql":
        return set()
    with reading(engine) as connection:
        return {owner for owner in connection.scalars(_DEAD) if owner is not None}


def free(engine: Engine, row: Waiting, by: Collection[str] | None) -> int:
    """Free the rows that are leased to one of these (None: to anybody); return how many there were."""
    with writing(engine) as connection:
        held = update(row).where(is_held(row, by))
        return connection.execute(held.values(lease_owner=None, lease_until=None)).rowcount


def change(
    connection: Connection, row: Waiting, which: ColumnElement[bool], ids: Sequence[int], values: dict[str, Any]
) -> list[int]:
    """Change those of some rows that are of a kind; return which they were, lowest first."""
    changed: list[int] = []
    for start in range(0, len(ids), _AT_ONCE):
        mine = update(row).where(which, row.id.in_(ids[start : start + _AT_ONCE]))
        changed += connection.scalars(mine.values(values).returning(row.id))
    return sorted(changed)


def pull_in(
    engine: Engine,
    row: Waiting,
    now: datetime,
    rests: Rests,
    lease: timedelta,
    which: ColumnElement[bool] = _ALL,
) -> int:
    """Bring the times of those waiting rows near that lie too far ahead; return how many there were.

    How long a row was told to rest cannot be seen any more, and mostly that is not long.
    """
    changed = 0
    times = (row.next_attempt_at, rests.longest, rests.usual), (row.lease_until, lease, lease)
    with writing(engine) as connection:
        for column, longest, usual in times:
            late = update(row).where(is_waiting(row), column > now + longest, which)
            changed += connection.execute(late.values({column: now + usual})).rowcount
    return changed


def count_states(engine: Engine, row: Waiting) -> dict[str, int]:
    """The number of rows in each state."""
    with reading(engine) as connection:
        return dict(connection.execute(select(row.state, func.count()).group_by(row.state)).all())


class NamedLease:
    """A thing with a name that one process at a time does, as long as it has the lease of its row.

    Args:
        engine: of the database.
        name: of the thing.
        owner: this process.
        lease: the time after which another process may do it, unless this one asks for more.
    """

    row: ClassVar[type[MailboxRow | BackupRow]]

    def __init__(self, engine: Engine, name: str, owner: str, lease: timedelta) -> None:
        self._engine = engine
        self._is_it = self.row.name == name
        self._name = name
        self._owner = owner
        self._lease = lease

    def hold(self, now: datetime, longer: timedelta = timedelta(0)) -> bool:
        """Take the lease, or keep it for another while; False if another process has it."""
        row, leased = self.row, {"lease_owner": self._owner, "lease_until": now + self._lease + longer}
        is_ours = or_(row.lease_owner.is_(None), row.lease_until < now, row.lease_owner == self._owner)
        try:
            with writing(self._engine, lasting=False) as connection:
                if connection.execute(update(row).where(self._is_it, is_ours).values(leased)).rowcount:
                    return True
                if connection.scalar(select(row.name).where(self._is_it)) is not None:
                    return False
                connection.execute(insert(row).values(name=self._name, **leased))
        except IntegrityError:  # another process has taken it for the first time, just now
            return False
        return True

    def let_go(self) -> None:
        """Let another process have the lease."""
        with writing(self._engine, lasting=False) as connection:
            mine = update(self.row).where(self._is_it, self.row.lease_owner == self._owner)
            connection.execute(mine.values(lease_owner=None, lease_until=None))


def free_named(engine: Engine, dead: Collection[str] | None) -> int:
    """Free the things with names of processes that have died; None: of all. Return how many there were."""
    freed = 0
    with writing(engine) as connection:
        for row in (MailboxRow, BackupRow):
            whose = row.lease_owner.is_not(None) if dead is None else row.lease_owner.in_(dead)
            freed += connection.execute(update(row).where(whose).values(lease_owner=None, lease_until=None)).rowcount
    return freed
