"""Whether the clock of the machine has been set."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

import structlog

from pbem.workers.drift import Drift

log = structlog.get_logger()


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
        self._drift = Drift(clock, seconds)
        self._was_set = False
        """At the last look."""

    def step(self) -> bool:
        """Look at the clock; if what was noted cannot be changed now, that is tried the next time.

        Once it was set that is done at two looks: what was just being noted by it is there at the second.
        """
        now = self._drift.clock()
        moved = self._drift.moved(now)
        if not (moved or self._was_set or self._drift.is_unknown):
            return False
        if moved:
            log.warning("clock was set", seconds=moved.total_seconds())
        self._pull_in(now)
        self._drift.trust(now)
        self._was_set = bool(moved)
        return False
