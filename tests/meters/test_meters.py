from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count
from threading import Event

from prometheus_client.parser import text_string_to_metric_families

from pbem.meters import ASKED_EVERY, GAUGES, DepthsCollector, Meters, WholeServer, exposition, summary

PATIENCE = 20


def values(meters: Meters | WholeServer) -> dict[tuple[str, tuple[str, ...]], float]:
    registry = meters.registry if isinstance(meters, Meters) else meters
    families = text_string_to_metric_families(exposition(registry).decode())
    return {(each.name, tuple(each.labels.values())): each.value for family in families for each in family.samples}


def test_what_is_counted_can_be_read_by_prometheus() -> None:
    meters = Meters()
    door = meters.door("smtp")
    door.accepted.inc()
    door.refused("full")
    meters.letter_seconds.observe(0.03)
    meters.introduce("1.2", ("smtp", "worker"))
    meters.watch_process()
    read = values(meters)
    assert read["pbem_letters_accepted_total", ("smtp",)] == 1
    assert read["pbem_letters_refused_total", ("smtp", "full")] == 1
    assert read["pbem_letter_seconds_bucket", ("0.05",)] == 1
    assert read["pbem_letter_seconds_bucket", ("0.02",)] == 0
    assert read["pbem_process_info", ("smtp,worker", "1.2")] == 1
    assert read["process_resident_memory_bytes", ()] > 1_000_000


def test_every_process_counts_for_itself() -> None:
    one, other = Meters(), Meters()
    one.mails_sent.inc()
    assert (values(one)["pbem_mails_sent_total", ()], values(other)["pbem_mails_sent_total", ()]) == (1, 0)


def test_several_processes_are_read_as_one() -> None:
    one, other, third = Meters(), Meters(), Meters()
    one.introduce("1.2", ("smtp", "worker"))
    for each in (one, other, third):
        each.watch_process()
        each.letters_handled.labels("answered").inc(2)
        each.handling_seconds.observe(0.03)
    other.letters_handled.labels("ignored").inc()
    other.alarms.labels("disk").set(1)
    third.alarms.labels("disk").set(0)
    whole = WholeServer(one.registry, lambda: [other.registry.collect(), third.registry.collect()])
    read = values(whole)
    assert read["pbem_letters_handled_total", ("answered",)] == 6
    assert read["pbem_letters_handled_total", ("ignored",)] == 1
    assert (read["pbem_handling_seconds_count", ()], read["pbem_handling_seconds_bucket", ("0.05",)]) == (3, 3)
    assert read["pbem_alarm", ("disk",)] == 1
    assert read["process_resident_memory_bytes", ()] > 2 * values(other)["process_resident_memory_bytes", ()]
    assert summary(whole)["letters_handled"] == 7


def test_names_are_as_prometheus_wants_them_and_say_what_they_mean() -> None:
    for family in Meters().registry.collect():
        assert re.fullmatch(r"pbem_[a-z_]+", family.name)
        assert family.documentation.endswith(".")
    assert all(each.endswith((".", ",")) or ". " not in each for each in GAUGES.values())


def test_the_database_is_asked_only_when_somebody_looks_and_not_too_often() -> None:
    meters, now, asked = Meters(), [0.0], list[float]()
    answers: list[Mapping[str, float] | None] = [{"inbox_waiting": 3}, None]

    def ask() -> Mapping[str, float] | None:
        asked.append(now[0])
        return answers[len(asked) - 1]

    meters.registry.register(DepthsCollector(ask, lambda: now[0]))
    assert asked == []
    assert [values(meters)["pbem_inbox_waiting", ()] for _ in range(2)] == [3, 3]
    now[0] = ASKED_EVERY
    read = values(meters)
    assert asked == [0.0, ASKED_EVERY]
    assert read["pbem_database_up", ()] == 0
    assert ("pbem_inbox_waiting", ()) not in read


def test_a_database_that_says_nothing_is_away_and_all_that_is_counted_is_shown() -> None:
    meters, says, asked, times = Meters(), Event(), list[str](), count(step=ASKED_EVERY)

    def ask() -> Mapping[str, float]:
        asked.append("once")
        assert says.wait(PATIENCE)
        return {"inbox_waiting": 3}

    meters.mails_sent.inc()
    depths = DepthsCollector(ask, lambda: next(times), patience=0.01)
    meters.registry.register(depths)
    for _ in range(2):
        read = values(meters)
        assert (read["pbem_database_up", ()], read["pbem_mails_sent_total", ()]) == (0, 1)
        assert ("pbem_inbox_waiting", ()) not in read
    says.set()
    depths._patience = PATIENCE
    assert values(meters)["pbem_inbox_waiting", ()] == 3
    assert asked == ["once"]
