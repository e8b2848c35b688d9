from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from threading import Event

import pytest
from sqlalchemy import Connection, Engine, delete, event, insert, select
from sqlalchemy.exc import OperationalError

from pbem.errors import Conflict
from pbem.storage.committing import SharedCommits
from pbem.storage.engine import reading
from pbem.storage.models import LetterKeyRow
from tests.storage.stock import AT

Write = Callable[[Connection], None]


PATIENCE = 20


class Refused(Exception):
    """Something is not to be written."""


def adds(*keys: str) -> Write:
    def write(connection: Connection) -> None:
        for key in keys:
            connection.execute(insert(LetterKeyRow).values(key=key, accepted_at=AT))

    return write


def refuses(connection: Connection) -> None:
    adds("refused")(connection)
    raise Refused


def loses_the_disk(connection: Connection) -> None:
    connection.execute(delete(LetterKeyRow))
    raise OperationalError("INSERT", {}, RuntimeError("disk full"))


class HeldCommits:
    """Shared commits whose thread is busy until all that is wanted was submitted."""

    def __init__(self, engine: Engine) -> None:
        self.commits = SharedCommits(engine)
        self.count = 0
        self._engine = engine

    def write(self, *writes: Write) -> list[Future[None]]:
        began, all_there = Event(), Event()

        def wait(_connection: Connection) -> None:
            began.set()
            assert all_there.wait(PATIENCE)

        first = self.commits.submit(wait)
        assert began.wait(PATIENCE)
        futures = [self.commits.submit(each) for each in writes]
        event.listen(self._engine, "commit", self._counted)
        all_there.set()
        for each in (first, *futures):
            each.exception(PATIENCE)
        return futures

    def _counted(self, _connection: Connection) -> None:
        self.count += 1


@pytest.fixture
def held(engine: Engine) -> Iterator[HeldCommits]:
    held = HeldCommits(engine)
    yield held
    held.commits.close()


def keys(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        return sorted(connection.scalars(select(LetterKeyRow.key)))


def test_what_comes_while_one_is_written_shares_the_next_commit_on_sqlite(engine: Engine, held: HeldCommits) -> None:
    held.write(adds("a"), adds("b"), adds("c"))
    assert held.count == (2 if engine.dialect.name == "sqlite" else 4)
    assert keys(engine) == ["a", "b", "c"]


def test_what_is_refused_leaves_no_trace_and_takes_nothing_with_it(engine: Engine, held: HeldCommits) -> None:
    before, refused, after = held.write(adds("a"), refuses, adds("b"))
    assert isinstance(refused.exception(), Refused)
    assert (before.exception(), after.exception()) == (None, None)
    assert keys(engine) == ["a", "b"]


def test_who_comes_second_is_told_of_a_conflict(engine: Engine, held: HeldCommits) -> None:
    first, second, third = held.write(adds("a"), adds("b", "a"), adds("c"))
    assert isinstance(second.exception(), Conflict)
    assert (first.exception(), third.exception()) == (None, None)
    assert keys(engine) == ["a", "c"]


def test_if_the_database_is_out_of_order_nothing_of_a_shared_commit_is_called_safe(
    engine: Engine, held: HeldCommits
) -> None:
    futures = held.write(adds("a"), loses_the_disk, adds("b"))
    told = [each.exception() is None for each in futures]
    assert told == ([False] * 3 if engine.dialect.name == "sqlite" else [True, False, True])
    assert keys(engine) == [key for key, is_safe in zip(("a", "", "b"), told, strict=True) if is_safe]


def test_at_the_end_what_was_submitted_is_written(engine: Engine) -> None:
    commits = SharedCommits(engine)
    futures = [commits.submit(adds(str(number))) for number in range(5)]
    commits.close()
    assert all(each.done() and each.exception() is None for each in futures)
    assert len(keys(engine)) == 5
