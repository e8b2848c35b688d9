"""The state of the backups in a folder, as all processes see it; one at a time makes them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, update

from pbem.domain.backups import BackupState
from pbem.storage.engine import reading, writing
from pbem.storage.leases import NamedLease
from pbem.storage.models import BackupRow


def backup_state(connection: Connection, folder: str) -> BackupState:
    """The state of the backups in a folder."""
    row = BackupRow
    found = connection.execute(
        select(row.made_at, row.file, row.octets, row.failed_at, row.why).where(row.name == folder)
    ).first()
    if found is None:
        return BackupState()
    return BackupState(found.made_at, found.file or "", found.octets or 0, found.failed_at, found.why or "")


class BackupLog(NamedLease):
    """The outcome of the last backups in a folder, and the lease for making one."""

    row = BackupRow

    def state(self) -> BackupState:
        """The state as it is now."""
        with reading(self._engine) as connection:
            return backup_state(connection, self._name)

    def made(self, at: datetime, file: str, octets: int) -> None:
        """Note a good one; the lease ends."""
        self._note(made_at=at, file=file, octets=octets, failed_at=None, why=None)

    def failed(self, at: datetime, why: str) -> None:
        """Note that an attempt has failed; the lease ends."""
        self._note(failed_at=at, why=why)

    def _note(self, **values: object) -> None:
        free = {"lease_owner": None, "lease_until": None}
        with writing(self._engine) as connection:
            connection.execute(update(BackupRow).where(self._is_it).values(values | free))
