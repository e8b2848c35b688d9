"""Pages that need not be made or sent again.

What is the same for everybody who has not signed in is made once, however many look at it. And a browser that has the
very same page already is told so (RFC 9110, "If-None-Match"): the tag is made of the page itself, since clocks, words
and offers change what the number of a board's last event does not tell.
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
"""Headers of a page that come again with the word that nothing has changed."""


COMPRESSED_OR_NOT = "Accept-Encoding"
"""What the answers depend upon that are sent compressed to who wants them so."""


def tag_of(body: bytes) -> str:
    """The tag of an answer, a weak one: it is the same whether the answer is sent compressed or not."""
    return f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'


def has_already(request: Request, tag: str) -> bool:
    """Whether who asks has the answer with this tag."""
    known = request.headers.get("if-none-match", "").split(",")
    return tag.removeprefix("W/") in [each.strip().removeprefix("W/") for each in known]


def unless_known(request: Request, page: Response) -> Response:
    """A page with its tag, or 304 for a browser that has it."""
    may_be_kept = "no-store" not in page.headers.get("cache-control", "no-store")
    if page.status_code != 200 or request.method != "GET" or not may_be_kept:
        return page
    tag = page.headers.get("etag") or tag_of(bytes(page.body))
    page.headers["etag"] = tag
    if not has_already(request, tag):
        return page
    known = Response(status_code=304)
    known.raw_headers = [each for each in page.raw_headers if each[0].decode() in _TOLD_ANEW]
    known.headers.add_vary_header(COMPRESSED_OR_NOT)
    return known


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
                place.page.headers["etag"] = tag_of(bytes(place.page.body))
            return Response(place.page.body, place.page.status_code, place.page.headers)
