"""A machine whose clock is ahead: by how many seconds, a file says, and it is read at each look.

Time passes by writing to the file. Nothing of the server is replaced but what the clock shows it. Where no file is
named, the clock is right.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

AHEAD = "PBEM_TEST_AHEAD"
"""The variable that names the file."""

SET = "PBEM_TEST_CLOCK_SET"
"""If this variable is set, the clock was set and no time has passed: counters of seconds show nothing of it."""

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
        """The time that the clock shows."""
        return _REAL.now(tz) + dt.timedelta(seconds=_ahead())


class OwnClock:
    """A clock that can be ahead, shown to what is loaded of pbem in this process while that works."""

    def __init__(self, ahead: dt.timedelta) -> None:
        self.ahead = ahead
        clock = self

        class Datetime(_Datetime):
            @classmethod
            def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:  # type: ignore[override]
                return _REAL.now(tz) + clock.ahead

        self._shown: dict[object, Any] = {_REAL: Datetime, _SECONDS: self._seconds}

    def _seconds(self) -> float:
        return _SECONDS() + self.ahead.total_seconds()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """A stretch in which this clock is looked at; what is made meanwhile looks at it for ever."""
        looks = [(vars(sys.modules[module]), name, clock) for module, name, clock in _looks(len(sys.modules))]
        inits = [(init, init.__defaults__ or ()) for init in _given(len(sys.modules))]
        for names, name, clock in looks:
            names[name] = self._shown[clock]
        for init, defaults in inits:
            init.__defaults__ = tuple(self._seconds if each is _SECONDS else each for each in defaults)
        try:
            yield
        finally:
            for names, name, clock in looks:
                names[name] = clock
            for init, defaults in inits:
                init.__defaults__ = defaults


@cache
def _looks(_loaded: int) -> list[tuple[str, str, object]]:
    """The modules of pbem that look at a clock, and by which name."""
    ours = [name for name in sys.modules if name.startswith("pbem.")]
    clocks = (("datetime", _REAL), ("monotonic", _SECONDS))
    return [(each, name, clock) for each in ours for name, clock in clocks if _named(each).get(name) is clock]


@cache
def _given(_loaded: int) -> list[FunctionType]:
    """The constructors of pbem that are given a clock unless another is named."""
    ours = [name for name in sys.modules if name.startswith("pbem.")]
    made = [vars(each).get("__init__") for name in ours for each in _named(name).values() if isinstance(each, type)]
    inits = [init for init in made if isinstance(init, FunctionType) and _SECONDS in (init.__defaults__ or ())]
    return list(dict.fromkeys(inits))


def _named(module: str) -> dict[str, Any]:
    return vars(sys.modules[module])


def put() -> None:
    """Let whatever is loaded from now on in this process look at that clock."""
    dt.datetime = _Datetime  # type: ignore[misc]
    time.monotonic = lambda: _SECONDS() + (0.0 if SET in os.environ else _ahead())
