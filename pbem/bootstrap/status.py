"""The state of a server: for health checks, metrics and operators."""

from __future__ import annotations

import platform
import resource
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.bootstrap.database import sqlite_path
from pbem.bootstrap.processes import Others
from pbem.config import Settings
from pbem.domain.administration import Depths
from pbem.domain.backups import BackupSchedule, BackupState
from pbem.mail_in.doors import Door
from pbem.meters import DepthsCollector, Meters, WholeServer, summary
from pbem.storage import schema
from pbem.storage.backups import backup_state
from pbem.storage.engine import reading
from pbem.storage.leases import holders
from pbem.storage.overview import MOST_COUNTED, depths, letters_since
from pbem.storage.relay_limit import full_until
from pbem.usecases.attention import BACKUP_LASTS, Disk, ServerCondition
from pbem.web.admin import ServerStatus
from pbem.workers.alarms import DatabaseWatch
from pbem.workers.runner import Loop

_NEVER = datetime.min.replace(tzinfo=UTC)


def condition(engine: Engine, settings: Settings, now: datetime, *, is_writable: bool = True) -> ServerCondition:
    """The condition of the server at a moment.

    Args:
        engine: of its database.
        settings: say where the database and its backups are.
        now: the moment.
        is_writable: the database could be written lately, if that is known.

    Raises:
        SQLAlchemyError: the database does not answer.
    """
    found, wanted = schema.revisions(engine)
    with reading(engine) as connection:
        lies, backups = depths(connection, now), _backups(settings, connection)
        per_hour = settings.relay_mails_per_hour
        until = None if per_hour is None or found != wanted else full_until(connection, now, per_hour)
    return ServerCondition(
        now=now,
        depths=lies,
        disk=_disk(settings),
        backups=backups,
        backup_lasts=_backup_lasts(settings),
        schema=found,
        schema_wanted=wanted,
        is_writable=is_writable,
        relay_full_until=until,
    )


def gauges(engine: Engine, settings: Settings) -> Mapping[str, float] | None:
    """The metrics about it; None: the database does not answer."""
    now = datetime.now(UTC)
    try:
        with reading(engine) as connection:
            lies, backups = depths(connection, now), _backups(settings, connection)
    except SQLAlchemyError:
        return None
    disk = _disk(settings)
    on_disk = {} if disk is None else {"disk_free_bytes": disk.free, "disk_size_bytes": disk.size}
    return {**_lying(lies, now), **on_disk, **_backup_gauges(settings, backups, now)}


def _backup_gauges(settings: Settings, backups: BackupState | None, now: datetime) -> Mapping[str, float]:
    if backups is None:
        return {"backup_expected": 0}
    expected = {"backup_expected": 1, "backup_lasts_seconds": _backup_lasts(settings).total_seconds()}
    at = backups.made_at
    return expected if at is None else {**expected, "backup_age_seconds": (now - at).total_seconds()}


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
        "outbox_postponed": lies.mails_postponed,
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


def _backups(settings: Settings, connection: Connection) -> BackupState | None:
    """The state of the backups; None if nobody has said where they are."""
    folder = settings.backup_folder
    if folder is None:
        return None
    if settings.backup_hours:
        return backup_state(connection, folder)
    return max(_found(Path(folder)), key=lambda each: each.made_at or _NEVER, default=BackupState())


def _found(folder: Path) -> Iterator[BackupState]:
    """The backups in a folder that somebody else makes."""
    for file in folder.glob("*.db"):
        with suppress(OSError):  # it is just being taken away
            seen = file.stat()
            yield BackupState(datetime.fromtimestamp(seen.st_mtime, UTC), file.name, seen.st_size)


def _backup_lasts(settings: Settings) -> timedelta:
    """The age up to which the newest backup is good enough."""
    hours = settings.backup_hours
    return BackupSchedule(timedelta(hours=hours), timedelta()).lasts if hours else BACKUP_LASTS


class HealthCheck:
    """The state of a process, from its start to its end; what is wrong is said in words for its operator.

    Args:
        engine: of the database.
        health: whether it could be written lately.
        others: the processes beside it, if it has started some.
    """

    def __init__(self, engine: Engine, health: DatabaseWatch, others: Others | None = None) -> None:
        self._others = others
        self._engine = engine
        self._health = health
        self._schema = schema.newest()  # now: files of a newer version may be put in place while this one runs
        self._closed = ["it is starting"]
        self._doors: Mapping[str, Door] = {}
        self._loops: Sequence[Loop] = ()

    def begin(self, doors: Mapping[str, Door], loops: Sequence[Loop]) -> None:
        """From now on work is taken: these doors are open, these loops have been started."""
        self._doors, self._loops, self._closed = doors, loops, []

    def end(self) -> None:
        """From now on no new work is taken; what is under way is finished."""
        self._closed = ["it is ending"]

    def stuck(self) -> list[str]:
        """The loops that do not go on, here and in the processes beside."""
        own = [f"the loop {loop.name} is stuck" for loop in self._loops if loop.is_stuck]
        return own + ([] if self._others is None or self._closed else self._others.stuck())

    def closed(self) -> list[str]:
        """Why no work is taken here now."""
        shut = [f"the {name} door is shut" for name, door in self._doors.items() if not door.is_open]
        return self._closed or shut

    def out_of_order(self) -> list[str]:
        """The faults of the database."""
        try:
            found, _ = schema.revisions(self._engine)
        except SQLAlchemyError:
            return ["the database does not answer"]
        if found != self._schema:
            return [f"the database has the tables of version {found}, wanted are those of {self._schema}"]
        return [] if self._health.is_well else ["the database cannot be written"]


class StatusReporter:
    """Looks how the server is doing, for the operator's page.

    Args:
        engine: of its database.
        settings: of the server.
        name: of this process.
        meters: what it counts.
        health: whether the database could be written lately.
        others: the processes beside it, if it has started some.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        name: str,
        meters: Meters,
        health: DatabaseWatch,
        others: Others | None = None,
    ) -> None:
        self.registry = meters.registry if others is None else WholeServer(meters.registry, others.metrics)
        self._engine = engine
        self._settings = settings
        self._name = name
        self._meters = meters
        self._health = health
        self._began_at = datetime.now(UTC)
        self._roles: Sequence[str] = ()

    def introduce(self, roles: Collection[str]) -> None:
        """Say in the metrics what this process is, and from now on what lies in its database."""
        self._roles = tuple(roles)
        self._meters.introduce(version("pbem"), roles)
        self._meters.watch_process()
        self._meters.registry.register(DepthsCollector(partial(gauges, self._engine, self._settings)))

    def look(self, now: datetime) -> ServerStatus:
        """The condition at a moment.

        Raises:
            SQLAlchemyError: the database does not answer.
        """
        with reading(self._engine) as connection:
            spans = {"hour": timedelta(hours=1), "day": timedelta(days=1)}
            lately = {name: letters_since(connection, now - span) for name, span in spans.items()}
            at_work = sorted({each.rpartition(":")[0] for each in holders(connection)})
        return ServerStatus(
            condition=condition(self._engine, self._settings, now, is_writable=self._health.is_well),
            letters_lately=lately,
            most_counted=MOST_COUNTED,
            counted=summary(self.registry),
            process={
                "name": self._name,
                "roles": self._roles,
                "started_at": self._began_at,
                "version": version("pbem"),
                "python": platform.python_version(),
                "database": self._engine.dialect.name,
                "most_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            },
            holders=at_work,
        )
