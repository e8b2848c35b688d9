"""The database as its keeper sees it: brought up to date, checked, copied while a server writes to it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.errors import PbemError
from pbem.storage import schema
from pbem.storage.engine import reading, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Engine


class Finding(NamedTuple):
    """What one check has come to."""

    what: str
    is_well: bool
    said: str


class NoBackup(PbemError):
    """The database cannot be copied; ``str`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)

    def __str__(self) -> str:
        return str(self.facts["reason"])


@dataclass(frozen=True)
class Database:
    """A database to be looked after.

    Args:
        engine: of the database.
        file: where SQLite keeps it; None if it is not SQLite.
        key_file: where the secret key is kept; None if it stands in the settings.
    """

    engine: Engine
    file: Path | None
    key_file: Path | None

    def upgrade(self) -> tuple[str | None, str | None]:
        """Bring the schema up to date; return its revision before and now."""
        before, _ = schema.revisions(self.engine)
        schema.upgrade(self.engine)
        now, _ = schema.revisions(self.engine)
        return before, now

    def check(self) -> Iterator[Finding]:
        """Look at everything that can be looked at; a check that fails does not keep the others from being made."""
        checks = {"schema": self._schema, "writable": self._writable}
        if self.file is not None:
            checks = {"integrity": self._integrity, "foreign keys": self._foreign_keys} | checks
        if self.key_file is not None:
            checks["key"] = partial(_readable, self.key_file)
        for what, check in checks.items():
            yield _finding(what, check)

    def _integrity(self) -> str:
        with reading(self.engine) as connection:
            found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(5)"))]
        return "" if found == ["ok"] else "; ".join(found)

    def _foreign_keys(self) -> str:
        with reading(self.engine) as connection:
            lost = connection.execute(text("PRAGMA foreign_key_check")).fetchall()
        return (
            "" if not lost else f"{len(lost)} rows of {', '.join(sorted({str(row[0]) for row in lost}))} lead nowhere"
        )

    def _schema(self) -> str:
        present, newest = schema.revisions(self.engine)
        return "" if present == newest else f"is {present or 'empty'}, not {newest}: pbem db upgrade"

    def _writable(self) -> str:
        with writing(self.engine) as connection:
            connection.execute(text("CREATE TABLE pbem_check (number INTEGER)"))
            connection.execute(text("DROP TABLE pbem_check"))
        return ""

    def back_up(self, to: Path) -> list[Path]:
        """Copy the database as it is at this moment, and the key beside it; return the files that were made.

        Files of the same names are replaced, each by a whole one.

        Raises:
            NoBackup: it is not SQLite.
            OSError, sqlite3.Error: it cannot be read, or the copy cannot be written.
        """
        if self.file is None:
            raise NoBackup("only SQLite databases are copied here; of PostgreSQL a backup is made by: pg_dump")
        if to.resolve() == self.file.resolve():
            raise NoBackup(f"{to} is the database itself")
        made = []
        if self.key_file is not None:
            key = to.with_name(to.name + ".key")
            key_file = self.key_file
            _replace(key, lambda aside: shutil.copyfile(key_file, aside))
            made.append(key)
        file = self.file
        _replace(to, lambda aside: _copy(file, aside))
        return [to, *made]


def _readable(file: Path) -> str:
    return "" if os.access(file, os.R_OK) else f"{file} cannot be read"


def _finding(what: str, check: Callable[[], str]) -> Finding:
    try:
        said = check()
    except SQLAlchemyError as failed:
        said = str(getattr(failed, "orig", None) or type(failed).__name__).strip()
    return Finding(what, not said, said or "ok")


def _copy(file: Path, to: Path) -> None:
    """Copy in one step, which sees one moment and holds up no writer; the copy needs no other file beside it."""
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(to)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)


def _replace(file: Path, write: Callable[[Path], object]) -> None:
    """Write a file that nobody else may read; it is there whole or not at all."""
    aside = file.with_name(file.name + ".new")
    aside.unlink(missing_ok=True)
    os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        write(aside)
        _sync(aside)
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)
    _sync(file.parent)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
