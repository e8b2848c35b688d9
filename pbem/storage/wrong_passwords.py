"""Wrong passwords, in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, select, text

from pbem.storage.models import WrongPasswordRow
from pbem.storage.repository import Repository
from pbem.usecases.ports import Conflict, WrongAttempt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.usecases.ports import MostWrong

_LIKE = (
    select(WrongPasswordRow.at, WrongPasswordRow.userid, WrongPasswordRow.domain)
    .where((WrongPasswordRow.userid == bindparam("mine")) | (WrongPasswordRow.domain == bindparam("ours")))
    .where(WrongPasswordRow.at > bindparam("since"))
    .order_by(WrongPasswordRow.at, WrongPasswordRow.id)
)


class WrongPasswordRepository(Repository[int, WrongAttempt]):
    """Wrong passwords; letters handled at once do not see each other's, but what is reserved sees all."""

    _notes = ("saved", "_reserved", "_right")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._reserved: tuple[tuple[WrongAttempt, datetime, MostWrong], ...] = ()
        self._right: tuple[WrongAttempt, ...] = ()

    def like(self, attempt: WrongAttempt, since: datetime) -> Sequence[WrongAttempt]:
        """Those since a moment with the same userid or domain, oldest first."""
        found = self._connect().execute(_LIKE, {"mine": attempt.userid, "ours": attempt.domain, "since": since})
        stored = [WrongAttempt(row.at, row.userid, row.domain) for row in found]
        mine = [each for each in self.saved.values() if attempt.userid == each.userid or attempt.domain == each.domain]
        return [*stored, *mine]

    def add(self, attempt: WrongAttempt) -> None:
        """Note one."""
        self.saved[len(self.saved)] = attempt

    def reserve(self, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
        """Note one before it is known whether it is wrong."""
        self.add(attempt)
        self._reserved = (*self._reserved, (attempt, since, most))

    def take_back(self, attempt: WrongAttempt) -> None:
        """Forget one that was right after all."""
        self._right = (*self._right, attempt)

    def write(self, connection: Connection) -> None:
        """Write what was noted.

        Raises:
            Conflict: others have taken the places of what was reserved.
        """
        if self._reserved and connection.dialect.name != "sqlite":  # there only one writes at a time
            connection.execute(text("LOCK TABLE wrong_passwords IN SHARE ROW EXCLUSIVE MODE"))
        for attempt, since, most in self._reserved:
            _check_room(connection, attempt, since, most)
        for attempt in self._right:
            _forget(connection, attempt)
        rows = [{"at": each.at, "userid": each.userid, "domain": each.domain} for each in self.saved.values()]
        if rows:
            connection.execute(insert(WrongPasswordRow), rows)


def _check_room(connection: Connection, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
    row = WrongPasswordRow
    limits = ((row.userid == attempt.userid, most.of_userid), (row.domain == attempt.domain, most.of_domain))
    for same, limit in limits:
        query = select(func.count()).select_from(row).where(same, row.at > since)
        if limit is not None and (connection.scalar(query) or 0) >= limit:
            raise Conflict(wrong_passwords=limit)


def _forget(connection: Connection, attempt: WrongAttempt) -> None:
    row = WrongPasswordRow
    this = (row.at == attempt.at) & (row.userid == attempt.userid) & (row.domain == attempt.domain)
    first = select(func.min(row.id)).where(this).scalar_subquery()
    connection.execute(delete(row).where(row.id == first))
