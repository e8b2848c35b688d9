"""What processes had taken that have died is freed for those that live."""

from __future__ import annotations

from collections.abc import Callable, Collection

import structlog

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
