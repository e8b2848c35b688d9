"""Units of work that share commits, so that one wait for the disk is enough for several letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from pbem.errors import Conflict
from pbem.storage.committer import MOST, Committer
from pbem.storage.engine import is_out_of_order, writing

Write = Callable[[Connection], None]


_RIVALS = ("40001", "40P01")
"""PostgreSQL's serialization_failure and deadlock_detected: somebody else went first."""


@contextmanager
def conflicts_told() -> Iterator[None]:
    """Say of what a database refuses because somebody else was quicker that it is a `Conflict`."""
    try:
        yield
    except IntegrityError as taken:
        raise Conflict(constraint=type(taken.orig).__name__) from None
    except DBAPIError as failed:
        if getattr(failed.orig, "sqlstate", None) in _RIVALS:
            raise Conflict(sqlstate=failed.orig.sqlstate) from None  # type: ignore[union-attr]
        raise


class SharedCommits:
    """Writes what units of work hand over, each whole or not at all, in a thread of its own.

    On SQLite those that come while one is written share the next commit: a savepoint keeps what fails from the others.
    On PostgreSQL each has a transaction of its own, since several that shared one would hold each other's rows.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._committer: Committer[Write, None] = Committer(
            self._write_together,
            is_out_of_order,
            most=MOST if engine.dialect.name == "sqlite" else 1,
            name="shared commits",
        )

    def submit(self, write: Write) -> Future[None]:
        """Have something written; the future is done once that is safe, or has failed."""
        return self._committer.submit(write)

    def close(self) -> None:
        """Write what was submitted, then end."""
        self._committer.close()

    def _write_together(self, writes: Sequence[Write]) -> Sequence[Exception | None]:
        if len(writes) == 1:
            self._write_alone(writes[0])
            return [None]
        with writing(self._engine) as connection:
            return [_written(connection, write) for write in writes]

    def _write_alone(self, write: Write) -> None:
        with conflicts_told(), writing(self._engine) as connection:
            write(connection)


def _written(connection: Connection, write: Write) -> Exception | None:
    """Write, or leave no trace and say why."""
    try:
        with conflicts_told(), connection.begin_nested():
            write(connection)
    except Exception as failed:
        if is_out_of_order(failed):
            raise
        return failed
    return None
