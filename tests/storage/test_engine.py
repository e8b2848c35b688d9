from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Connection, Engine, Table, column, delete, insert, inspect, select, table, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from pbem.storage import schema
from pbem.storage.engine import is_out_of_order, let_go, make_engine, reading, trim_log, writing
from pbem.storage.models import LetterKeyRow, SeatRow
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import GameStateCache
from tests.support.databases import engine_at

THINGS = table("things", column("name"), column("worth"))


class StepFailed(Exception):
    """A step that goes wrong after it has written."""


@pytest.fixture
def things(bare_engine: Engine) -> Engine:
    """A table with one thing that is worth 0."""
    with writing(bare_engine) as connection:
        connection.execute(text("CREATE TABLE things (name VARCHAR(20) PRIMARY KEY, worth INTEGER)"))
        connection.execute(insert(THINGS).values(name="ring", worth=0))
    return bare_engine


@pytest.fixture
def sqlite(sqlite_url: str) -> Iterator[Engine]:
    with engine_at(sqlite_url) as engine:
        yield engine


def worth(engine: Engine) -> dict[str, int]:
    with reading(engine) as connection:
        return dict(connection.execute(select(THINGS.c.name, THINGS.c.worth)).all())


def test_what_is_written_is_there_after_the_transaction(things: Engine) -> None:
    with writing(things) as connection:
        connection.execute(insert(THINGS).values(name="crown", worth=7))
    assert worth(things) == {"ring": 0, "crown": 7}


def test_any_character_may_be_asked_for_and_written(things: Engine) -> None:
    with writing(things) as connection:
        assert connection.scalar(select(THINGS.c.worth).where(THINGS.c.name == "ring\0")) is None
        connection.execute(insert(THINGS).values(name="\0\t\x1b\U0001f600", worth=1))
    assert worth(things).keys() - {"ring"} <= {"\0\t\x1b\U0001f600", "\ufffd\t\x1b\U0001f600"}


def test_an_error_says_nothing_of_what_a_statement_was_about(things: Engine) -> None:
    with pytest.raises(DBAPIError) as failed, writing(things) as connection:
        connection.execute(text("SELECT nowhere FROM things WHERE name = :word"), {"word": "hunter2"})
    assert "nowhere" in str(failed.value)
    assert "hunter2" not in str(failed.value)


def test_nothing_is_left_of_a_transaction_that_an_exception_leaves(things: Engine) -> None:
    with suppress(StepFailed), writing(things) as connection:
        connection.execute(update(THINGS).values(worth=1))
        raise StepFailed
    assert worth(things) == {"ring": 0}


def test_a_table_made_in_a_transaction_goes_with_it(things: Engine) -> None:
    with suppress(StepFailed), writing(things) as connection:
        connection.execute(text("CREATE TABLE rings (name VARCHAR(20))"))
        raise StepFailed
    assert inspect(things).get_table_names() == ["things"]


def test_a_released_savepoint_does_not_survive_the_outer_rollback(things: Engine) -> None:
    with suppress(StepFailed), writing(things) as connection:
        with connection.begin_nested():
            connection.execute(update(THINGS).values(worth=1))
        raise StepFailed
    assert worth(things) == {"ring": 0}


def test_a_savepoint_rolled_back_leaves_the_rest_of_its_transaction(things: Engine) -> None:
    with writing(things) as connection:
        connection.execute(insert(THINGS).values(name="crown", worth=7))
        with suppress(StepFailed), connection.begin_nested():
            connection.execute(update(THINGS).values(worth=1))
            raise StepFailed
    assert worth(things) == {"ring": 0, "crown": 7}


