"""Commits: several units of work written in one transaction, and what conflicts mean for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from pbem.errors import Conflict, PbemError
from pbem.storage.engine import is_out_of_order, writing

MOST = 500
"""Things in one commit."""

ThingT = TypeVar("ThingT")
AnswerT = TypeVar("AnswerT")


class CommitterClosed(PbemError):
    """Something was submitted after the end, and is not stored."""


class Committer(Generic[ThingT, AnswerT]):
    """Gathers things and stores them together; each caller gets its own answer.

    Its thread begins with the first of them.

    Args:
        store: stores things in one transaction and returns an answer for each; an exception among them is raised
            for its caller.
        is_hopeless: tells if a failure is such that none of them need be tried alone.
        most: things in one commit.
        name: of its thread.
    """

    def __init__(
        self,
        store: Callable[[Sequence[ThingT]], Sequence[AnswerT | Exception]],
        is_hopeless: Callable[[Exception], bool] = lambda _failed: False,
        *,
        most: int = MOST,
        name: str = "committer",
    ) -> None:
        self._store = store
        self._is_hopeless = is_hopeless
        self._most = most
        self._queue: SimpleQueue[tuple[ThingT, Future[AnswerT]] | None] = SimpleQueue()
        self._name = name
        self._thread: Thread | None = None
        self._is_closed = False
        self._lock = Lock()
        """Held while something is queued: nothing comes behind the end, and one thread is begun."""

    def submit(self, thing: ThingT) -> Future[AnswerT]:
        """Have a thing stored; the future is done once it is safe, or has failed.

        After the end it has failed at once, with `CommitterClosed`.
        """
        future: Future[AnswerT] = Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            if self._is_closed:
                future.set_exception(CommitterClosed())
                return future
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put((thing, future))
        return future

    def close(self) -> None:
        """Store what was submitted, then end."""
        with self._lock:
            if not self._is_closed:
                self._queue.put(None)
            self._is_closed = True
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        ending = False
        while not ending:
            batch, ending = self._take()
            if batch:
                self._commit(batch)

    def _take(self) -> tuple[list[tuple[ThingT, Future[AnswerT]]], bool]:
        """Wait for one thing, then take all that are there."""
        first = self._queue.get()
        if first is None:
            return [], True
        batch = [first]
        while len(batch) < self._most:
            try:
                following = self._queue.get_nowait()
            except Empty:
                break
            if following is None:
                return batch, True
            batch.append(following)
        return batch, False

    def _commit(self, batch: list[tuple[ThingT, Future[AnswerT]]]) -> None:
        try:
            answers = self._store([thing for thing, _ in batch])
        except BaseException as failed:  # noqa: BLE001 - whatever it was, the callers must hear that nothing is stored
            if len(batch) == 1 or not isinstance(failed, Exception) or self._is_hopeless(failed):
                for _, future in batch:
                    future.set_exception(failed)
                return
            for each in batch:  # one that cannot be stored must not take the others with it
                self._commit([each])
            return
        for (_, future), answer in zip(batch, answers, strict=True):
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)


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
