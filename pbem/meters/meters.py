"""The counters and timers of a process."""

from __future__ import annotations

from collections.abc import Collection

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 86_400)
"""From a letter answered at once to a mail that a relay took on the next day."""
_QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_LONG = (0.1, 0.5, 1, 5, 10, 30, 60, 180, 600, 1800)
WHY_REFUSED = ("full", "trouble", "too_large", "not_ours", "too_much", "unreadable")
"""Why a letter is not taken at a door: too many are waiting, it cannot be stored, its size, its recipient; what its
client has brought lately, its shape."""
BOUNCES = ("permanent", "temporary", "delayed", "refused", "given_up")
"""How mails come back: reported so by other mail systems, or not taken by the relay."""
THOUGHTS = ("acted", "overtaken", "failed", "stuck")
_BATCH = (1, 2, 3, 5, 8, 15, 30, 60, 125, 250, 500)


class Meters:
    """What a process counts and times; each part of it is handed the whole and knows which are its own.

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
        self.alarms = self._gauge("alarm", "Whether an alarm is raised in this process.", "name")
        self._process = self._gauge("process_info", "The process.", "version", "roles")

    def door(self, name: str) -> DoorMeters:
        """What one door counts."""
        return DoorMeters(self, name)

    def introduce(self, version: str, roles: Collection[str]) -> None:
        """Say what this process is, and count its own memory, time and files from now on."""
        self._process.labels(version, ",".join(roles)).set(1)
        ProcessCollector(registry=self.registry)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"pbem_{name}_total", what, labels, registry=self.registry)

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(f"pbem_{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"pbem_{name}", what, labels, registry=self.registry, buckets=buckets)


class DoorMeters:
    """What a door counts."""

    def __init__(self, meters: Meters, door: str) -> None:
        self.accepted = meters.letters_accepted.labels(door)
        self.repeated = meters.letters_repeated.labels(door)
        self.turned_away = meters.connections_refused.labels(door)
        self._refused = {why: meters.letters_refused.labels(door, why) for why in WHY_REFUSED}

    def refused(self, why: str) -> None:
        """Count a letter that was not taken: one of `WHY_REFUSED`."""
        self._refused[why].inc()