def test_who_reads_and_then_writes_waits_for_who_did_so_before(things: Engine) -> None:
    """By default SQLite's driver fails here at once: database is locked."""
    first_has_read, second_comes = Event(), Event()

    def raise_worth() -> int:
        second_comes.set()
        with writing(things) as connection:
            before = connection.scalar(select(THINGS.c.worth).with_for_update()) or 0
            connection.execute(update(THINGS).values(worth=before + 1))
            return before

    with ThreadPoolExecutor(1) as threads:
        with writing(things) as connection:
            before = connection.scalar(select(THINGS.c.worth).with_for_update()) or 0
            first_has_read.set()
            second = threads.submit(raise_worth)
            assert second_comes.wait(20)
            connection.execute(update(THINGS).values(worth=before + 10))
        assert second.result(20) == 10
    assert worth(things) == {"ring": 11}


def test_many_who_read_and_then_write_lose_nothing(things: Engine) -> None:
    def raise_worth(_time: int) -> None:
        with writing(things) as connection:
            before = connection.scalar(select(THINGS.c.worth).with_for_update()) or 0
            connection.execute(update(THINGS).values(worth=before + 1))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(raise_worth, range(60)))
    assert worth(things) == {"ring": 60}


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(things: Engine) -> None:
    with reading(things) as connection:
        assert connection.scalar(select(THINGS.c.worth)) == 0
        with writing(things) as other:
            other.execute(update(THINGS).values(worth=5))
        assert connection.scalar(select(THINGS.c.worth)) == 0
    assert worth(things) == {"ring": 5}


def test_a_writer_does_not_keep_readers_waiting(things: Engine) -> None:
    with writing(things) as connection:
        connection.execute(update(THINGS).values(worth=5))
        assert worth(things) == {"ring": 0}


