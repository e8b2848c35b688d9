"""Whether the clock of the machine has been set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger()

_DRIFT = timedelta(minutes=1)
"""A clock that is merely kept right moves less."""


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
        self._clock = clock
        self._seconds = seconds
        self._began: datetime | None = None
        """What the clock showed when no second had passed; None until a first time has been looked."""

    def step(self) -> bool:
        """Look at the clock; if what was noted cannot be changed now, that is tried the next time."""
        now = self._clock()
        began = now - timedelta(seconds=self._seconds())
        if self._began is not None and abs(began - self._began) <= _DRIFT:
            return False
        if self._began is not None:
            log.warning("clock was set", seconds=(began - self._began).total_seconds())
        self._pull_in(now)
        self._began = began
        return False
