"""How often somebody has tried in vain, by host."""

from __future__ import annotations

from collections import defaultdict, deque
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING

from pbem.domain.hosts import networks_of

if TYPE_CHECKING:
    from datetime import datetime

MOST = 10
WITHIN = timedelta(hours=1)
_MOST_NETWORKS = 10_000
"""That are remembered; those that tried first are forgotten before."""


class Tries:
    """Vain tries of the last hour. They are kept by each process alone, in its memory.

    Args:
        most: of one host.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._vain: defaultdict[str, deque[datetime]] = defaultdict(deque)
        self._lock = Lock()

    def may(self, host: str, now: datetime) -> bool:
        """Whether somebody from there may try."""
        with self._lock:
            return all(self._of(name, now) < share * self._most for name, share in networks_of(host))

    def note(self, host: str, now: datetime) -> None:
        """Somebody from there has tried in vain."""
        with self._lock:
            for name, _ in networks_of(host):
                self._vain[name].append(now)
            while len(self._vain) > _MOST_NETWORKS:
                del self._vain[next(iter(self._vain))]

    def _of(self, network: str, now: datetime) -> int:
        """How many there were lately."""
        if network not in self._vain:
            return 0
        lately = self._vain[network]
        while lately and lately[0] <= now - WITHIN:
            lately.popleft()
        if not lately:
            del self._vain[network]
        return len(lately)
