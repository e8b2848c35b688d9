"""The backups that the server makes by itself, wired; loaded only where it does."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from functools import partial
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from pbem.bootstrap.parts import Parts
from pbem.bootstrap.upkeep import RESTORED, back_up, complaint
from pbem.config import BadSetting, Settings
from pbem.domain.backups import BackupSchedule
from pbem.storage.backups import BackupLog
from pbem.storage.copying import NoCopy
from pbem.workers.alarms import Alarms
from pbem.workers.backups import LONGEST, BackupRunner


def make_backup_runner(settings: Settings, folder: str, parts: Parts, alarms: Alarms) -> BackupRunner:
    """The runner that makes backups in a folder."""
    schedule = BackupSchedule(timedelta(hours=settings.backup_hours), timedelta(days=settings.keep_backup_days))
    backups = BackupLog(parts.engine, folder, parts.owner, LONGEST)
    unfinished = (f"{RESTORED}*", "pbem-*.db.new", "pbem-*.db.key.new")
    return BackupRunner(backups, Path(folder), schedule, partial(make_backup, settings), unfinished, alarms)


def make_backup(settings: Settings, to: Path) -> str:
    """Make a backup, in a process of its own; return why it could not be made, nothing if it was."""
    try:
        back_up(settings, to, lambda _progress: None)
    except (BadSetting, NoCopy, OSError, sqlite3.Error, SQLAlchemyError) as failed:
        return " ".join(complaint(failed).split())
    return ""
