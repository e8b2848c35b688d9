"""What lies in the database, as gauges that are asked for when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from threading import Lock, Thread
from time import monotonic

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

Ask = Callable[[], Mapping[str, float] | None]


ASKED_EVERY = 5.0
"""Seconds for which an answer is good, however many look."""
PATIENCE = 3.0
"""Seconds within which the database must answer who watches; Prometheus gives up after ten, with all that is told."""

GAUGES = {
    "inbox_waiting": "Letters that wait to be handled.",
    "inbox_oldest_seconds": "How long the first of them has waited; 0: there is none.",
    "inbox_shunted": "Letters set aside for the operator.",
    "outbox_waiting": "Mails that wait to be handed over.",
    "outbox_oldest_seconds": "How long the first of them has waited.",
    "outbox_resting": "Those of them that the relay did not take, to be tried again later.",
    "outbox_failed": "Mails given up in the last seven days.",
    "addresses_suppressed": "Addresses that nothing is mailed to, because mail to them came back.",
    "reports_open": "Reports of players that nobody has looked after.",
    "robots_waiting": "Turns that computer opponents have to think about.",
    "robots_oldest_seconds": "How long the first of them has waited.",
    "robots_stuck": "Tasks of computer opponents set aside for the operator.",
    "analyses_waiting": "Games that are to be analysed.",
    "disk_free_bytes": "Free bytes where the database is, if it is SQLite.",
    "disk_size_bytes": "All bytes there.",
    "backup_expected": "Whether it is said where backups are kept.",
    "backup_age_seconds": "How old the newest backup is, if the server knows of any.",
}
"""All of them, without ``pbem_``, and what each is."""

_UP = "pbem_database_up"


class DepthsCollector(Collector):
    """Shows what lies in the database; all processes on the same one show the same.

    Args:
        ask: brings the values by the names of `GAUGES`, those that there are; None: the database does not answer.
        clock: tells seconds.
        patience: how many seconds an answer may take. It is waited for in a thread of its own, one at a time: a
            database that says nothing at all does so for as long as it likes.
    """

    def __init__(self, ask: Ask, clock: Callable[[], float] = monotonic, patience: float = PATIENCE) -> None:
        self._ask = ask
        self._clock = clock
        self._patience = patience
        self._lock = Lock()
        self._asking: Future[Mapping[str, float] | None] | None = None
        self._asked_at: float | None = None
        self._known: Mapping[str, float] | None = None

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Name what there may be, without asking for it."""
        yield from (GaugeMetricFamily(f"pbem_{name}", what) for name, what in GAUGES.items())
        yield GaugeMetricFamily(_UP, "")

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Bring what is known, asked for anew if that is some seconds old."""
        with self._lock:
            if self._asked_at is None or self._clock() - self._asked_at >= ASKED_EVERY:
                self._look()
            known = self._known
        yield GaugeMetricFamily(_UP, "Whether the database answers.", 0 if known is None else 1)
        for name, value in (known or {}).items():
            yield GaugeMetricFamily(f"pbem_{name}", GAUGES[name], value)

    def _look(self) -> None:
        """Ask, or go on waiting for who was asked before; an answer that does not come is none."""
        if self._asking is None:
            self._asking = Future()
            Thread(target=_answer, args=(self._asking, self._ask), name="depths", daemon=True).start()
        self._known, answer = None, self._asking
        if wait([answer], self._patience).done:
            self._asking = None
            self._known = answer.result()
        self._asked_at = self._clock()


def _answer(asking: Future[Mapping[str, float] | None], ask: Ask) -> None:
    try:
        asking.set_result(ask())
    except Exception as failed:  # noqa: BLE001 - whoever waits for it is told
        asking.set_exception(failed)
