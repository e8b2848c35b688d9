"""The events of boards lately in use, so that of a long game only what is new is read."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from pbem.domain.events import Event


class KeptEvents:
    """A cache: never the only copy of anything, safe to share between threads.

    Events are only ever added to a board, so those before one that is stored as it is kept are as they are kept.

    Args:
        size: how many events are kept, of all boards together.
    """

    def __init__(self, size: int = 5_000) -> None:
        self._size = size
        self._count = 0
        self._kept: OrderedDict[int, tuple[Event, ...]] = OrderedDict()
        self._lock = Lock()

    def of(self, board: int) -> tuple[Event, ...]:
        """The first events of a board, as far as they are known."""
        with self._lock:
            return self._kept.get(board, ())

    def keep(self, board: int, events: tuple[Event, ...]) -> None:
        """Know these events of a board, which were read."""
        with self._lock:
            self._count += len(events) - len(self._kept.pop(board, ()))
            self._kept[board] = events
            while self._count > self._size:
                _, forgotten = self._kept.popitem(last=False)
                self._count -= len(forgotten)
