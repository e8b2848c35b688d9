"""Where requests are answered: in threads, so many of each kind that none keeps the others waiting for long.

What is answered holds a connection of the database's pool, and there are two processors at most places: more threads
would only take memory. Those for whom there is no thread wait, in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

GivenT = ParamSpec("GivenT")
AnswerT = TypeVar("AnswerT")

MOST_PAGES, MOST_FORMS, MOST_PASSWORDS = 12, 6, 3


class Threads:
    """The threads of one app."""

    def __init__(self) -> None:
        self.pages = CapacityLimiter(MOST_PAGES)
        """For what is only read."""
        self.forms = CapacityLimiter(MOST_FORMS)
        """For what may change something, of programs as well."""
        self.passwords = CapacityLimiter(MOST_PASSWORDS)
        """For what takes long and much memory on purpose."""


async def in_thread(
    limiter: CapacityLimiter, answer: Callable[GivenT, AnswerT], *given: GivenT.args, **more: GivenT.kwargs
) -> AnswerT:
    """Have something answered in a thread of a kind."""
    return await to_thread.run_sync(partial(answer, *given, **more), limiter=limiter)