def test_a_commit_of_sqlite_reaches_the_disk_and_readers_go_on_meanwhile(sqlite: Engine) -> None:
    with reading(sqlite) as connection:
        pragmas = {
            name: connection.scalar(text(f"PRAGMA {name}"))
            for name in ("synchronous", "journal_mode", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"synchronous": 2, "journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 30_000}


def test_a_row_that_refers_to_nothing_is_refused(engine: Engine) -> None:
    seats = SeatRow.__table__
    assert isinstance(seats, Table)
    nowhere = {"board_number": 101, "seat": 0, "player_id": 1, "resigning": False, "active": True}
    with pytest.raises(IntegrityError), writing(engine) as connection:
        connection.execute(insert(seats).values(nowhere))


SECRET = "hunter2-and-more"


def test_what_was_deleted_stands_in_no_file_once_the_log_is_trimmed(sqlite: Engine, tmp_path: Path) -> None:
    schema.upgrade(sqlite)
    key = {"key": SECRET, "accepted_at": datetime.now(UTC)}
    with writing(sqlite) as connection:
        connection.execute(insert(LetterKeyRow).values(key))
    with writing(sqlite) as connection:
        connection.execute(delete(LetterKeyRow))
    assert holding(tmp_path) == ["pbem.db-wal"]
    assert trim_log(sqlite)
    assert holding(tmp_path) == []


def holding(folder: Path) -> list[str]:
    """The files in which the secret stands."""
    return [file.name for file in folder.iterdir() if SECRET.encode() in file.read_bytes()]


def test_the_log_is_not_trimmed_while_somebody_reads_or_writes_and_nobody_waits(sqlite: Engine) -> None:
    schema.upgrade(sqlite)
    with reading(sqlite) as connection:
        connection.scalar(select(LetterKeyRow.key))
        with writing(sqlite) as other:
            other.execute(insert(LetterKeyRow).values(key="a", accepted_at=datetime.now(UTC)))
        assert not trim_log(sqlite)
    with writing(sqlite) as connection:
        connection.execute(delete(LetterKeyRow))
        assert not trim_log(sqlite)
    assert trim_log(sqlite)
    with reading(sqlite) as connection:
        assert connection.scalar(text("PRAGMA busy_timeout")) == 30_000


def test_another_database_has_no_log_to_be_trimmed(engine: Engine) -> None:
    assert trim_log(engine)


def test_what_need_not_last_is_there_all_the_same_and_what_follows_lasts(things: Engine) -> None:
    asked = "PRAGMA synchronous" if things.dialect.name == "sqlite" else "SELECT current_setting('synchronous_commit')"

    def how(*, lasting: bool) -> object:
        with writing(things, lasting=lasting) as connection:
            connection.execute(update(THINGS).values(worth=THINGS.c.worth + 1))
            return connection.scalar(text(asked))

    before = how(lasting=True)
    assert how(lasting=False) in (1, "off")
    with suppress(StepFailed), writing(things, lasting=False):
        raise StepFailed
    assert how(lasting=True) == before
    assert before in (2, "on")
    assert worth(things) == {"ring": 3}


def test_a_process_has_no_more_connections_to_postgresql_than_it_may(postgresql_url: str) -> None:
    engine = make_engine(postgresql_url, connections=3)

    def look(_: int) -> int:
        with reading(engine) as connection:
            connection.execute(text("SELECT pg_sleep(0.01)"))
            here = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            return int(connection.scalars(text(here)).one())

    with ThreadPoolExecutor(8) as threads:
        assert max(threads.map(look, range(24))) == 3
    engine.dispose()


def test_a_connection_that_is_returned_after_the_end_is_closed(database_url: str) -> None:
    engine = make_engine(database_url)
    with reading(engine) as late:
        late.execute(text("SELECT 1"))
        raw = late.connection.driver_connection
        let_go(engine)
        assert late.scalar(text("SELECT 1")) == 1, "it may finish what it is at"
    with pytest.raises(Exception, match=r"(?i)closed"):
        raw.execute("SELECT 1")  # type: ignore[union-attr]


def test_postgresql_keeps_the_statements_of_readers_prepared(postgresql_url: str) -> None:
    engine = make_engine(postgresql_url, connections=1)
    asked = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%pg_prepared_statements%'")
    found = []
    for _ in range(8):
        with reading(engine) as connection:
            found.append(connection.scalar(asked))
    engine.dispose()
    assert found[-1] == 1


def test_a_connection_that_postgresql_has_ended_is_given_to_nobody(postgresql_url: str) -> None:
    engine, other = make_engine(postgresql_url, connections=1), make_engine(postgresql_url, connections=1)
    session = text("SELECT pg_backend_pid()")
    with reading(engine) as connection:
        first = connection.scalar(session)
    with writing(other) as connection:
        assert connection.scalar(text("SELECT pg_terminate_backend(:which, 10000)"), {"which": first})
    with reading(engine) as connection:
        assert connection.scalar(session) != first
    for each in (engine, other):
        each.dispose()


def _end_session(url: str, which: int) -> None:
    other = make_engine(url, connections=1)
    with writing(other) as connection:
        assert connection.scalar(text("SELECT pg_terminate_backend(:which, 10000)"), {"which": which})
    other.dispose()


def test_what_was_read_stays_right_if_postgresql_ends_the_connection_by_then(postgresql_url: str) -> None:
    engine = make_engine(postgresql_url, connections=1)
    with reading(engine) as connection:
        _end_session(postgresql_url, int(connection.scalar(text("SELECT pg_backend_pid()")) or 0))
    with reading(engine) as connection:
        assert connection.scalar(text("SELECT 1")) == 1
    engine.dispose()


def test_a_connection_lost_within_a_unit_of_work_is_told_as_that(postgresql_url: str) -> None:
    engine = make_engine(postgresql_url, connections=1)

    def lose(uow: UnitOfWork) -> Connection:
        connection = uow._connect()
        _end_session(postgresql_url, int(connection.scalar(text("SELECT pg_backend_pid()")) or 0))
        return connection

    def read_on() -> None:
        with UnitOfWork(engine, GameStateCache({})) as uow:
            lose(uow).scalar(text("SELECT 1"))

    def fail() -> None:
        with UnitOfWork(engine, GameStateCache({})) as uow:
            lose(uow)
            raise StepFailed

    with pytest.raises(OperationalError) as lost:
        read_on()
    assert is_out_of_order(lost.value)
    with pytest.raises(StepFailed):
        fail()
    engine.dispose()
