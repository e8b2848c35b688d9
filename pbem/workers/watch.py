"""Whether the database can be written, for whoever watches over the server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.storage.engine import is_out_of_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.workers.alarms import Alarms

ALARM = "letters_not_stored"
_LOOKED_AT = timedelta(minutes=1)
"""How often it is tried while nothing seems wrong."""
_CALM = timedelta(seconds=5)
"""How long nothing must have failed before all is well again, and how often that is tried until then."""
_LONGEST_REASON = 200


class DatabaseWatch:
    """Raises the alarm when something could not be written, and settles it when it can again.

    Args:
        alarms: told of both.
        try_writing: writes something and leaves no trace of it.
    """

    def __init__(self, alarms: Alarms, try_writing: Callable[[datetime], None]) -> None:
        self._alarms = alarms
        self._try_writing = try_writing
        self._failed_at: datetime | None = None
        self._tried_at = datetime.now(UTC)

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
        now = datetime.now(UTC)
        self._failed_at = now
        self._alarms.raise_(ALARM, _reason(failed), now, letters)

    def step(self) -> bool:
        """Try now and then whether the database can be written."""
        now = datetime.now(UTC)
        if now - self._tried_at < (_LOOKED_AT if self._failed_at is None else _CALM):
            return False
        self._tried_at = now
        try:
            self._try_writing(now)
        except Exception as failed:  # noqa: BLE001 - whatever it was, nothing can be written
            self._note(failed, 0)
        else:
            if self._failed_at is not None and now - self._failed_at >= _CALM:
                self._failed_at = None
                self._alarms.settle(ALARM, now)
        return False


def _reason(failed: Exception) -> str:
    """What the database says of itself; of anything else, which may show a letter, only the kind."""
    said = str(getattr(failed, "orig", "")).strip() if is_out_of_order(failed) else ""
    return said.partition("\n")[0][:_LONGEST_REASON] or type(failed).__name__
