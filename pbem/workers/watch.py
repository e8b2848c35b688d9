"""Watching over other processes, and taking over from dead ones."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from time import monotonic

import structlog

from pbem.storage.engine import is_out_of_order
from pbem.workers.alarms import Alarms
from pbem.workers.faults import said_by_database

ALARM = "letters_not_stored"
_LOOKED_AT = 60.0
"""Seconds: how often it is tried while nothing seems wrong."""
_CALM = 5.0
"""Seconds: how long nothing must have failed before all is well again, and how often that is tried until then."""


class DatabaseWatch:
    """Raises the alarm when something could not be written, and settles it when it can again.

    Args:
        alarms: told of both.
        try_writing: writes something and leaves no trace of it.
        seconds: tell how much time has passed, whatever the clock is set to.
    """

    def __init__(
        self, alarms: Alarms, try_writing: Callable[[datetime], None], seconds: Callable[[], float] = monotonic
    ) -> None:
        self._alarms = alarms
        self._try_writing = try_writing
        self._seconds = seconds
        self._failed_at: float | None = None
        self._tried_at = seconds()

    @property
    def is_well(self) -> bool:
        """Whether all that was to be written lately could be."""
        return not self._alarms.is_raised(ALARM)

    def letters_failed(self, failed: Exception, letters: int) -> None:
        """So many letters could not be stored, whatever the reason."""
        self._note(failed, letters)

    def step_failed(self, failed: Exception) -> None:
        """A worker's step has failed; that may have other reasons than the database."""
        if is_out_of_order(failed):
            self._note(failed, 0)

    def _note(self, failed: Exception, letters: int) -> None:
        self._failed_at = self._seconds()
        self._alarms.raise_(ALARM, _reason(failed), datetime.now(UTC), letters)

    def step(self) -> bool:
        """Try now and then whether the database can be written."""
        passed = self._seconds()
        if passed - self._tried_at < (_LOOKED_AT if self._failed_at is None else _CALM):
            return False
        self._tried_at = passed
        now = datetime.now(UTC)
        try:
            self._try_writing(now)
        except Exception as failed:  # noqa: BLE001 - whatever it was, nothing can be written
            self._note(failed, 0)
        else:
            if self._failed_at is not None and passed - self._failed_at >= _CALM:
                self._failed_at = None
                self._alarms.settle(ALARM, now)
        return False


def _reason(failed: Exception) -> str:
    """What the database says of itself; of anything else, which may show a letter, only the kind."""
    return said_by_database(failed) or type(failed).__name__


log = structlog.get_logger()


class TakeOver:
    """Looks now and then which processes have died, and frees what they had.

    One that is missed once may only have lost its connection to the database; one that is missed twice in a row has
    died, or will find that what it had is not its own any more.

    Args:
        missed: finds those that have something and do not answer.
        free: frees what they have; returns how much that was.
        freed: told when something has been freed.
    """

    def __init__(
        self,
        missed: Callable[[], Collection[str]],
        free: Callable[[Collection[str]], int],
        freed: Callable[[], None],
    ) -> None:
        self._missed = missed
        self._free = free
        self._freed = freed
        self._before: Collection[str] = ()

    def step(self) -> bool:
        """Look once; False, since there is time until the next look."""
        missed = self._missed()
        dead = set(missed).intersection(self._before)
        self._before = missed
        if dead:
            count = self._free(dead)
            log.warning("taken over", processes=sorted(dead), count=count)
            self._freed()
        return False
