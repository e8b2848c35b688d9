"""Backups that the server makes by itself, one process at a time."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from time import monotonic

import structlog

from pbem.domain.backups import BackupSchedule, file_name
from pbem.storage.backups import BackupLog
from pbem.workers.alarms import Alarms
from pbem.workers.child_processes import child_process, kill

log = structlog.get_logger()

BACKUP_ALARM = "backup"
LONGEST = timedelta(hours=6)
"""The time that a backup may take at most."""
_LEFT_BEHIND = timedelta(days=1)
"""Nobody is at work any more on files as old as this that have not got their names yet."""


class BackupRunner:
    """Makes a backup when one is due, in a child process, and deletes those that are too old.

    Args:
        backups: what became of them, and the lease.
        folder: where they are kept.
        schedule: says when one is due, and which are too old.
        make: makes one in the child; returns why it could not, nothing if it could.
        unfinished: patterns for the names of what is left behind when that is killed.
        alarms: told when it could not.
    """

    def __init__(
        self,
        backups: BackupLog,
        folder: Path,
        schedule: BackupSchedule,
        make: Callable[[Path], str],
        unfinished: tuple[str, ...],
        alarms: Alarms,
    ) -> None:
        self._backups = backups
        self._folder = folder
        self._schedule = schedule
        self._make = make
        self._unfinished = unfinished
        self._alarms = alarms
        self._child: ProcessPoolExecutor | None = None
        self._is_ending = False
        self._lock = Lock()

    def end_soon(self) -> None:
        """Give up the backup under way, and begin no other."""
        with self._lock:
            self._is_ending = True
            if self._child is not None:
                kill(self._child)

    def step(self, now: datetime | None = None) -> bool:
        """Make a backup if one is due and no other process makes one; False, since there is time until the next.

        Raises:
            SQLAlchemyError: it cannot be noted.
        """
        now = now or datetime.now(UTC)
        state = self._backups.state()
        if state.failed_at is None:
            self._alarms.settle(BACKUP_ALARM, now)  # another process may have made one
        if not self._schedule.is_due(state, now) or not self._backups.hold(now):
            return False
        if not self._schedule.is_due(self._backups.state(), now):  # another process has just made one
            self._backups.let_go()
            return False
        self._attempt(now)
        return False

    def _attempt(self, now: datetime) -> None:
        file, began = self._folder / file_name(now), monotonic()
        self._clear_up(now)
        why = self._in_child(file)
        if self._is_ending and why:
            self._backups.let_go()
            return
        try:
            octets = 0 if why else file.stat().st_size
        except OSError as gone:
            why = str(gone)
        if why:
            log.error("backup failed", file=str(file), why=why)
            self._alarms.raise_(BACKUP_ALARM, why, now)
            self._backups.failed(now, why)
            return
        self._backups.made(now, file.name, octets)
        seconds = round(monotonic() - began, 1)
        log.info("backup made", file=str(file), octets=octets, seconds=seconds, deleted=self._delete_old(now))
        self._alarms.settle(BACKUP_ALARM, now)

    def _in_child(self, file: Path) -> str:
        """Make one; return why it could not be made, nothing if it was."""
        with self._lock:
            if self._is_ending:
                return "the server ends"
            child = self._child = child_process()
            made = child.submit(self._make, file)
        try:
            return made.result()
        except BrokenProcessPool:
            return "the process that made it was ended, perhaps for lack of memory"
        finally:
            with self._lock:
                self._child = None
            child.shutdown()

    def _delete_old(self, now: datetime) -> int:
        """Delete those that are too old, with their keys; return how many."""
        deleted = 0
        try:
            for name in self._schedule.expired([each.name for each in self._folder.iterdir()], now):
                (self._folder / name).unlink()
                (self._folder / f"{name}.key").unlink(missing_ok=True)
                deleted += 1
        except OSError as failed:
            log.warning("old backup not deleted", file=str(failed.filename), why=failed.strerror)
        return deleted

    def _clear_up(self, now: datetime) -> None:
        """Delete what was left behind by processes that were killed."""
        for pattern in self._unfinished:
            for path in self._folder.glob(pattern):
                with suppress(OSError):
                    if path.stat().st_mtime < (now - _LEFT_BEHIND).timestamp():
                        (shutil.rmtree if path.is_dir() else Path.unlink)(path)
