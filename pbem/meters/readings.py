"""What a process has counted since it started: all of it for Prometheus, and in few numbers for people."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from pbem.meters.meters import Meters

__all__ = ["CONTENT_TYPE", "exposition", "summary"]


def exposition(registry: CollectorRegistry) -> bytes:
    """All values of a registry in Prometheus' text format; the database may be asked for some of them."""
    return generate_latest(registry)


def summary(meters: Meters) -> Mapping[str, float | None]:
    """Counters by their names, whatever their labels; and of two times the mean in seconds, None before the first."""
    counters: dict[str, Counter] = {
        "letters_accepted": meters.letters_accepted,
        "letters_repeated": meters.letters_repeated,
        "letters_refused": meters.letters_refused,
        "letters_handled": meters.letters_handled,
        "letters_failed": meters.letters_failed,
        "refusals": meters.refusals,
        "mails_stored": meters.mails_stored,
        "mails_sent": meters.mails_sent,
        "mails_deferred": meters.mails_deferred,
        "mails_failed": meters.mails_failed,
        "bounces": meters.bounces,
        "http_responses": meters.http_responses,
        "steps_failed": meters.steps_failed,
    }
    sums: dict[str, float | None] = {name: _sum(counter, "_total") for name, counter in counters.items()}
    return sums | {"letter_seconds": _mean(meters.letter_seconds), "mail_seconds": _mean(meters.mail_seconds)}


def _sum(meter: Counter | Histogram, ending: str) -> float:
    samples = (sample for family in meter.collect() for sample in family.samples)
    return sum(sample.value for sample in samples if sample.name.endswith(ending))


def _mean(meter: Histogram) -> float | None:
    count = _sum(meter, "_count")
    return _sum(meter, "_sum") / count if count else None
