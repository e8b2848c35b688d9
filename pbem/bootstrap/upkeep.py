"""Upkeep of a database, and the session of an operator at the command line."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.bootstrap import find_games
from pbem.bootstrap.database import (
    check_key,
    engine_of,
    existing_path,
    key_file,
    lock_file,
    signer_of,
    sqlite_path,
    using_database,
)
from pbem.bootstrap.parts import Parts, make_passwords, policy
from pbem.config import BadSetting, Settings, values
from pbem.domain.administration import Finding, Level
from pbem.executor import CommandExecutor
from pbem.storage import copying, schema
from pbem.storage.copying import Progress
from pbem.storage.unit_of_work import UnitOfWork
from pbem.storage.upkeep import Database, copy_key, make_file
from pbem.workers.admin_session import AdminSession, Archive
from pbem.workers.openings import count_anew
from pbem.workers.retention import differences

RESTORED = "pbem-restored-"
"""The beginning of the names of folders in which backups are restored for a look."""


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """The database to be looked after, whether or not a server is running on it.

    Raises:
        BadSetting: the database is not there.
    """
    path = existing_path(settings)
    engine = engine_of(settings)
    try:
        yield Database(engine, path, None if settings.secret_key or path is None else key_file(path))
    finally:
        engine.dispose()


def make_where_none_is(settings: Settings, name: str = "PBEM_DATABASE_URL") -> None:
    """Make an empty database that nobody else may read where there is no file of SQLite.

    Args:
        settings: say where.
        name: of the setting that says so.

    Raises:
        BadSetting: it cannot be made.
    """
    path = sqlite_path(settings)
    try:
        if path is not None and not path.exists():
            make_file(path)
    except OSError as failed:
        raise BadSetting(name, f"{path} cannot be made: {failed.strerror}") from None


def key_finding(settings: Settings) -> Finding | None:
    """The finding about the server's secret key; None if it is in the settings, which have been checked."""
    if settings.secret_key is not None:
        return None
    try:
        said = check_key(settings)
    except BadSetting as wrong:
        return Finding("key", Level.WRONG, str(wrong.facts["reason"]))
    return Finding("key", Level.OK, said)


def wrong_boards(database: Database, told: Callable[[int, int], None]) -> Iterator[str]:
    """The faults of boards that replaying them shows, a sentence for each faulty one.

    Args:
        database: in which they are; its schema is up to date.
        told: the number checked, and of all.
    """
    return differences(database.engine, find_games(), told)


def count_openings(database: Database, told: Callable[[int, int], None]) -> int:
    """Count the openings of all finished games anew; return how many games count.

    Args:
        database: in which they are; its schema is up to date.
        told: the number of boards looked at, and of all.
    """
    return count_anew(database.engine, find_games(), told)


def back_up(settings: Settings, to: Path, told: Callable[[Progress], None]) -> list[Path]:
    """Copy a database into an SQLite file, and the key beside it, once a server could go on with the copy.

    Args:
        settings: say which one.
        to: the file; one of this name is replaced.
        told: how far the copy of a database on PostgreSQL has come.

    Returns:
        The files that were made.

    Raises:
        BadSetting: the database is not there, or cannot be used.
        NoCopy: it cannot be copied there.
        OSError, sqlite3.Error, SQLAlchemyError: it cannot be read, or the copy cannot be written, or is no good.
    """
    with open_database(settings) as database:
        return database.back_up(to, told, partial(_restore, settings, database.key_file))


def _restore(settings: Settings, key: Path | None, backup: Path) -> None:
    """Restore a backup in a folder of its own, beside it, and see that a server could go on with it.

    Raises:
        OSError, sqlite3.Error: it cannot be restored, or no server could.
    """
    with TemporaryDirectory(prefix=RESTORED, dir=backup.parent) as folder:
        file = Path(folder) / "pbem.db"
        shutil.copyfile(backup, file)
        if key is not None:
            copy_key(key, file)
        restored = replace(settings, database_url=f"sqlite:///{file}")
        with open_database(restored) as database:
            fault = database.fault()
        finding = None if key is None else key_finding(restored)
    if finding is not None and finding.level is not Level.OK:
        fault = fault or finding.said
    if fault:
        raise sqlite3.DatabaseError(f"no server could go on with the copy: {fault}")


def complaint(failed: Exception) -> str:
    """The complaint of a database or a file, without the statement."""
    if isinstance(failed, OSError) and failed.filename is not None:
        return f"{failed.filename}: {failed.strerror}"
    return str(getattr(failed, "orig", None) or failed).strip()


def copy_database(settings: Settings, url: str, told: Callable[[Progress], None]) -> Path | None:
    """Copy a database, on which no server may run, into an empty one, which is given its tables.

    Args:
        settings: say which one.
        url: of the empty one; a file of SQLite is made if there is none.
        told: how far it has come.

    Returns:
        The file in which the secret key stands, beside the new database if that is a file, too; None if there is none,
        since it stands in the settings.

    Raises:
        NoCopy: one of the two is not as it should be, or a server is running on it.
        BadSetting: one of the two cannot be used, or the new file cannot be made.
        OSError: the key cannot be copied.
    """
    with open_database(settings) as old, _made(settings, url) as new:
        with using_database("URL"):
            with _held_still(new):
                copying.check_empty(new.engine)  # before an upgrade that whoever uses it has not asked for
            new.upgrade()
        with _held_still(old), _held_still(new):
            for progress in copying.copy(old.engine, new.engine):
                told(progress)
    if old.key_file is None or not old.key_file.exists():
        return None
    return old.key_file if new.file is None else copy_key(old.key_file, new.file)


@contextmanager
def _made(settings: Settings, url: str) -> Iterator[Database]:
    try:
        other = replace(settings, database_url=values.database(url))
    except ValueError as wrong:
        raise BadSetting("URL", str(wrong)) from None
    make_where_none_is(other, "URL")
    with open_database(other) as database:
        yield database


@contextmanager
def _held_still(database: Database) -> Iterator[None]:
    """A stretch in which no server runs on a database.

    Raises:
        NoCopy: a server is running on it.
        BadSetting: the folder of a file cannot be written.
    """
    if database.file is None:
        with copying.held_still(database.engine):
            yield
    else:
        with lock_file(database.file):
            yield


def open_desk(settings: Settings, operator: str) -> AdminSession:
    """The operator's way to the database, beside whatever server is running on it.

    Args:
        settings: say where the database is.
        operator: the account on the machine.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    existing_path(settings)
    engine = engine_of(settings)
    with using_database():
        schema.upgrade(engine)
    parts = Parts(settings, engine, "", signer_of(settings), make_passwords(settings))
    executor = CommandExecutor(
        lambda: UnitOfWork(
            engine,
            parts.courses,
            most_playouts=settings.max_playouts,
            tells_browsers=settings.push_private_key is not None,
        ),
        parts.make_context,
        parts.composer,
        parts.outbox,
    )
    return AdminSession(engine, executor, parts.ours, operator)


def open_archive(settings: Settings, *, make: bool) -> Archive:
    """The games of the database as records; a server may be running on it all the while.

    Args:
        settings: say where the database is, and what is usual of clocks.
        make: whether to make it if there is none.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    if make:
        make_where_none_is(settings)
    else:
        existing_path(settings)
    engine = engine_of(settings)
    with using_database():
        schema.upgrade(engine)
    return Archive(engine, find_games(), policy(settings))
