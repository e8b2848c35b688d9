"""The place up to which a mailbox has been looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update

from pbem.storage.engine import reading, writing
from pbem.storage.leases import NamedLease
from pbem.storage.models import MailboxRow
from pbem.storage.troubles import Troubles


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


class MailboxMarks(NamedLease):
    """The mark of one mailbox, and its lease."""

    row = MailboxRow

    @property
    def troubles(self) -> Troubles:
        """The troubles with the mailbox."""
        return Troubles(self._engine, self._name)

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
