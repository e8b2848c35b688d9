"""Statements that are compiled once, and then go to the driver as they are.

What SQLAlchemy does around a short statement takes several times as long as the driver and the database together. The
statements of every letter are spared that; their SQL, the conversion of values and the errors are still SQLAlchemy's.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import CompoundSelect, Connection, Dialect, Select, UpdateBase
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.selectable import SelectBase
from sqlalchemy.types import TypeEngine

from pbem.errors import PbemError

_Convert: TypeAlias = Callable[[Any], Any]
_Statement: TypeAlias = "Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]] | UpdateBase"


_namedtuple: Any = namedtuple


class _Form(NamedTuple):
    """A statement as the driver of one kind of database takes it."""

    sql: str
    order: Sequence[str] | None
    """The names of its values in their order; None: they go by name."""
    fixed: Mapping[str, Any]
    """Values that stand in the statement, as the driver takes them."""
    given: Mapping[str, _Convert | None]
    """The other values, and how each is converted."""
    row: Callable[[Iterable[Any]], Any]
    """Makes a row of columns, which have names there."""
    converted: Sequence[tuple[int, _Convert]]
    """The columns that are converted."""

    def values(self, given: Mapping[str, Any]) -> Any:
        """The values as the driver takes them."""
        ready = dict(self.fixed)
        for name, convert in self.given.items():
            ready[name] = given[name] if convert is None else convert(given[name])
        return ready if self.order is None else [ready[name] for name in self.order]

    def rows(self, found: Iterable[Sequence[Any]]) -> list[Any]:
        """The rows of what the driver has found."""
        if not self.converted:
            return [self.row(each) for each in found]
        rows = []
        for each in found:
            columns = list(each)
            for place, convert in self.converted:
                columns[place] = convert(columns[place])
            rows.append(self.row(columns))
        return rows


class Prepared:
    """A statement of one shape: none of its values is a list that says how long it is.

    Args:
        statement: a query, or one that writes and leaves the values that it writes to be given.
    """

    def __init__(self, statement: _Statement) -> None:
        self.statement = statement
        self._forms: dict[tuple[str, ...], _Form] = {}
        """By the kind of database and the names of the values."""

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[Any]:
        """Run it, and return its rows.

        Raises:
            SQLAlchemyError: as `Connection.execute`.
        """
        if _is_listened_to(connection):
            return list(connection.execute(self.statement, values))
        form = self.form(connection.dialect, values)
        ready = form.values(values)
        if late := _late_of(connection):
            return form.rows(_sent_together(connection, late, [_Sent(form.sql, [ready])])[0].fetchall())
        raw = _begun(connection)
        with translating_errors(connection, form.sql), closing(raw.cursor()) as cursor:
            with _with_beginning(raw):
                cursor.execute(form.sql, ready)
            found = cursor.fetchall()
        return form.rows(found)

    def run(self, connection: Connection, *several: Mapping[str, Any]) -> int:
        """Run it once for each of some values, all of which have the same names; return the number of rows it met.

        Raises:
            SQLAlchemyError: as `Connection.execute`.
        """
        send_late(connection)
        if _is_listened_to(connection):
            return int(connection.execute(self.statement, several if len(several) > 1 else several[0]).rowcount)
        form = self.form(connection.dialect, several[0])
        ready, raw = [form.values(each) for each in several], _begun(connection)
        with translating_errors(connection, form.sql), closing(raw.cursor()) as cursor:
            with _with_beginning(raw):
                if len(ready) == 1:
                    cursor.execute(form.sql, ready[0])
                else:
                    cursor.executemany(form.sql, ready)
            return int(cursor.rowcount)

    def run_late(self, connection: Connection, *several: Mapping[str, Any], missed: PbemError | None = None) -> None:
        """Run it as `run` does, but to a server it may be sent only with the next statement, or before the commit.

        Args:
            connection: in a transaction that writes.
            several: the values.
            missed: raised if it met no row; perhaps only when it is sent.

        Raises:
            SQLAlchemyError: as `Connection.execute`; perhaps only then, too.
        """
        late = connection.info.get(_LATE)
        if late is not None and not _is_listened_to(connection):
            form = self.form(connection.dialect, several[0])
            late.append(_Sent(form.sql, [form.values(each) for each in several], missed))
        elif self.run(connection, *several) == 0 and missed is not None:
            raise missed

    def form(self, dialect: Dialect, values: Mapping[str, Any]) -> _Form:
        """The statement as the driver takes it, with values of these names."""
        which = dialect.name, *values
        if which not in self._forms:
            self._forms[which] = _compiled(self.statement, dialect, list(values))
        return self._forms[which]


class _Sent(NamedTuple):
    """A statement as it is sent to a server."""

    sql: str
    several: Sequence[Any]
    """Its values, for each time that it is run."""
    missed: PbemError | None = None
    """Raised if it met no row."""


_LATE = "pbem_late"
"""The statements of a transaction that have not been sent yet, where a server takes several together."""


@contextmanager
def sending_late(connection: Connection) -> Iterator[None]:
    """A transaction in which statements may be sent later than they were run; all of them are at the end of it.

    It has no savepoints: what waits would be sent before one is rolled back to.
    """
    if not hasattr(connection.connection.driver_connection, "pipeline"):
        yield
        return
    kept = connection.info  # as long as the connection is: it may be lost meanwhile
    kept[_LATE] = list[_Sent]()
    try:
        yield
        send_late(connection)
    finally:
        kept.pop(_LATE, None)


def send_late(connection: Connection) -> None:
    """Send what has been run and not sent yet.

    Raises:
        SQLAlchemyError: as `Connection.execute`.
        PbemError: a statement met no row, and that was to be raised then.
    """
    if late := _late_of(connection):
        _sent_together(connection, late, [])


def _late_of(connection: Connection) -> list[_Sent] | None:
    late: list[_Sent] | None = connection.info.get(_LATE)
    return late


def _sent_together(connection: Connection, late: list[_Sent], further: Sequence[_Sent]) -> list[Any]:
    """Send what has not been sent yet, and further statements with it; return the cursors of these."""
    statements = [*late, *further]
    late.clear()
    raw = _begun(connection)
    cursors = [raw.cursor() for _ in statements]
    try:
        sql = "; ".join(each.sql for each in statements)
        with translating_errors(connection, sql), raw.driver_connection.pipeline():
            for cursor, each in zip(cursors, statements, strict=True):
                _send(cursor, each)
    except SQLAlchemyError:
        _see_that_rows_were_met(statements, cursors)  # or else what came after that would hide it
        raise
    _see_that_rows_were_met(statements, cursors)
    return cursors[len(cursors) - len(further) :]


def _see_that_rows_were_met(statements: Sequence[_Sent], cursors: Sequence[Any]) -> None:
    """Raise what the first statement has said for the case that it meets no row; those that never ran met some."""
    for each, cursor in zip(statements, cursors, strict=True):
        if cursor.rowcount == 0 and each.missed is not None:
            raise each.missed


def _send(cursor: Any, statement: _Sent) -> None:
    """Send a statement; the cursor has what came of it once the pipeline has ended."""
    if len(statement.several) == 1:
        cursor.execute(statement.sql, statement.several[0])
    else:
        cursor.executemany(statement.sql, statement.several)


def rows_together(connection: Connection, *asked: tuple[Prepared, Mapping[str, Any]]) -> list[list[Any]]:
    """The rows of several queries; to a server they are sent together.

    Raises:
        SQLAlchemyError: as `Connection.execute`.
    """
    if _is_listened_to(connection) or not hasattr(_begun(connection).driver_connection, "pipeline"):
        return [query.rows(connection, values) for query, values in asked]
    forms = [query.form(connection.dialect, values) for query, values in asked]
    sent = [_Sent(form.sql, [form.values(values)]) for form, (_, values) in zip(forms, asked, strict=True)]
    cursors = _sent_together(connection, _late_of(connection) or [], sent)
    return [form.rows(cursor.fetchall()) for form, cursor in zip(forms, cursors, strict=True)]


def _compiled(statement: _Statement, dialect: Dialect, names: Sequence[str]) -> _Form:
    compiled = statement.compile(dialect=dialect, column_keys=names)
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 - for the types
    if "POSTCOMPILE" in compiled.string or compiled.insert_prefetch or compiled.update_prefetch:
        raise AssertionError(f"not of one shape: {compiled.string}")
    converts = {name: _processor(each.type, dialect, "bind_processor") for each, name in compiled.bind_names.items()}
    given = {name: convert for name, convert in converts.items() if name in names}
    fixed = {name: value if (convert := converts[name]) is None else convert(value)
             for name, value in compiled.params.items() if name not in given}  # fmt: skip
    columns = list(statement.selected_columns if isinstance(statement, SelectBase) else statement.exported_columns)
    kinds = [_processor(each.type, dialect, "result_processor", None) for each in columns]
    return _Form(
        compiled.string,
        compiled.positiontup,
        fixed,
        given,
        _namedtuple("Row", [each.key for each in columns], rename=True)._make,
        [(place, convert) for place, convert in enumerate(kinds) if convert is not None],
    )


def _processor(kind: TypeEngine[Any], dialect: Dialect, which: str, *more: object) -> _Convert | None:
    found: _Convert | None = getattr(kind.dialect_impl(dialect), which)(dialect, *more)
    return found


def _is_listened_to(connection: Connection) -> bool:
    """Return True if somebody is to hear of every statement."""
    return bool(connection.dispatch.before_cursor_execute)


def _begun(connection: Connection) -> Any:
    """The driver's connection, in a transaction."""
    if not connection.in_transaction():
        connection.begin()
    return connection.connection


def _with_beginning(raw: Any) -> AbstractContextManager[object]:
    """Send a server what begins a transaction together with the first statement in it."""
    server = getattr(raw.driver_connection, "info", None)
    return nullcontext() if server is None or server.transaction_status else raw.driver_connection.pipeline()


@contextmanager
def translating_errors(connection: Connection, sql: str) -> Iterator[None]:
    """Raise the errors of the driver as SQLAlchemy does, and let go of connections that are gone.

    Args:
        connection: whose driver is used.
        sql: what is sent meanwhile.
    """
    dialect = connection.dialect
    try:
        yield
    except dialect.loaded_dbapi.Error as failed:
        is_gone = dialect.is_disconnect(failed, connection.connection.dbapi_connection, None)
        if is_gone:
            connection.invalidate(failed)
            connection.engine.dispose()  # the others may be gone, too
        kinds = dialect.loaded_dbapi.Error
        told = DBAPIError.instance(
            sql, None, failed, kinds, hide_parameters=True, connection_invalidated=is_gone, dialect=dialect
        )
        raise told from failed
