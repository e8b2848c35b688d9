"""Things that an operator should look after, the most urgent first, each with the command that helps.

The web page and the command line show them, and alerts are set by the same bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.domain.administration import Depths
from pbem.domain.backups import BackupState

LETTERS_WAIT = timedelta(minutes=10)
"""A letter is answered within a second; one that waits longer than this waits for something that does not come."""
MAILS_WAIT = timedelta(minutes=30)
"""A relay on the same machine takes each mail at once."""
ROBOTS_WAIT = timedelta(hours=2)
"""The longest thoughts take minutes, and there may be a queue."""
BACKUP_LASTS = timedelta(hours=50)
"""Those that the server does not make itself are made every night; one may have failed."""
LEAST_SHARE, LEAST_BYTES = 0.1, 500_000_000
"""The share of the disk, or the bytes, that should be free: whichever is less."""
FEWEST_BYTES = 100_000_000
"""A disk with less free than this will be full soon."""


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk that holds an SQLite database."""

    free: int
    """Bytes."""
    size: int

    @property
    def is_short(self) -> bool:
        """Return True if less is free than should be."""
        return self.free < min(LEAST_SHARE * self.size, LEAST_BYTES) or self.is_nearly_full

    @property
    def is_nearly_full(self) -> bool:
        """Return True if it will be full soon."""
        return self.free < FEWEST_BYTES


@dataclass(frozen=True, slots=True)
class ServerCondition:
    """The condition of a server at a moment."""

    now: datetime
    depths: Depths
    disk: Disk | None
    """None if the database is on a database server."""
    backups: BackupState | None
    """None if nobody has said where they are kept."""
    backup_lasts: timedelta
    """The age up to which the last good one is good enough."""
    schema: str | None
    """The version of the tables."""
    schema_wanted: str
    is_writable: bool
    relay_full_until: datetime | None = None
    """When the relay may get mails again, if it has had as many as it may within the hour."""


@dataclass(frozen=True, slots=True)
class Attention:
    """Something to look after."""

    what: str
    """Its name in `templates`, such as ``letters_wait``."""
    command: str
    """The command that helps, or shows more."""
    is_urgent: bool = False
    """True if players notice it, or will soon."""
    count: int = 1
    since: datetime | None = None


def judge(condition: ServerCondition) -> list[Attention]:
    """The things that need attention, the most urgent first."""
    found = [*_of_database(condition), *_of_letters(condition), *_of_mails(condition), *_of_players(condition)]
    return sorted(found, key=lambda each: not each.is_urgent)


def _of_database(condition: ServerCondition) -> Iterator[Attention]:
    if not condition.is_writable:
        yield Attention("not_writable", "pbem db check", is_urgent=True)
    if condition.schema != condition.schema_wanted:
        yield Attention("other_schema", "pbem db check", is_urgent=True)
    disk = condition.disk
    if disk is not None and disk.is_short:
        yield Attention("disk_short", "df -h", is_urgent=disk.is_nearly_full, count=disk.free // 1_000_000)
    backups = condition.backups
    if backups is not None and backups.failed_at is not None:
        yield Attention("backup_failed", "pbem doctor", since=backups.failed_at)
    elif backups is not None and (backups.made_at is None or condition.now - backups.made_at > condition.backup_lasts):
        yield Attention("backup_old", "pbem doctor", since=backups.made_at)


def _of_letters(condition: ServerCondition) -> Iterator[Attention]:
    depths = condition.depths
    if _is_older(depths.letters_since, LETTERS_WAIT, condition):
        waiting = depths.letters_waiting
        yield Attention("letters_wait", "pbem admin letters", is_urgent=True, count=waiting, since=depths.letters_since)
    if depths.letters_shunted:
        yield Attention(
            "letters_shunted", "pbem admin shunted list", count=depths.letters_shunted, since=depths.shunted_since
        )
    if _is_older(depths.robots_since, ROBOTS_WAIT, condition):
        yield Attention("robots_wait", "pbem admin robots list", count=depths.robots_waiting, since=depths.robots_since)
    if depths.robots_stuck:
        yield Attention("robots_stuck", "pbem admin robots list --shunted", count=depths.robots_stuck)


def _of_mails(condition: ServerCondition) -> Iterator[Attention]:
    depths, command = condition.depths, "pbem admin outbox list"
    if condition.relay_full_until is not None and depths.mails_waiting:
        yield Attention("relay_limit", command, count=depths.mails_waiting, since=depths.mails_since)
    elif _is_older(depths.mails_since, MAILS_WAIT, condition):
        since, is_refused = depths.mails_since, depths.mails_resting > 0
        what = "relay_fails" if is_refused else "mails_wait"
        yield Attention(what, command, is_urgent=True, count=depths.mails_waiting, since=since)
    if depths.mails_postponed:
        yield Attention("strangers_wait", "pbem admin outbox list", count=depths.mails_postponed)
    if depths.mails_failed:
        yield Attention("mails_failed", command, count=depths.mails_failed, since=depths.failed_since)


def _of_players(condition: ServerCondition) -> Iterator[Attention]:
    depths = condition.depths
    if depths.reports_open:
        yield Attention(
            "reports_open", "pbem admin reports list", count=depths.reports_open, since=depths.reports_since
        )
    if depths.suppressed_lately:
        yield Attention("suppressed_lately", "pbem admin suppressed list", count=depths.suppressed_lately)


def _is_older(since: datetime | None, than: timedelta, condition: ServerCondition) -> bool:
    return since is not None and condition.now - since > than
