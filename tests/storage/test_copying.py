"""A whole database copied into an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Date, Engine, LargeBinary, String, Table, Text, cast, insert, select, text

from pbem.storage import schema
from pbem.storage.copying import NoCopy, Progress, check_empty, copy, held_still
from pbem.storage.engine import make_engine, reading, writing
from pbem.storage.models import Base, LetterRow, UtcDateTime
from pbem.storage.process_notifier import ProcessNotifier
from tests.support.databases import engine_at, put_sqlite

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


@pytest.fixture
def source(database_url: str) -> Iterator[Engine]:
    """A database with rows in every table."""
    with engine_at(database_url) as engine:
        fill(engine)
        yield engine


@pytest.fixture
def target(request: pytest.FixtureRequest, source: Engine, tmp_path: Path) -> Iterator[Engine]:
    """An empty one of the other kind."""
    is_sqlite = source.dialect.name == "sqlite"
    with engine_at(
        request.getfixturevalue("postgresql_url") if is_sqlite else put_sqlite(tmp_path / "other.db")
    ) as engine:
        yield engine


def fill(engine: Engine) -> None:
    """Put rows into every table; in the second, what may be nothing is nothing."""
    with writing(engine) as connection:
        for table in Base.metadata.sorted_tables:
            for number in (1, 2):
                row = {column.name: _value(column, number) for column in table.columns}
                connection.execute(insert(table).values(row))
        connection.execute(text("UPDATE boards SET winners = NULL WHERE number = 1"))  # beside it stands JSON's null


def _value(column: Column[Any], number: int) -> Any:
    if column.nullable and number > 1:
        return None
    kind = column.type
    if isinstance(kind, JSON):
        return {"b": [number, "Zoë \\u0000"], "a": None}
    if isinstance(kind, UtcDateTime):
        return AT + timedelta(microseconds=number)
    if isinstance(kind, Date):
        return date(2026, 1, number)
    if isinstance(kind, Boolean):
        return number == 1
    if isinstance(kind, LargeBinary):
        return bytes(range(256)) * number
    if isinstance(kind, String):
        return f"Zoë\n'{number}"[: kind.length]
    return number


def rows(engine: Engine, table: Table) -> list[Any]:
    """The rows of a table; JSON as it is kept."""
    columns = [cast(each, Text) if isinstance(each.type, JSON) else each for each in table.columns]
    with reading(engine) as connection:
        return [tuple(row) for row in connection.execute(select(*columns).order_by(*table.primary_key.columns))]


def copied(source: Engine, target: Engine) -> list[Progress]:
    return list(copy(source, target))


def test_every_row_of_every_table_arrives_as_it_is_and_comes_back(
    source: Engine, target: Engine, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    told = copied(source, target)
    count = 2 * len(Base.metadata.sorted_tables)
    assert told[0].total == count
    assert told[-1] == (count, count)
    again = make_engine(put_sqlite(tmp_path / "again.db"))
    copied(target, again)
    for table in Base.metadata.sorted_tables:
        assert rows(source, table) == rows(target, table) == rows(again, table), table.name
        assert len(rows(source, table)) == 2
    again.dispose()


def test_no_number_of_a_letter_is_given_again(source: Engine, target: Engine) -> None:
    letter = insert(LetterRow).values(
        received_at=AT, sender="", recipients=[], state="done", attempts=0, next_attempt_at=AT
    )
    counted = letter.returning(LetterRow.id)
    with writing(source) as connection:
        if source.dialect.name == "postgresql":
            connection.execute(text("SELECT setval('inbox_id_seq', 2)"))  # it was filled without
        highest = [connection.scalars(counted).one() for _ in range(3)][-1]
        connection.execute(text("DELETE FROM inbox WHERE id > 2"))
    copied(source, target)
    with writing(target) as connection:
        assert connection.scalars(counted).one() == highest + 1 == 6


def test_a_copy_that_is_not_ended_leaves_nothing_and_can_be_tried_again(source: Engine, target: Engine) -> None:
    with closing(copy(source, target)) as progress:
        assert next(progress).rows == 2
    check_empty(target)
    copied(source, target)
    with pytest.raises(NoCopy, match="the new database is not empty: there are rows in "):
        check_empty(target)
    with pytest.raises(NoCopy, match="is not empty"):
        copied(source, target)


def test_both_must_have_the_newest_tables(source: Engine, target: Engine) -> None:
    with writing(target) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    with pytest.raises(NoCopy, match=f"the schema of the new database is 0001, not {schema.newest()}"):
        copied(source, target)
    with pytest.raises(NoCopy, match="the schema of the database is 0001"):
        copied(target, source)
    with writing(target) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NoCopy, match="the schema of the new database is 9999, of a newer pbem"):
        copied(source, target)


def test_what_is_written_meanwhile_is_not_seen(source: Engine, target: Engine) -> None:
    with closing(copy(source, target)) as progress:
        next(progress)
        with writing(source) as connection:
            connection.execute(text("DELETE FROM seats WHERE seat = 1"))
            connection.execute(text("UPDATE players SET userid = 'late'"))
        assert [each.total for each in progress][-1] == 2 * len(Base.metadata.sorted_tables)
    with reading(target) as connection:
        assert connection.scalar(text("SELECT count(*) FROM seats")) == 2
        assert connection.scalar(text("SELECT count(*) FROM players WHERE userid = 'late'")) == 0


def test_on_postgresql_a_database_with_a_server_is_not_held_still(postgresql_url: str) -> None:
    engine = make_engine(postgresql_url)
    with held_still(engine), pytest.raises(NoCopy, match="a server is running on "), held_still(engine):
        pass
    notifier = ProcessNotifier(engine, "somebody", lambda _: None)
    notifier.open()
    with pytest.raises(NoCopy, match="a server is running on "), held_still(engine):
        pass
    notifier.close()
    engine.dispose()
