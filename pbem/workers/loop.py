"""A thread that steps while there is something to do, and sleeps until it is woken."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import Event, Thread
from time import monotonic

import structlog

from pbem.meters import Meters
from pbem.workers.faults import where_it_failed

log = structlog.get_logger()

LONGEST_STEP = 600.0
"""Seconds that a step takes at most, if nothing else is said: much more than any has ever taken."""


class Loop:
    """Calls ``step`` again and again.

    Args:
        name: for logs.
        step: does one thing; False if there was nothing to do.
        idle_seconds: how long to sleep then, unless woken.
        at_start: called in the loop's own thread before the first step.
        at_stop: called by whoever stops the loop, so that a long step may cut itself short.
        at_end: called in the loop's own thread when it ends.
        at_deadline: called by whoever stops the loop if its step has not ended in time: it is left to the end of the
            process then. None: it is waited for, however long that takes.
        failed: told of each step that has failed.
        longest_seconds: how long a step may take; then it is taken for stuck.
        meters: what is counted here.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[], bool],
        idle_seconds: float = 1.0,
        at_start: Callable[[], None] | None = None,
        at_stop: Callable[[], None] | None = None,
        at_end: Callable[[], None] | None = None,
        at_deadline: Callable[[], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        longest_seconds: float = LONGEST_STEP,
        meters: Meters | None = None,
    ) -> None:
        self._failures = (meters or Meters()).steps_failed.labels(name)
        self._name = name
        self._step = step
        self._idle_seconds = idle_seconds
        self._at_start = at_start
        self._at_stop = at_stop
        self._at_end = at_end
        self._at_deadline = at_deadline
        self._failed = failed
        self._longest_seconds = longest_seconds
        self._busy_since: float | None = None
        self._bell = Event()
        self._ending = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @property
    def name(self) -> str:
        """What it is called in logs."""
        return self._name

    @property
    def is_stuck(self) -> bool:
        """Whether it is to go on and does not: its step takes too long, or its thread has died."""
        since = self._busy_since
        if since is not None and monotonic() - since > self._longest_seconds:
            return True
        has_begun = self._thread.ident is not None
        return has_begun and not self._thread.is_alive() and not self._ending.is_set()

    def start(self) -> None:
        """Begin to step."""
        self._busy_since = monotonic()
        self._thread.start()

    def wake(self) -> None:
        """There may be something to do."""
        self._bell.set()

    @property
    def ends_slowly(self) -> bool:
        """Whether there is something to bring to an end that may take a while, so that this is begun with first."""
        return self._at_end is not None

    def end_soon(self) -> None:
        """Begin no further step."""
        self._ending.set()  # first: a step that is cut short must not be followed by another
        if self._at_stop is not None:
            self._at_stop()
        self._bell.set()

    def stop(self, deadline: float = inf) -> None:
        """Let the step under way finish, then end; at the deadline (`time.monotonic`) it is left alone if it may be."""
        self.end_soon()
        if not self._thread.is_alive():
            return
        if self._at_deadline is None or deadline == inf:
            self._thread.join()
            return
        self._thread.join(max(0.0, deadline - monotonic()))
        if self._thread.is_alive():
            log.warning("loop left behind", loop=self._name)
            self._at_deadline()

    def step(self) -> bool:
        """Do one thing, in the thread of whoever calls; False if there was nothing to do, or it has failed."""
        try:
            return self._step()
        except Exception as failed:  # noqa: BLE001 - a loop outlives whatever one step runs into
            log.error("step failed", loop=self._name, **where_it_failed(failed))  # noqa: TRY400 - no trace
            self._failures.inc()
            if self._failed is not None:
                self._failed(failed)
            return False

    def _run(self) -> None:
        if self._at_start is not None:
            self._at_start()
        while not self._ending.is_set():
            self._bell.clear()
            self._busy_since = monotonic()
            busy = self.step()
            self._busy_since = None
            if not busy:
                self._bell.wait(self._idle_seconds)
        if self._at_end is not None:
            try:
                self._at_end()
            except Exception as failed:  # noqa: BLE001 - a trace would say what it was about
                log.error("loop not ended orderly", loop=self._name, **where_it_failed(failed))  # noqa: TRY400
