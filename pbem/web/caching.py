"""Pages that need not be made or sent again.

A page that is the same for all guests is made once, however many look at it. And a browser that already has exactly
this page is told so (RFC 9110, "If-None-Match"): the tag is made from the page itself, since clocks, words and offers
change without a new event of a board.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock

from starlette.requests import Request
from starlette.responses import Response

from pbem.ids import BoardNumber

_TOLD_ANEW = ("cache-control", "etag", "set-cookie", "vary")
"""Headers of a page that are repeated when nothing has changed."""


COMPRESSED_OR_NOT = "Accept-Encoding"
"""The header that decides if an answer is sent compressed."""


def tag_of(body: bytes) -> str:
    """The tag of an answer, a weak one: it is the same for the compressed answer."""
    return f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'


def has_already(request: Request, tag: str) -> bool:
    """Return True if the client already has the answer with this tag."""
    known = request.headers.get("if-none-match", "").split(",")
    return tag.removeprefix("W/") in [each.strip().removeprefix("W/") for each in known]


def unless_known(request: Request, page: Response) -> Response:
    """A page with its tag, or 304 for a browser that already has it."""
    may_be_kept = "no-store" not in page.headers.get("cache-control", "no-store")
    if page.status_code != 200 or request.method != "GET" or not may_be_kept:
        return page
    tag = page.headers.get("etag") or tag_of(bytes(page.body))
    page.headers["etag"] = tag
    if not has_already(request, tag):
        return page
    known = Response(status_code=304)
    known.raw_headers = [each for each in page.raw_headers if each[0].decode() in _TOLD_ANEW]
    if COMPRESSED_OR_NOT not in known.headers.get("vary", ""):
        known.headers.add_vary_header(COMPRESSED_OR_NOT)
    return known


@dataclass
class _Place:
    making: Lock = field(default_factory=Lock)
    page: Response | None = None


class KeptPages:
    """The pages that were asked for lately, by the facts that determine them; safe to share between threads.

    Args:
        seen: the number of the last event that the followers of a board know of, if anybody follows it.
        size: the number of pages that are kept.
    """

    def __init__(self, seen: Callable[[BoardNumber], int | None] = lambda board: None, size: int = 64) -> None:
        self.seen = seen
        self._size = size
        self._places: OrderedDict[Hashable, _Place] = OrderedDict()
        self._lock = Lock()

    def page(self, key: Hashable, make: Callable[[], Response]) -> Response:
        """A copy of the page of a key; requests that come while it is being made wait for it."""
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > self._size:
                self._places.popitem(last=False)
        with place.making:
            if place.page is None:
                place.page = make()
                place.page.headers["etag"] = tag_of(bytes(place.page.body))
            return Response(place.page.body, place.page.status_code, place.page.headers)
