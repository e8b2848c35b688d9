"""How a server is doing: what lies in its database, the disk and the backups around it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.bootstrap.database import sqlite_path
from pbem.config import Settings
from pbem.domain.depths import Depths
from pbem.storage import schema
from pbem.storage.depths import depths
from pbem.storage.engine import reading
from pbem.usecases.admin.attention import Disk, ServerCondition


def condition(engine: Engine, settings: Settings, now: datetime, *, is_writable: bool = True) -> ServerCondition:
    """How the server is doing at a moment.

    Args:
        engine: of its database.
        settings: say where the database and its backups are.
        now: the moment.
        is_writable: whether the database could be written lately, where somebody knows.

    Raises:
        SQLAlchemyError: the database does not answer.
    """
    found, wanted = schema.revisions(engine)
    with reading(engine) as connection:
        lies = depths(connection, now)
    return ServerCondition(
        now=now,
        depths=lies,
        disk=_disk(settings),
        has_backups=settings.backup_folder is not None,
        backup_at=_backup_at(settings),
        schema=found,
        schema_wanted=wanted,
        is_writable=is_writable,
    )


def gauges(engine: Engine, settings: Settings) -> Mapping[str, float] | None:
    """What the metrics show of it; None: the database does not answer."""
    now = datetime.now(UTC)
    try:
        with reading(engine) as connection:
            lies = depths(connection, now)
    except SQLAlchemyError:
        return None
    disk, backup_at = _disk(settings), _backup_at(settings)
    on_disk = {} if disk is None else {"disk_free_bytes": disk.free, "disk_size_bytes": disk.size}
    made = {} if backup_at is None else {"backup_age_seconds": (now - backup_at).total_seconds()}
    expected = {"backup_expected": float(settings.backup_folder is not None)}
    return {**_lying(lies, now), **on_disk, **expected, **made}


def _lying(lies: Depths, now: datetime) -> Mapping[str, float]:
    def age(since: datetime | None) -> float:
        return 0 if since is None else max(0, (now - since).total_seconds())

    return {
        "inbox_waiting": lies.letters_waiting,
        "inbox_oldest_seconds": age(lies.letters_since),
        "inbox_shunted": lies.letters_shunted,
        "outbox_waiting": lies.mails_waiting,
        "outbox_oldest_seconds": age(lies.mails_since),
        "outbox_resting": lies.mails_resting,
        "outbox_failed": lies.mails_failed,
        "addresses_suppressed": lies.addresses_suppressed,
        "reports_open": lies.reports_open,
        "robots_waiting": lies.robots_waiting,
        "robots_oldest_seconds": age(lies.robots_since),
        "robots_stuck": lies.robots_stuck,
        "analyses_waiting": lies.analyses_waiting,
    }


def _disk(settings: Settings) -> Disk | None:
    """The disk on which an SQLite database is; None where it is another one."""
    path = sqlite_path(settings)
    if path is None:
        return None
    try:
        usage = shutil.disk_usage(path.absolute().parent)
    except OSError:
        return None
    return Disk(usage.free, usage.total)


def _backup_at(settings: Settings) -> datetime | None:
    """When the newest backup was made; None if there is none, or nobody has said where."""
    if settings.backup_folder is None:
        return None
    made = []
    for file in Path(settings.backup_folder).glob("*.db"):
        try:
            made.append(file.stat().st_mtime)
        except OSError:  # it is just being taken away
            continue
    return datetime.fromtimestamp(max(made), UTC) if made else None
