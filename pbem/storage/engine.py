"""Engines, and the transactions that both databases are to have.

SQLite's driver begins transactions on its own and late: a released savepoint then
survives the outer rollback, and a transaction that reads before it writes fails at
once with "database is locked". So the driver's control is off here: a writer says
``BEGIN IMMEDIATE`` and waits for its turn, a reader says ``BEGIN``.
"""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from select import POLLIN, poll
from threading import Lock
from time import sleep
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Connection, Engine, PoolProxiedConnection, create_engine, event, make_url
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError, TimeoutError  # noqa: A004 - the pool's

from pbem.storage.prepared import send_late, sending_late, translating_errors

if TYPE_CHECKING:  # loaded where PostgreSQL is used
    import psycopg
    from psycopg.abc import Dumper

_TURN = "pbem_turn"
"""The turns in writing to SQLite: they are waited for here, since SQLite polls ever more seldom."""
_BUSY_MILLISECONDS = 30_000
_POOL, _MORE = 20, 20
"""Connections to SQLite that are kept, and those beyond: more than all threads and loops use at a time."""
USUAL_CONNECTIONS = 10
"""To PostgreSQL, of one process: it has a hundred for all, and each is a process of its own there."""
_FOUND_OUT_SOON = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,  # milliseconds: while something is under way there are no keepalives
}
"""Seconds, and how often: what libpq is told so that a server which has vanished is not waited for for hours."""
_ANY: dict[str, Any] = {
    "hide_parameters": True,  # what a statement was about stands in no error: it may be a letter, and hold a password
    "pool_use_lifo": True,  # the one used last has its statements prepared and its pages at hand
}
"""Options for both kinds of databases."""
_MAY_BE_LOST = "SET LOCAL synchronous_commit TO off"
_CANNOT_CONNECT_NOW = "57P03"
_NOT_YET = (
    "connection refused",
    "no such file or directory",
    "is starting up",
    "is shutting down",
    "not yet accepting connections",
    "in recovery mode",
    "server login has been failing",
    "query_wait_timeout",
)
"""As libpq says it, of a port, of a socket, and of what is behind it; and PgBouncer of what is behind that."""
_PAGES_KIB = 512
"""Of the file of SQLite, kept by each connection beside what the system keeps."""
_WAL_ATTEMPTS = 100
_WAL_REST_SECONDS = 0.05


class _Turn:
    """The right to write to SQLite, which one thread has at a time, and of all processes one.

    Args:
        file: of this right, which all processes open; None: there are no others that write all the time.
    """

    def __init__(self, file: Path | None) -> None:
        self._thread = Lock()
        self._file = None if file is None else file.open("a")

    def __enter__(self) -> None:
        self._thread.acquire()
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._thread.release()


