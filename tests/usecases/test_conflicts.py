"""Deciding anew what somebody else was quicker with."""

from __future__ import annotations

import pytest

from pbem.errors import Conflict
from pbem.executor import MOST_CONFLICTS, TooManyConflicts, retry_on_conflict


class Rivalry:
    """Somebody else is quicker so many times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.tries = 0

    def attempt(self) -> int:
        self.tries += 1
        if self.tries <= self.times:
            raise Conflict(attempt=self.tries)
        return self.tries


def test_what_is_decided_anew_comes_to_what_its_last_attempt_has() -> None:
    assert retry_on_conflict(Rivalry(0).attempt) == 1
    assert retry_on_conflict(Rivalry(MOST_CONFLICTS - 1).attempt) == MOST_CONFLICTS


def test_who_is_always_too_late_hears_how_often_and_what_was_last_in_the_way() -> None:
    rivalry = Rivalry(MOST_CONFLICTS)
    with pytest.raises(TooManyConflicts, match=rf"times={MOST_CONFLICTS}") as raised:
        retry_on_conflict(rivalry.attempt)
    assert rivalry.tries == MOST_CONFLICTS
    assert str(raised.value.__cause__) == f"Conflict(attempt={MOST_CONFLICTS})"


def test_nothing_else_is_tried_again() -> None:
    tries: list[int] = []

    def attempt() -> None:
        tries.append(1)
        raise KeyError("our bug")

    with pytest.raises(KeyError):
        retry_on_conflict(attempt)
    assert len(tries) == 1
