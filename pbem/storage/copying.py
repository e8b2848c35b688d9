"""A whole database copied into an empty one, whichever kinds the two are."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Insert,
    Table,
    Text,
    bindparam,
    cast,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.types import UserDefinedType

from pbem.errors import PbemError
from pbem.storage import schema
from pbem.storage.engine import reading, writing
from pbem.storage.models import Base
from pbem.storage.process_notifier import HOLDERS

_AT_ONCE = 1000
"""Rows that are held in memory."""
_SEQUENCE = text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:table, :column) AS regclass))")
_SET_SEQUENCE = text("SELECT setval(CAST(pg_get_serial_sequence(:table, :column) AS regclass), :highest)")
_HIGHEST = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_FORGET_HIGHEST = text("DELETE FROM sqlite_sequence WHERE name = :table")
_SET_HIGHEST = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :highest)")
LIVING = text(
    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = :holders AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)


class NoCopy(PbemError):
    """The database cannot be copied; ``str`` says why."""

    reason: str

    def __str__(self) -> str:
        return str(self.facts["reason"])


class Progress(NamedTuple):
    """The progress of a copy."""

    rows: int
    """Copied so far."""
    total: int
    """That there are."""


class _AsItStands(UserDefinedType[str]):
    """JSON as the text that the database keeps: neither its blanks nor whether nothing is NULL or null is changed."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """Never made as a column."""
        return "JSON"


@contextmanager
def held_still(engine: Engine) -> Iterator[None]:
    """A stretch in which no server runs on a database of PostgreSQL; one that starts meanwhile waits.

    Raises:
        NoCopy: a server is running on it.
    """
    with writing(engine) as connection:
        if not schema.try_lock(connection) or connection.scalar(LIVING, {"holders": HOLDERS}):
            raise NoCopy(f"a server is running on {engine.url.render_as_string()}")
        yield


def copy(source: Engine, target: Engine) -> Generator[Progress, None, None]:
    """Copy every table as it is at one moment, whoever goes on writing to the source.

    The target is written in one transaction, which is committed once the last progress has been taken: a copy that
    fails, or is not followed to its end, leaves nothing.

    Args:
        source: whose schema is up to date.
        target: the same with tables, and nothing in them.

    Raises:
        NoCopy: the schemas are not as they should be, there is something in the target already, or what has arrived
            there is not what was sent.
        SQLAlchemyError: either cannot be used, or something does not fit into the target.
    """
    with reading(source) as old, writing(target) as new:
        _check_schema(old, "the database")
        _check_schema(new, "the new database")
        _check_empty(new)
        counts = {table: _count(old, table) for table in Base.metadata.sorted_tables}
        done, total = 0, sum(counts.values())
        for table in counts:
            for rows in _batches(old, table):
                new.execute(_insertion(table), rows)
                done += len(rows)
                yield Progress(done, total)
            _go_on_counting(old, new, table)
        for table, count in counts.items():
            if _count(new, table) != count:
                raise NoCopy(f"of {count} rows of {table.name} {_count(new, table)} have arrived")
        yield Progress(done, total)


def check_empty(engine: Engine) -> None:
    """See that a database has nothing in its tables, whether or not they are there and up to date.

    Raises:
        NoCopy: it has.
    """
    with reading(engine) as connection:
        _check_empty(connection)


def _check_schema(connection: Connection, what: str) -> None:
    difference = schema.difference(schema.revision_of(connection))
    if difference:
        raise NoCopy(f"the schema of {what} {difference}")


def _check_empty(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names())
    for table in Base.metadata.sorted_tables:
        if table.name in there and connection.scalar(select(text("1")).select_from(table).limit(1)):
            raise NoCopy(f"the new database is not empty: there are rows in {table.name}")


def _count(connection: Connection, table: Table) -> int:
    return connection.scalars(select(func.count()).select_from(table)).one()


def _batches(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """The rows in the order of their key, some at a time."""
    columns = [_as_it_stands(column) for column in table.columns]
    query = select(*columns).order_by(*table.primary_key.columns).execution_options(yield_per=_AT_ONCE)
    with connection.execute(query) as rows:
        for batch in rows.mappings().partitions():
            yield [dict(row) for row in batch]


def _as_it_stands(column: Column[Any]) -> ColumnElement[Any]:
    return cast(column, Text).label(column.name) if isinstance(column.type, JSON) else column


def _insertion(table: Table) -> Insert:
    types = {each.name: _AsItStands() if isinstance(each.type, JSON) else each.type for each in table.columns}
    return insert(table).values({name: bindparam(name, type_=type_) for name, type_ in types.items()})


def _go_on_counting(old: Connection, new: Connection, table: Table) -> None:
    """Let the new database give no number again that the old one has given, even if its row is gone."""
    column = table.autoincrement_column
    if column is None or not (highest := _highest_given(old, table, column)):
        return
    if new.dialect.name != "sqlite":
        new.execute(_SET_SEQUENCE, {"table": table.name, "column": column.name, "highest": highest})
    elif _remembers(table):
        new.execute(_FORGET_HIGHEST, {"table": table.name})
        new.execute(_SET_HIGHEST, {"table": table.name, "highest": highest})


def _highest_given(connection: Connection, table: Table, column: Column[Any]) -> int:
    if connection.dialect.name != "sqlite":
        found = connection.scalar(_SEQUENCE, {"table": table.name, "column": column.name})
    elif _remembers(table):
        found = connection.scalar(_HIGHEST, {"table": table.name})
    else:
        found = connection.scalar(select(func.max(column)))
    return found or 0


def _remembers(table: Table) -> bool:
    """Return True if SQLite remembers the numbers that it has given, as PostgreSQL does for every table."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])
