"""One commit for all that is to be stored at a time.

A commit that reaches the disk is dear, and a session must not say ``250`` before it, nor
may a worker call a letter answered. So they hand what they have to one thread, which
stores in one transaction all that has come while it was busy with the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

from pbem.errors import PbemError

MOST = 500
"""Things in one commit."""

ThingT = TypeVar("ThingT")
AnswerT = TypeVar("AnswerT")


class CommitterClosed(PbemError):
    """What was submitted came after the end, and is not stored."""


class Committer(Generic[ThingT, AnswerT]):
    """Gathers things and stores them together; each caller gets the answer to his own.

    Its thread begins with the first of them.

    Args:
        store: stores things in one transaction and returns an answer for each; an exception among them is raised for
            whom it is meant.
        is_hopeless: whether after such a failure none of them need be tried alone.
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
