"""Deciding anew what somebody else was quicker with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pbem.errors import Conflict, PbemError

MOST_CONFLICTS = 20
"""More in a row are a fault of ours."""

AnswerT = TypeVar("AnswerT")


class TooManyConflicts(PbemError):
    """Something was decided again and again, and each time somebody else was quicker."""


def insist(attempt: Callable[[], AnswerT]) -> AnswerT:
    """Have something decided and written, anew as long as somebody else is quicker; what came of it at last.

    Args:
        attempt: reads, decides and commits, all of it anew; `Conflict` if somebody else was quicker.

    Raises:
        TooManyConflicts: somebody always was; its cause is the last conflict.
    """
    last: Conflict | None = None
    for _ in range(MOST_CONFLICTS):
        try:
            return attempt()
        except Conflict as conflict:
            last = conflict
    raise TooManyConflicts(times=MOST_CONFLICTS) from last
