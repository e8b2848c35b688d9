"""Counters and measurements of a server, for Prometheus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, wait
from threading import Lock, Thread
from time import monotonic

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

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
    "outbox_postponed": "Those of them to strangers that wait for a later hour, since too many write.",
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
    "backup_lasts_seconds": "How old the last good backup may become.",
    "backup_age_seconds": "How old the last good backup is, if the server knows of any.",
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


_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 86_400)
"""From a letter answered at once to a mail that a relay took on the next day."""
_QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_LONG = (0.1, 0.5, 1, 5, 10, 30, 60, 180, 600, 1800)
WHY_REFUSED = ("full", "trouble", "too_large", "not_ours", "too_much", "unreadable")
"""Why a letter is not taken at a door: too many are waiting, it cannot be stored, its size, its recipient; what its
client has brought lately, its shape."""
BOUNCES = ("permanent", "temporary", "delayed", "refused", "given_up")
"""The ways in which mails come back: reported by other mail systems, or refused by the relay."""
THOUGHTS = ("acted", "overtaken", "failed", "stuck")
_BATCH = (1, 2, 3, 5, 8, 15, 30, 60, 125, 250, 500)


class Meters:
    """The counters and timers of a process; each part of it gets the whole and uses its own.

    Args:
        registry: what they are read from; one of their own, if nobody is to read them.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._of_doors()
        self._of_letters()
        self._of_mails()
        self._of_the_rest()

    def _of_doors(self) -> None:
        self.letters_accepted = self._counter("letters_accepted", "Letters stored, by door.", "door")
        self.letters_repeated = self._counter("letters_repeated", "Letters that came again, by door.", "door")
        self.letters_refused = self._counter("letters_refused", "Letters not taken, and why.", "door", "why")
        self.connections_refused = self._counter(
            "connections_refused", "Connections refused: there are too many.", "door"
        )
        self.mailbox_failures = self._counter("mailbox_failures", "Attempts to fetch letters that failed.", "why")
        self.commit_letters = self._histogram("commit_letters", "Letters stored in one commit.", _BATCH)

    def _of_letters(self) -> None:
        self.letters_handled = self._counter("letters_handled", "Letters done with, and how.", "outcome")
        self.letters_failed = self._counter("letters_failed", "Attempts to handle a letter that failed.")
        self.letter_seconds = self._histogram("letter_seconds", "From a letter stored to its answer stored.", _SECONDS)
        self.handling_seconds = self._histogram("handling_seconds", "Handling one letter, reading included.", _QUICK)
        self.conflicts = self._counter("conflicts", "Decisions made anew, because somebody else was quicker.")
        self.refusals = self._counter("refusals", "Commands of letters that were refused, by error.", "error")
        self.bounces = self._counter("bounces", "Mails that came back, or were refused for their readers.", "kind")
        for kind in BOUNCES:  # from 0 on, or the first would be no increase
            self.bounces.labels(kind)

    def _of_mails(self) -> None:
        self.mails_stored = self._counter("mails_stored", "Mails written to the outbox.")
        self.mails_sent = self._counter("mails_sent", "Mails that the relay took.")
        self.mails_deferred = self._counter("mails_deferred", "Attempts after which a mail is tried again later.")
        self.mails_failed = self._counter("mails_failed", "Mails given up.")
        self.relay_down = self._counter("relay_down", "Attempts at which the relay could not be reached or had no ear.")
        self.mail_seconds = self._histogram("mail_seconds", "From a mail stored to the relay's yes.", _SECONDS)
        self.relay_seconds = self._histogram("relay_seconds", "One mail handed over to the relay.", _QUICK)

    def _of_the_rest(self) -> None:
        self.steps_failed = self._counter("steps_failed", "Steps of loops that failed.", "loop")
        self.thoughts = self._counter("thoughts", "Thoughts of computer opponents, and how they ended.", "outcome")
        for outcome in THOUGHTS:
            self.thoughts.labels(outcome)
        self.thought_seconds = self._histogram("thought_seconds", "From a task taken to its thought.", _LONG)
        self.http_responses = self._counter("http_responses", "Answers of the web.", "route", "status")
        self.http_seconds = self._histogram("http_seconds", "Answering on the web.", _QUICK, "route")
        self.replica_looks = self._counter("replica_looks", "Looks for which a replica would do, by who answers.", "by")
        self.alarms = self._gauge("alarm", "Whether an alarm is raised in this process.", "name")
        self._process = self._gauge("process_info", "The process.", "version", "roles")

    def door(self, name: str) -> DoorMeters:
        """The counters of one door."""
        return DoorMeters(self, name)

    def introduce(self, version: str, roles: Collection[str]) -> None:
        """Say what this process is."""
        self._process.labels(version, ",".join(roles)).set(1)

    def watch_process(self) -> None:
        """Count this process's own memory, time and files from now on."""
        ProcessCollector(registry=self.registry)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"pbem_{name}_total", what, labels, registry=self.registry)

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(f"pbem_{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"pbem_{name}", what, labels, registry=self.registry, buckets=buckets)


class DoorMeters:
    """The counters of a door."""

    def __init__(self, meters: Meters, door: str) -> None:
        self.accepted = meters.letters_accepted.labels(door)
        self.repeated = meters.letters_repeated.labels(door)
        self.turned_away = meters.connections_refused.labels(door)
        self._refused = {why: meters.letters_refused.labels(door, why) for why in WHY_REFUSED}

    def refused(self, why: str) -> None:
        """Count a letter that was not taken: one of `WHY_REFUSED`."""
        self._refused[why].inc()


class MailboxMeters(DoorMeters):
    """The counters of the mailbox, which is a door, too."""

    def __init__(self, meters: Meters) -> None:
        super().__init__(meters, "mailbox")
        self._failures = meters.mailbox_failures

    def failed(self, why: str) -> None:
        """Count an attempt to fetch letters that failed."""
        self._failures.labels(why).inc()


CONTENT_TYPE = CONTENT_TYPE_LATEST


class WholeServer:
    """The values of several processes as those of one.

    Args:
        own: those of this process.
        others: brings those of the others.
    """

    def __init__(self, own: CollectorRegistry, others: Callable[[], Iterable[Iterable[Metric]]]) -> None:
        self._own = own
        self._others = others

    def collect(self) -> Iterator[Metric]:
        """Bring counters and times added up, and of all else the most."""
        whole = {metric.name: metric for metric in self._own.collect()}
        for metrics in self._others():
            for metric in metrics:
                if metric.name in whole:
                    whole[metric.name] = _added(whole[metric.name], metric)
                else:
                    whole[metric.name] = metric
        yield from whole.values()


_ADDED_UP = ("process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds")
"""Values that are no counters, and add up nevertheless."""


def _added(one: Metric, other: Metric) -> Metric:
    """The values of two processes as those of one."""
    adds_up = one.type in ("counter", "histogram") or one.name in _ADDED_UP
    values = {_key(sample): sample for sample in one.samples}
    for sample in other.samples:
        before = values.get(_key(sample))
        if before is None:
            values[_key(sample)] = sample
        elif adds_up and not sample.name.endswith("_created"):
            values[_key(sample)] = sample._replace(value=before.value + sample.value)
        else:
            values[_key(sample)] = sample._replace(value=max(before.value, sample.value))
    added = Metric(one.name, one.documentation, one.type, one.unit)
    added.samples = list(values.values())
    return added


def _key(sample: Sample) -> tuple[object, ...]:
    return sample.name, *sorted(sample.labels.items())


_SUMMED_UP = (
    "letters_accepted",
    "letters_repeated",
    "letters_refused",
    "letters_handled",
    "letters_failed",
    "refusals",
    "mails_stored",
    "mails_sent",
    "mails_deferred",
    "mails_failed",
    "bounces",
    "http_responses",
    "steps_failed",
)
"""The counters that an operator is shown."""


def exposition(registry: CollectorRegistry | WholeServer) -> bytes:
    """All values in Prometheus' text format; the database may be asked for some of them, and other processes."""
    return generate_latest(registry)


def summary(registry: CollectorRegistry | WholeServer) -> Mapping[str, float | None]:
    """Counters by their names, whatever their labels; and of two times the mean in seconds, None before the first."""
    values: dict[str, float] = defaultdict(float)
    for metric in registry.collect():
        for sample in metric.samples:
            values[sample.name] += sample.value
    counters = {name: values[f"pbem_{name}_total"] for name in _SUMMED_UP}
    return counters | {name: _mean(values, f"pbem_{name}") for name in ("letter_seconds", "mail_seconds")}


def _mean(values: Mapping[str, float], name: str) -> float | None:
    count = values[f"{name}_count"]
    return values[f"{name}_sum"] / count if count else None