def make_engine(
    url: str, connections: int = USUAL_CONNECTIONS, turns: Path | None = None, *, prepares: bool = True
) -> Engine:
    """An engine for ``sqlite:///…`` or ``postgresql+psycopg://…``.

    Args:
        url: of the database.
        connections: to PostgreSQL at a time, at the most; whoever wants another waits for one.
        turns: a file by which several processes take turns in writing to SQLite; None: this one writes alone.
        prepares: False if PostgreSQL is not to keep statements prepared: the next one may come by another connection.
    """
    if not url.startswith("sqlite"):
        told: dict[str, Any] = {
            name: value for name, value in _FOUND_OUT_SOON.items() if name not in make_url(url).query
        }
        if not prepares:
            told["prepare_threshold"] = None
        engine = create_engine(
            url, pool_pre_ping=True, pool_size=connections, max_overflow=0, connect_args=told, **_ANY
        )
        event.listen(engine, "connect", _prepare_postgresql)
        event.listen(engine, "before_execute", _send_what_is_late)
        engine.dialect.do_ping = _answers(engine.dialect.do_ping)  # type: ignore[assignment,method-assign]
        return engine
    engine = create_engine(
        url,
        pool_size=_POOL,
        max_overflow=_MORE,
        connect_args={
            "factory": _SqliteConnection,
            "timeout": _BUSY_MILLISECONDS / 1000,
            "check_same_thread": False,
        },
        execution_options={_TURN: _Turn(turns)},
        **_ANY,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    engine.dialect.do_begin = _begin_sqlite  # type: ignore[assignment,method-assign]  # an event would slow every statement
    return engine


def let_go(engine: Engine) -> None:
    """Close all connections, and those that a thread still has in its hands as soon as it returns them."""
    event.listen(engine.pool, "checkin", lambda connection, _record: connection and connection.close())
    engine.dispose()


def _answers(ask: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Tell whether a connection is of use: it is only asked if the server has said something on its own.

    That may be its farewell. What has vanished without a word is found out by the system (`_FOUND_OUT_SOON`).
    """

    def answers(connection: psycopg.Connection[Any]) -> bool:
        heard = poll()
        heard.register(connection.fileno(), POLLIN)
        return not heard.poll(0) or ask(connection)

    return answers


def _send_what_is_late(connection: Connection, *_: Any) -> None:
    """Keep statements in their order, of which some wait to be sent together (`Prepared.run_late`)."""
    send_late(connection)


def _prepare_postgresql(connection: psycopg.Connection[Any], _record: Any) -> None:
    connection.adapters.register_dumper(str, _dumper_of_texts())


@cache
def _dumper_of_texts() -> type[Dumper]:
    """Make the dumper of texts for PostgreSQL, which takes every character but NUL; no honest letter has that."""
    from psycopg.types.string import StrDumperUnknown  # loaded where it is used

    class TextDumper(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj)

    return TextDumper


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    _use_wal(cursor)
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"PRAGMA cache_size = -{_PAGES_KIB}")
    cursor.execute("PRAGMA secure_delete = ON")  # a finished letter may have held a password
    cursor.close()


def _use_wal(cursor: sqlite3.Cursor) -> None:
    """Turn the write-ahead log on; the first to open a new file does so, and for that moment nobody else may."""
    for attempt in range(_WAL_ATTEMPTS):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:  # SQLite does not wait for this one, whatever the busy timeout
            if attempt == _WAL_ATTEMPTS - 1:
                raise
            sleep(_WAL_REST_SECONDS)
        else:
            return


class _SqliteConnection(sqlite3.Connection):
    """A connection to SQLite that knows with what its next transaction begins."""

    begins = "BEGIN"


def _begin_sqlite(connection: PoolProxiedConnection) -> None:
    raw = _raw(connection)
    raw.execute(raw.begins)


def _raw(connection: PoolProxiedConnection) -> _SqliteConnection:
    return cast("_SqliteConnection", connection.driver_connection)


def reader(engine: Engine) -> Connection:
    """A connection for looking: whatever it reads until it is closed is of one moment."""
    if engine.dialect.name == "sqlite":
        return engine.connect()
    return engine.connect().execution_options(isolation_level="REPEATABLE READ")


def end_reading(connection: Connection) -> None:
    """Close a `reader`.

    On PostgreSQL it ends with a commit: when a transaction is rolled back, the driver forgets the statements that it
    has prepared, and has the server forget them, too. What was read stays right if the connection is lost by then, and
    what went wrong before is not to be hidden by that.
    """
    with connection:
        if connection.dialect.name != "sqlite" and connection.in_transaction() and not connection.invalidated:
            with suppress(SQLAlchemyError):
                connection.commit()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A `reader` that is closed at the end."""
    with reader(engine) as connection:
        yield connection
        end_reading(connection)


@contextmanager
def writing(engine: Engine, *, lasting: bool = True) -> Iterator[Connection]:
    """One short transaction that writes: committed at the end, rolled back if an exception leaves it.

    Args:
        engine: of the database.
        lasting: whether it is to survive a power cut. If not the disk is not waited for: once it has ended everybody
            sees what it wrote, whoever is killed, and a later one that lasts makes it last, too.
    """
    with engine.connect() as connection, _room_to_write(connection, lasting=lasting), connection.begin():
        if not lasting and engine.dialect.name != "sqlite":
            driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
            with translating_errors(connection, _MAY_BE_LOST), driver.pipeline():  # together with BEGIN
                connection.exec_driver_sql(_MAY_BE_LOST)
        with sending_late(connection):
            yield connection


@contextmanager
def _room_to_write(connection: Connection, *, lasting: bool) -> Iterator[None]:
    """Take turns on SQLite, and have it wait for its lock at the beginning, and for the disk at the end or not at all.

    How a commit treats the disk can be said between transactions alone.
    """
    turn = connection.get_execution_options().get(_TURN)
    if turn is None:
        yield
        return
    raw = _raw(connection.connection)
    with turn:
        raw.begins = "BEGIN IMMEDIATE"
        if not lasting:
            raw.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            raw.begins = "BEGIN"
            if not lasting:
                raw.execute("PRAGMA synchronous = FULL")


def is_out_of_order(failed: Exception) -> bool:
    """Return True if the database itself is in trouble: full, locked, gone, or all connections to it are in use.

    The letter at hand is not to blame.
    """
    return isinstance(failed, OperationalError | InterfaceError | TimeoutError)


def is_starting(failed: Exception) -> bool:
    """Return True if a database server is not there yet, or says that it is starting up, or shutting down to restart.

    PostgreSQL says so by SQLSTATE 57P03; of a refused connection the driver knows only the message.
    """
    original = getattr(failed, "orig", None)
    said = str(original).lower()
    return isinstance(failed, OperationalError) and (
        getattr(original, "sqlstate", None) == _CANNOT_CONNECT_NOW or any(words in said for words in _NOT_YET)
    )


def trim_log(engine: Engine) -> bool:
    """Empty SQLite's write-ahead log, in which what was deleted stands until it is written over.

    Nobody is waited for, and a writer waits no longer than the copying takes.

    Returns:
        False if somebody is reading or writing: then it is to be tried later.
    """
    if engine.dialect.name != "sqlite":
        return True
    raw = engine.raw_connection()
    try:
        cursor = raw.cursor()
        try:
            cursor.execute("PRAGMA busy_timeout = 0")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (busy, *_) = cursor.fetchone() or (1,)
            return int(busy) == 0
        except sqlite3.OperationalError:  # busy, or out of order: whoever writes next will say so
            return False
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
            cursor.close()
    finally:
        raw.close()
