"""A machine whose clock is ahead: by how many seconds, a file says, and it is read at each look.

Time passes by writing to the file. Nothing of the server is replaced but what the clock shows it. Where no file is
named, the clock is right.
"""

from __future__ import annotations

import datetime as dt
import os
import time
from pathlib import Path

AHEAD = "PBEM_TEST_AHEAD"
"""The variable that names the file."""

SET = "PBEM_TEST_CLOCK_SET"
"""Where this variable is there, the clock was set, and no time has passed: what counts seconds shows nothing of it."""

_REAL, _SECONDS = dt.datetime, time.monotonic


def _ahead() -> float:
    if AHEAD not in os.environ:
        return 0.0
    return float(Path(os.environ[AHEAD]).read_text(encoding="ascii"))


class _Kind(type):
    """Every moment is one of ours."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _REAL)


class _Datetime(dt.datetime, metaclass=_Kind):
    """A moment; now is later than elsewhere."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:  # type: ignore[override]
        """What the clock shows."""
        return _REAL.now(tz) + dt.timedelta(seconds=_ahead())


def put() -> None:
    """Let whatever is loaded from now on in this process look at that clock."""
    dt.datetime = _Datetime  # type: ignore[misc]
    time.monotonic = lambda: _SECONDS() + (0.0 if SET in os.environ else _ahead())
