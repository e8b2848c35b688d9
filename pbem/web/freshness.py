"""Which answers of the web may be a few seconds old, and so come from a replica of the database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

from starlette.requests import Request

from pbem.executor import Freshness
from pbem.storage.replica import ReadReplica
from pbem.web.security import host_of, network_of


class ReplicaUse:
    """Leaves to a replica those who look at what is everybody's, and have changed nothing of it lately.

    Args:
        replica: the replica; None: there is none.
        seconds: that it may be behind.
        clock: tells seconds.
    """

    def __init__(
        self, replica: ReadReplica | None = None, seconds: float = 0.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._replica = replica
        self._seconds = seconds
        self._clock = clock
        self._wrote_at: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def wrote(self, request: Request) -> None:
        """Remember that the sender of a request has changed something, through this process."""
        if self._replica is None:
            return
        host = _sender(request)
        with self._lock:
            self._wrote_at[host] = self._clock()
            self._wrote_at.move_to_end(host)
            while not self._is_recent(next(iter(self._wrote_at.values()))):
                self._wrote_at.popitem(last=False)

    def freshness(self, request: Request, *, is_known: bool) -> Freshness:
        """The place where answers to a request may come from.

        Args:
            request: the request.
            is_known: True if it names a session: of a player, or of a guest with boards of their own.
        """
        if self._replica is None or is_known or request.method not in ("GET", "HEAD"):
            return Freshness(None)
        wants_news = "no-cache" in request.headers.get("cache-control", "")
        names_somebody = "authorization" in request.headers or "token" in request.path_params
        return Freshness(None if wants_news or names_somebody or self._has_written(request) else self._replica)

    def _has_written(self, request: Request) -> bool:
        with self._lock:
            at = self._wrote_at.get(_sender(request))
        return at is not None and self._is_recent(at)

    def _is_recent(self, at: float) -> bool:
        return self._clock() - at <= self._seconds


def _sender(request: Request) -> str:
    return network_of(host_of(request))
