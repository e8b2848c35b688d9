"""Wrong passwords, in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from pbem.storage.models import WrongPasswordRow
from pbem.storage.repository import Repository
from pbem.usecases.ports import WrongPassword

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


class WrongPasswordRepository(Repository[int, WrongPassword]):
    """Wrong passwords; letters handled at once do not see each other's."""

    def like(self, attempt: WrongPassword, since: datetime) -> Sequence[WrongPassword]:
        """Those since a moment with the same userid or domain, oldest first."""
        same = (WrongPasswordRow.userid == attempt.userid) | (WrongPasswordRow.domain == attempt.domain)
        query = (
            select(WrongPasswordRow.at, WrongPasswordRow.userid, WrongPasswordRow.domain)
            .where(same, WrongPasswordRow.at > since)
            .order_by(WrongPasswordRow.at, WrongPasswordRow.id)
        )
        stored = [WrongPassword(row.at, row.userid, row.domain) for row in self._connect().execute(query)]
        mine = [each for each in self.saved.values() if attempt.userid == each.userid or attempt.domain == each.domain]
        return [*stored, *mine]

    def add(self, attempt: WrongPassword) -> None:
        """Note one."""
        self.saved[len(self.saved)] = attempt

    def write(self, connection: Connection) -> None:
        """Write what was noted."""
        rows = [{"at": each.at, "userid": each.userid, "domain": each.domain} for each in self.saved.values()]
        if rows:
            connection.execute(insert(WrongPasswordRow), rows)
