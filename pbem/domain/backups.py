"""Backups that the server makes by itself: when the next one is due, and which are old enough to be deleted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

AGAIN = timedelta(hours=1)
"""The time after which one that failed is tried again."""
_TIME = "pbem-%Y%m%dT%H%M%SZ.db"
"""The name of a file, made of the moment of which it is."""


@dataclass(frozen=True, slots=True)
class BackupState:
    """The state of the backups in a folder."""

    made_at: datetime | None = None
    """The moment of which the last good one is; None: there is none."""
    file: str = ""
    """Its name."""
    octets: int = 0
    failed_at: datetime | None = None
    """When the last attempt failed; None: it did not."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class BackupSchedule:
    """The times at which backups are made, and for how long they are kept."""

    every: timedelta
    keep: timedelta

    @property
    def lasts(self) -> timedelta:
        """The age up to which the last good one is good enough: one may have failed."""
        return 2 * self.every + 2 * AGAIN

    def is_due(self, state: BackupState, now: datetime) -> bool:
        """Return True if one is to be made; a moment that is far ahead is of a clock that was wrong."""
        if state.failed_at is not None and now - AGAIN < state.failed_at <= now + AGAIN:
            return False
        at = state.made_at
        return state.failed_at is not None or at is None or not now - self.every < at <= now + AGAIN

    def expired(self, names: Iterable[str], now: datetime) -> list[str]:
        """The files among those of a folder that are to be deleted: those of ours, but never the newest."""
        ours = sorted((at, name) for name in names if (at := time_of(name)) is not None)
        return [name for at, name in ours[:-1] if at < now - self.keep]


def file_name(now: datetime) -> str:
    """The name of the file for a backup of a moment."""
    return now.strftime(_TIME)


def time_of(name: str) -> datetime | None:
    """The moment of which a backup of this name is; None if it is not one of ours."""
    try:
        return datetime.strptime(name, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
