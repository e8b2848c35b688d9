"""Pages that are the same for everybody who has not signed in: made once, however many look at them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pbem.ids import BoardNumber


@dataclass
class _Place:
    making: Lock = field(default_factory=Lock)
    page: Response | None = None


class KeptPages:
    """The pages that were asked for lately, by what they depend upon; safe to share between threads.

    Args:
        seen: the number of the last event that those who follow a board know of, if anybody follows it.
        size: how many are kept.
    """

    def __init__(self, seen: Callable[[BoardNumber], int | None] = lambda board: None, size: int = 64) -> None:
        self.seen = seen
        self._size = size
        self._places: OrderedDict[Hashable, _Place] = OrderedDict()
        self._lock = Lock()

    def page(self, key: Hashable, make: Callable[[], Response]) -> Response:
        """A copy of the page of a key; who asks while it is being made waits for it."""
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > self._size:
                self._places.popitem(last=False)
        with place.making:
            if place.page is None:
                place.page = make()
            return Response(place.page.body, place.page.status_code, place.page.headers)
