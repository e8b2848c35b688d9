"""Looks at the clocks that are due: nags, forfeits, offers that nobody has answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import monotonic

import structlog

from pbem.commands.unwritten import StrikeClock
from pbem.domain.clocks import MISSED
from pbem.executor import Clerk
from pbem.ids import BoardNumber
from pbem.storage.inbox import Inbox
from pbem.usecases.dispatcher import dispatch
from pbem.workers.drift import Drift
from pbem.workers.faults import pass_over

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
        clerk: Clerk,
        inbox: Inbox,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._clerk = clerk
        self._inbox = inbox
        self._drift = Drift(clock, seconds)
        self._rests_until = 0.0
        self._failed: dict[BoardNumber, float] = {}
        """Boards that could not be handled, and when they are tried again."""

    def step(self) -> bool:
        """Strike some of the clocks that are due; False if there are none.

        Raises:
            Exception: the database is in trouble.
        """
        now = self._drift.clock()
        if self._rests(now):
            return False
        now = min(now, self._inbox.unhandled_since() or now)
        due = self._due(now)
        for number in due:
            try:
                self._strike(number, now)
            except Exception as failed:  # noqa: BLE001 - no other board is to stand still for it
                pass_over(failed, log, "clock not struck", board=number)
                self._failed[number] = self._drift.seconds() + _REST
        return bool(due)

    def _rests(self, now: datetime) -> bool:
        """Whether the clock was set of late: whoever lost by that would not have been told."""
        if self._drift.moved(now):
            self._rests_until = self._drift.seconds() + _REST
        self._drift.trust(now)
        return self._drift.seconds() < self._rests_until

    def _due(self, now: datetime) -> Sequence[BoardNumber]:
        seconds = self._drift.seconds()
        self._failed = {number: until for number, until in self._failed.items() if until > seconds}
        with self._clerk.unit_of_work() as uow:
            return uow.clocks.due(now, _AT_ONCE, self._failed)

    def _strike(self, number: BoardNumber, now: datetime) -> None:
        """Strike one clock; if something has happened there meanwhile it comes again, should it still be due."""
        key = f"clock-{number}-{now:%Y%m%d%H%M%S%f}"
        notices = self._clerk.carry_out(
            lambda context: {key: dispatch(StrikeClock(number), context)}, now, board=number
        )
        if notices:
            log.info("clock struck", board=number, notices=[notice.name for notice in notices])
