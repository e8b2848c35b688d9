"""Clocks: nags, forfeits, and a watch over the machine's own clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic

import structlog

from pbem.commands.internal import StrikeClock
from pbem.domain.clocks import MISSED
from pbem.executor import CommandExecutor
from pbem.ids import BoardNumber
from pbem.storage.inbox import Inbox
from pbem.usecases.dispatcher import dispatch
from pbem.workers.faults import pass_over

_DRIFT = timedelta(minutes=1)
"""A clock that is merely kept right moves less."""


class Drift:
    """Compares the clock with the seconds that have passed.

    Args:
        clock: tells the time.
        seconds: tell how much of it has passed, whatever the clock is set to.
    """

    def __init__(
        self, clock: Callable[[], datetime] = lambda: datetime.now(UTC), seconds: Callable[[], float] = monotonic
    ) -> None:
        self.clock = clock
        self.seconds = seconds
        self._began: datetime | None = None
        """The clock's time when no second had passed; None until it was first trusted."""

    @property
    def is_unknown(self) -> bool:
        """The clock has never been trusted yet."""
        return self._began is None

    def moved(self, now: datetime) -> timedelta:
        """Return how far the clock was set since it was last trusted, forward or back; zero for mere drift."""
        moved = timedelta(0) if self._began is None else self._started(now) - self._began
        return moved if abs(moved) > _DRIFT else timedelta(0)

    def trust(self, now: datetime) -> None:
        """Take the clock as it is for right."""
        self._began = self._started(now)

    def _started(self, now: datetime) -> datetime:
        return now - timedelta(seconds=self.seconds())


log = structlog.get_logger()

_AT_ONCE = 20
"""Boards between two looks at the time."""
_REST = MISSED.total_seconds()
"""After this a board is tried again that could not be handled; and what the clock passed over while it was set has
been missed by so much that nobody loses by it."""


class ClockRunner:
    """Strikes the clocks that are due, each in a transaction of its own.

    Args:
        clerk: writes down what comes of it.
        inbox: where letters wait; what was sent in time is handled first.
        clock: tells the time.
        seconds: tell how much of it has passed, whatever the clock is set to.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        inbox: Inbox,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._executor = executor
        self._inbox = inbox
        self.drift = Drift(clock, seconds)
        self._rests_until = 0.0
        self._failed: dict[BoardNumber, float] = {}
        """Boards that could not be handled, and when they are tried again."""

    def step(self) -> bool:
        """Strike some of the clocks that are due; False if there are none.

        Raises:
            Exception: the database is in trouble.
        """
        now = self.drift.clock()
        if self._rests(now):
            return False
        now = min(now, self._inbox.unhandled_since() or now)
        due = self._due(now)
        for number in due:
            try:
                self._strike(number, now)
            except Exception as failed:  # noqa: BLE001 - no other board is to stand still for it
                pass_over(failed, log, "clock not struck", board=number)
                self._failed[number] = self.drift.seconds() + _REST
        return bool(due)

    def _rests(self, now: datetime) -> bool:
        """Return True if the clock was set recently: a player who lost by that would not have been warned."""
        if self.drift.moved(now):
            self._rests_until = self.drift.seconds() + _REST
        self.drift.trust(now)
        return self.drift.seconds() < self._rests_until

    def _due(self, now: datetime) -> Sequence[BoardNumber]:
        seconds = self.drift.seconds()
        self._failed = {number: until for number, until in self._failed.items() if until > seconds}
        with self._executor.unit_of_work() as uow:
            return uow.clocks.due(now, _AT_ONCE, self._failed)

    def _strike(self, number: BoardNumber, now: datetime) -> None:
        """Strike one clock; if something has happened there meanwhile it comes again, should it still be due."""
        key = f"clock-{number}-{now:%Y%m%d%H%M%S%f}"
        notices = self._executor.carry_out(
            lambda context: {key: dispatch(StrikeClock(number), context)}, now, board=number
        )
        if notices:
            log.info("clock struck", board=number, notices=[notice.name for notice in notices])


class ClockWatch:
    """Looks now and then whether the clock was set, and has what was noted by it before brought near.

    Args:
        pull_in: brings it near, by the clock as it is now.
        clock: tells the time.
        seconds: tell how much of it has passed, whatever the clock is set to.
    """

    def __init__(
        self,
        pull_in: Callable[[datetime], object],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._pull_in = pull_in
        self.drift = Drift(clock, seconds)
        self._was_set = False
        """At the last look."""

    def step(self) -> bool:
        """Look at the clock; if what was noted cannot be changed now, that is tried the next time.

        Once it was set that is done at two looks: what was just being noted by it is there at the second.
        """
        now = self.drift.clock()
        moved = self.drift.moved(now)
        if not (moved or self._was_set or self.drift.is_unknown):
            return False
        if moved:
            log.warning("clock was set", seconds=moved.total_seconds())
        self._pull_in(now)
        self.drift.trust(now)
        self._was_set = bool(moved)
        return False
