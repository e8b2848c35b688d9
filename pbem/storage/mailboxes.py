"""The place up to which a mailbox has been looked at, and the one process that fetches from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from pbem.storage.engine import reading, writing
from pbem.storage.models import MailboxRow


@dataclass(frozen=True, slots=True)
class MailboxMark:
    """The place up to which a mailbox has been looked at."""

    uid_validity: int
    """Numbers of letters (UIDs) mean something as long as this stays the same (RFC 9051 s 2.3.1.1)."""
    uid_next: int
    """Letters with lower numbers have been dealt with, or lay there at the first start."""
    began_at: datetime | None
    """When the newest letter came that lay there at the first start, by the mailbox's clock; None: there was none."""
    newest_at: datetime | None
    """When the newest letter came that was looked at, by the same clock."""


class MailboxMarks:
    """The mark of one mailbox, and its lease.

    Args:
        engine: of the database.
        name: of the mailbox.
        owner: this process.
        lease: the time after which another process may fetch, unless this one asks for more.
    """

    def __init__(self, engine: Engine, name: str, owner: str, lease: timedelta) -> None:
        self._engine = engine
        self._is_it = MailboxRow.name == name
        self._name = name
        self._owner = owner
        self._lease = lease

    def hold(self, now: datetime, longer: timedelta = timedelta(0)) -> bool:
        """Take the mailbox, or keep it for another while; False if another process has it."""
        leased = {"lease_owner": self._owner, "lease_until": now + self._lease + longer}
        is_free = or_(MailboxRow.lease_owner.is_(None), MailboxRow.lease_until < now)
        mine = update(MailboxRow).where(self._is_it, or_(is_free, MailboxRow.lease_owner == self._owner))
        try:
            with writing(self._engine, lasting=False) as connection:
                if connection.execute(mine.values(leased)).rowcount:
                    return True
                if connection.scalar(select(MailboxRow.name).where(self._is_it)) is not None:
                    return False
                connection.execute(insert(MailboxRow).values(name=self._name, **leased))
        except IntegrityError:  # another process has taken it for the first time, just now
            return False
        return True

    def let_go(self) -> None:
        """Let another process have the mailbox."""
        with writing(self._engine, lasting=False) as connection:
            mine = update(MailboxRow).where(self._is_it, MailboxRow.lease_owner == self._owner)
            connection.execute(mine.values(lease_owner=None, lease_until=None))

    def mark(self) -> MailboxMark | None:
        """The mark; None if the mailbox was never opened."""
        with reading(self._engine) as connection:
            row = connection.execute(
                select(MailboxRow.uid_validity, MailboxRow.uid_next, MailboxRow.began_at, MailboxRow.newest_at).where(
                    self._is_it
                )
            ).first()
        if row is None or row.uid_validity is None or row.uid_next is None:
            return None
        return MailboxMark(row.uid_validity, row.uid_next, row.began_at, row.newest_at)

    def keep(self, mark: MailboxMark) -> None:
        """Store the mark; on return it survives a power cut."""
        with writing(self._engine) as connection:
            connection.execute(
                update(MailboxRow)
                .where(self._is_it)
                .values(
                    uid_validity=mark.uid_validity,
                    uid_next=mark.uid_next,
                    began_at=mark.began_at,
                    newest_at=mark.newest_at,
                )
            )


def free_mailboxes(engine: Engine, dead: Collection[str] | None) -> int:
    """Free the mailboxes of processes that have died; None: of all. Return how many there were."""
    whose = MailboxRow.lease_owner.is_not(None) if dead is None else MailboxRow.lease_owner.in_(dead)
    with writing(engine) as connection:
        return connection.execute(update(MailboxRow).where(whose).values(lease_owner=None, lease_until=None)).rowcount
