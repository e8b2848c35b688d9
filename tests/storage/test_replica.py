from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbem.storage.engine import writing
from pbem.storage.replica import ReadReplica, ReplicaUnusable
from tests.support.databases import engine_at
from tests.support.postgresql import Cluster, Server

MOST = 10.0


@dataclass
class Pair:
    """A database with a table of numbers, and its replica; the clock is set by hand."""

    primary: Engine
    replica: Engine
    now: float = 0.0
    read: ReadReplica = field(init=False)

    def __post_init__(self) -> None:
        self.read = ReadReplica(self.primary, self.replica, MOST, lambda: self.now)

    def writes(self, number: int) -> None:
        with writing(self.primary) as connection:
            connection.execute(text("INSERT INTO numbers VALUES (:number)"), {"number": number})

    def catches_up(self) -> None:
        with self.primary.connect() as connection:
            written = connection.scalar(text("SELECT CAST(pg_current_wal_lsn() AS text)"))
        while not self.asks("pg_last_wal_replay_lsn() >= CAST(:position AS pg_lsn)", position=written):
            pass

    def pauses(self) -> None:
        self.catches_up()
        self.asks("pg_wal_replay_pause()")
        while self.asks("pg_get_wal_replay_pause_state()") != "paused":
            pass

    def asks(self, what: str, **values: object) -> object:
        with self.replica.connect() as connection:
            return connection.scalar(text(f"SELECT {what}"), values)

    def sees(self) -> list[int]:
        """The numbers that the replica has, as far as it may be read from."""
        with self.read.reader() as connection:
            return [int(each) for each in connection.scalars(text("SELECT number FROM numbers ORDER BY number"))]


@pytest.fixture
def pair(clusters: tuple[Cluster, Cluster]) -> Iterator[Pair]:
    first, second = (cluster.server for cluster in clusters)
    name = first.create_next("template0")
    with ExitStack() as stack:
        stack.callback(first.drop, name)
        primary, replica = (stack.enter_context(engine_at(server.url(name))) for server in (first, second))
        with writing(primary) as connection:
            connection.execute(text("CREATE TABLE numbers (number INTEGER)"))
        _wait_for_database(second, name, replica)
        pair = Pair(primary, replica)
        pair.catches_up()
        stack.callback(pair.asks, "pg_wal_replay_resume()")
        yield pair


def _wait_for_database(server: Server, name: str, replica: Engine) -> None:
    with closing(server.administrator()) as administrator:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        while administrator.execute(query, [name]).fetchone() is None:
            pass
    replica.dispose()


def test_a_replica_that_has_caught_up_is_read_from_however_long_nothing_was_written(pair: Pair) -> None:
    pair.writes(1)
    pair.catches_up()
    for _ in range(3):
        pair.now += 10 * MOST
        assert pair.sees() == [1]


def test_one_that_stands_still_is_read_from_as_long_as_it_may_be_behind(pair: Pair) -> None:
    pair.writes(1)
    pair.catches_up()
    assert pair.sees() == [1]
    pair.pauses()
    pair.writes(2)
    for _ in range(10):
        pair.now += MOST / 10
        assert pair.sees() == [1]
    pair.now += 0.1
    with pytest.raises(ReplicaUnusable, match="more than 10 seconds behind"):
        pair.sees()
    pair.asks("pg_wal_replay_resume()")
    pair.catches_up()
    pair.now += MOST
    assert pair.sees() == [1, 2]


def test_one_of_which_it_is_not_known_how_far_it_is_behind_is_not_read_from(pair: Pair) -> None:
    pair.pauses()
    pair.writes(1)
    with pytest.raises(ReplicaUnusable, match="behind"):
        pair.sees()


def test_one_that_lags_behind_all_the_time_is_read_from_if_it_does_so_by_less_than_it_may(pair: Pair) -> None:
    assert pair.sees() == []
    pair.pauses()
    for number in range(20):  # what is written is replayed half the time later that it may take
        pair.writes(number)
        pair.now += MOST / 2
        seen = pair.sees()
        assert seen == list(range(number))
        pair.asks("pg_wal_replay_resume()")
        pair.pauses()


def test_whatever_is_read_is_of_one_moment(pair: Pair) -> None:
    pair.writes(1)
    pair.catches_up()
    with pair.read.reader() as connection:
        count = text("SELECT count(*) FROM numbers")
        assert connection.scalar(count) == 1
        pair.writes(2)
        pair.catches_up()
        assert connection.scalar(count) == 1
    assert pair.sees() == [1, 2]


def test_a_database_that_can_be_written_or_that_is_another_one_is_no_replica(pair: Pair, postgresql_url: str) -> None:
    with pytest.raises(ReplicaUnusable, match="can be written"):
        ReadReplica(pair.primary, pair.primary, MOST).reader()
    with engine_at(postgresql_url) as other, pytest.raises(ReplicaUnusable, match="no replica of the database"):
        ReadReplica(other, pair.replica, MOST).reader()


def test_one_that_could_not_be_read_from_is_left_alone_for_a_while_and_that_is_said_once(pair: Pair) -> None:
    asked: list[object] = []
    with engine_at("postgresql+psycopg://pbem@/pbem?host=/nowhere") as nowhere, capture_logs() as logs:
        event.listen(nowhere, "do_connect", lambda *given: asked.append(given))
        read = ReadReplica(pair.primary, nowhere, MOST, lambda: pair.now)
        with pytest.raises(OperationalError):
            read.reader()
        for _ in range(5):
            with pytest.raises(ReplicaUnusable):
                read.reader()
        pair.now += MOST
        with pytest.raises(OperationalError):
            read.reader()
    assert len(asked) == 2
    assert [each["event"] for each in logs] == ["replica not used"]
    assert "/nowhere" in logs[0]["why"]
