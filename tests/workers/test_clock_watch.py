"""A clock that is set while the server runs."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pbem.workers.clocks import ClockWatch
from tests.storage.stock import AT, MINUTE

YEAR = timedelta(days=365)


class Times:
    """A clock, what passes in truth, and what was pulled in when."""

    def __init__(self) -> None:
        self.now = AT
        self.passed = 1000.0
        self.pulled: list[datetime] = []
        self.fails = False
        self.watch = ClockWatch(self._pull_in, lambda: self.now, lambda: self.passed)

    def _pull_in(self, now: datetime) -> None:
        if self.fails:
            raise OSError("disk full")
        self.pulled.append(now)

    def pass_(self, seconds: float, clock: timedelta | None = None) -> None:
        """So many seconds pass, and the clock moves as much, or as it is said."""
        self.passed += seconds
        self.now += timedelta(seconds=seconds) if clock is None else clock
        self.watch.step()


@pytest.fixture
def times() -> Times:
    times = Times()
    times.watch.step()
    return times


def test_at_the_start_everything_is_brought_near(times: Times) -> None:
    assert times.pulled == [AT]


def test_while_the_clock_goes_right_nothing_is_touched(times: Times) -> None:
    for seconds in (1, 5000, 0.5):
        times.pass_(seconds)
    times.pass_(10, timedelta(seconds=40))
    assert times.pulled == [AT]


@pytest.mark.parametrize("jump", [YEAR, -YEAR, 2 * MINUTE, -2 * MINUTE])
def test_a_clock_that_is_set_has_everything_brought_near_at_once_and_what_was_just_being_noted(
    times: Times, jump: timedelta
) -> None:
    times.pass_(1, jump)
    for _ in range(3):
        times.pass_(1)
    assert times.pulled == [AT, AT + jump, AT + jump + timedelta(seconds=1)]


def test_what_could_not_be_brought_near_is_tried_again(times: Times) -> None:
    times.fails = True
    with pytest.raises(OSError, match="disk full"):
        times.pass_(1, -YEAR)
    times.fails = False
    times.pass_(1)
    assert len(times.pulled) == 2
