"""Databases with their tables, as quickly as a copy is made, and a look into them from outside.

Which kind tests run on that do not say is told by ``PBEM_TEST_DATABASE``: ``sqlite``, or ``postgresql``.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import (
    ColumnClause,
    ColumnElement,
    Connection,
    Engine,
    Executable,
    NullPool,
    QueuePool,
    Table,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
    update,
)

from pbem.bootstrap import find_games
from pbem.storage import schema
from pbem.storage.engine import make_engine
from pbem.storage.operators import miscounted
from pbem.workers.retention import differences
from tests.support.postgresql import Server, Unavailable, running_server
from tests.support.tools import lacking

DATABASE = "PBEM_TEST_DATABASE"
SQLITE, POSTGRESQL = "sqlite", "postgresql"
KEY = "a key that the tests share"
"""Servers on PostgreSQL are given one: there is no file beside which they could keep it."""

_MODEL = "migrated"
_LOOK_SECONDS = 30
_WRITES = "tests_write"


@dataclass(frozen=True)
class Database:
    """The database of a server, read and changed from outside; no connection to it is kept."""

    url: str

    def rows(self, query: str | Executable, /, **values: object) -> list[Any]:
        """The rows that a query finds; text names its values as ``:value``.

        Text finds moments, JSON and truth as the database keeps them: to be read alike from both, select columns.
        """
        with self._engine.connect() as connection:
            return [tuple(row) for row in connection.execute(_statement(query), values)]

    def all_rows(self, queries: Mapping[str, str]) -> dict[str, list[tuple[object, ...]]]:
        """The rows that each of several queries finds, by their names."""
        with self._engine.connect() as connection:
            return {name: [tuple(row) for row in connection.exec_driver_sql(query)] for name, query in queries.items()}

    def change(self, statement: str, /, **values: object) -> None:
        """Change rows behind the server's back."""
        with self._writing() as connection:
            connection.execute(text(statement), values)

    def set_back(self, column: ColumnClause[Any], by: timedelta, where: ColumnElement[bool]) -> None:
        """Let moments have been earlier than they were."""
        with self._writing() as connection:
            for (moment,) in connection.execute(select(column).where(where).distinct()).all():
                change = update(cast("Table", column.table)).where(where, column == moment)
                connection.execute(change.values({column: moment - by}))

    def tables(self) -> list[str]:
        """The names of all tables."""
        return inspect(self._engine).get_table_names()

    def content(self) -> dict[str, dict[str, list[str]]]:
        """Everything that stands in it as text, by table and column."""
        found = {}
        for table in self.tables():
            with self._engine.connect() as connection:
                rows = connection.execute(text(f'SELECT * FROM "{table}"'))  # noqa: S608 - its own name of it
                names, values = list(rows.keys()), [[_as_text(each) for each in row] for row in rows]
            found[table] = {name: [row[place] for row in values] for place, name in enumerate(names)}
        return found

    def is_sound(self) -> bool:
        """Return True if nothing in it is damaged, as far as the database itself can tell."""
        return not self.is_sqlite or self.rows("PRAGMA integrity_check") == [("ok",)]

    def wrong_boards(self) -> list[str]:
        """The faults of boards, and of their counts."""
        engine = make_engine(self.url)
        try:
            return [*differences(engine, find_games(), lambda _done, _total: None), *miscounted(engine)]
        finally:
            engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        """True if it is a file."""
        return make_url(self.url).get_backend_name() == SQLITE

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._engine.connect().execution_options(**{_WRITES: True}) as connection, connection.begin():
            yield connection

    @cached_property
    def _engine(self) -> Engine:
        if not self.is_sqlite:
            return create_engine(self.url, poolclass=NullPool)
        file = Path(make_url(self.url).database or "").absolute()
        engine = create_engine(
            f"sqlite:///{file.as_uri()}?mode=rw&uri=true", poolclass=NullPool, connect_args={"timeout": _LOOK_SECONDS}
        )
        event.listen(engine, "connect", lambda raw, _: setattr(raw, "isolation_level", None))
        event.listen(engine, "begin", _begin)
        return engine


def _as_text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(_WRITES) else "BEGIN")


def _statement(query: str | Executable) -> Any:
    return text(query) if isinstance(query, str) else query


_kind: list[str] = []
_made: dict[Path, str] = {}
"""The databases on PostgreSQL that were made for servers, by their folders."""


def kind() -> str:
    """The kind of database that a test runs on."""
    return _kind[-1] if _kind else os.environ.get(DATABASE, SQLITE)


@contextmanager
def using(name: str) -> Iterator[None]:
    """A stretch in which servers run on this kind of database."""
    _kind.append(name)
    try:
        yield
    finally:
        _kind.pop()


def database_of(folder: Path) -> Database:
    """The database of the server in a folder, with its tables; it is made where there is none."""
    if kind() == SQLITE:
        file = folder / "pbem.db"
        return Database(f"sqlite:///{file}" if file.exists() else put_sqlite(file))
    server = postgresql()
    if folder not in _made:
        _made[folder] = server.create_next(model_on(server))
    return Database(server.url(_made[folder]))


def settings_of(folder: Path) -> dict[str, str]:
    """The settings with which servers in a folder find their database; none on SQLite, which lies in their folder."""
    if kind() == SQLITE:
        return {}
    return {"database_url": database_of(folder).url, "secret_key": KEY}


def forget(folder: Path) -> None:
    """Drop what was made on PostgreSQL for servers in a folder and those below it."""
    for each in [made for made in _made if made.is_relative_to(folder)]:
        postgresql().drop(_made.pop(each))


@cache
def postgresql() -> Server:
    """The server that all tests of this process share, started when it is first asked for; it ends with the process."""
    stack = ExitStack()
    try:
        server = stack.enter_context(running_server())
    except Unavailable as reason:
        lacking(POSTGRESQL, str(reason))
    atexit.register(stack.close)
    return server


@contextmanager
def engine_at(url: str, **more: Any) -> Iterator[Engine]:
    """An engine of ours, all of whose connections must have been returned at the end."""
    engine = make_engine(url, **more)
    try:
        yield engine
        if cast("QueuePool", engine.pool).checkedout():
            pytest.fail("a connection was not returned; somebody else's test might be blamed for that", pytrace=False)
    finally:
        engine.dispose()


def migrate(url: str) -> None:
    """Give an empty database its tables."""
    engine = make_engine(url)
    try:
        schema.upgrade(engine)
    finally:
        engine.dispose()


@cache
def _model() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pbem-model-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(f"sqlite:///{folder / 'pbem.db'}")
    return folder / "pbem.db"


def put_sqlite(path: Path) -> str:
    """Put a database with its tables where there is none; return its URL."""
    shutil.copyfile(_model(), path)
    return f"sqlite:///{path}"


def model_on(server: Server) -> str:
    """The name of a database with its tables that others on this server can be copied from."""
    if _MODEL not in server.models:
        server.create(_MODEL)
        migrate(server.url(_MODEL))
        server.models.add(_MODEL)
    return _MODEL
