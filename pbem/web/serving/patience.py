"""What is asked of a database that may say nothing at all, by who cannot wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from anyio import CapacityLimiter, to_thread

from pbem.meters.depths import PATIENCE

AnswerT = TypeVar("AnswerT")


class SharedQuestion(Generic[AnswerT]):
    """Asks for something once at a time, in a thread of its own: whoever comes meanwhile gets the same answer.

    A database that says nothing at all would else hold a thread for each question.

    Args:
        ask: asks the database.
        silence: the answer where it gives none in time.
        patience: how many seconds it has.
    """

    def __init__(self, ask: Callable[[], AnswerT], silence: AnswerT, patience: float = PATIENCE) -> None:
        self._ask = ask
        self._silence = silence
        self._patience = patience
        self._limiter = CapacityLimiter(1)
        self._answer: asyncio.Task[AnswerT] | None = None

    async def answer(self) -> AnswerT:
        """What it says."""
        if self._answer is None:
            self._answer = asyncio.create_task(self._in_thread())
            self._answer.add_done_callback(self._forget)
        answer = self._answer
        done, _ = await asyncio.wait([answer], timeout=self._patience)
        return answer.result() if done else self._silence

    async def _in_thread(self) -> AnswerT:
        # at the end of the process nobody waits for it
        return await to_thread.run_sync(self._ask, limiter=self._limiter, abandon_on_cancel=True)

    def _forget(self, _answer: asyncio.Task[AnswerT]) -> None:
        self._answer = None
