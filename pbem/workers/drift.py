"""How far the clock of the machine has been set."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic

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
        """What the clock showed when no second had passed; None until it was first trusted."""

    @property
    def is_unknown(self) -> bool:
        """Whether the clock has never been trusted yet."""
        return self._began is None

    def moved(self, now: datetime) -> timedelta:
        """How far the clock was set since it was last trusted, forward or back; nothing if it has only drifted."""
        moved = timedelta(0) if self._began is None else self._started(now) - self._began
        return moved if abs(moved) > _DRIFT else timedelta(0)

    def trust(self, now: datetime) -> None:
        """Take the clock as it is for right."""
        self._began = self._started(now)

    def _started(self, now: datetime) -> datetime:
        return now - timedelta(seconds=self.seconds())
