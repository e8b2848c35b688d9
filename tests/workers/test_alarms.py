"""Alarms that go straight to the relay."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes

import pytest

from pbem.domain.replies import MessageIds
from pbem.workers.alarms import Alarms
from tests.support.tidiness import faults_of
from tests.workers.alarms import OPERATOR, SIGNER, Listening, alarms_to

NAME = "letters_not_stored"
AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
NO_TIME = timedelta()
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def relay() -> Iterator[Listening]:
    relay = Listening()
    yield relay
    assert not [fault for _, _, raw, _ in relay.taken for fault in faults_of(raw)]


def looks(alarms: Alarms, relay: Listening, passed: timedelta = NO_TIME) -> None:
    """Look what there is to tell after some time."""
    relay.passed = passed.total_seconds()
    alarms.step(AT + passed)


@pytest.fixture
def alarms(relay: Listening) -> Alarms:
    return alarms_to(relay)


CANNOT, CAN = "pbem cannot store letters", "pbem stores letters again"


def test_the_beginning_and_the_end_are_told_once_each(alarms: Alarms, relay: Listening) -> None:
    looks(alarms, relay)
    assert relay.tried == 0
    alarms.raise_(NAME, "disk full", AT, 2)
    looks(alarms, relay)
    for minute in range(1, 100):
        alarms.raise_(NAME, "disk full", AT + minute * MINUTE, 1)
        looks(alarms, relay, minute * MINUTE)
    assert relay.subjects == [CANNOT]
    assert relay.taken[0][:2] == ("", OPERATOR)
    assert "since Fri 1 May 2026, 12:00 UTC" in relay.last
    assert "reason disk full" in relay.last
    assert "letters put off 2 " in relay.last
    alarms.settle(NAME, AT + 2 * HOUR)
    alarms.settle(NAME, AT + 3 * HOUR)
    for hour in (3, 4):
        looks(alarms, relay, hour * HOUR)
    assert relay.subjects == [CANNOT, CAN]
    assert "to Fri 1 May 2026, 14:00 UTC" in relay.last
    assert "letters put off 101 " in relay.last


def test_what_the_relay_does_not_take_is_tried_again_later(alarms: Alarms, relay: Listening) -> None:
    relay.is_down = True
    alarms.raise_(NAME, "disk full", AT)
    for second in (0, 30, 59):
        looks(alarms, relay, timedelta(seconds=second))
    assert relay.tried == 1
    looks(alarms, relay, MINUTE)
    assert relay.tried == 2
    relay.is_down = False
    looks(alarms, relay, 2 * MINUTE)
    assert relay.subjects == [CANNOT]


def test_trouble_that_is_over_before_it_could_be_told_is_told_as_such(alarms: Alarms, relay: Listening) -> None:
    relay.is_down = True
    alarms.raise_(NAME, "disk full, " * 9 + "x" * 99, AT, 5)
    looks(alarms, relay)
    alarms.settle(NAME, AT + MINUTE)
    relay.is_down = False
    looks(alarms, relay, 2 * MINUTE)
    looks(alarms, relay, HOUR)
    assert relay.subjects == [CAN]
    assert "letters put off 5 " in relay.last


def test_trouble_that_comes_and_goes_is_told_but_once_an_hour(alarms: Alarms, relay: Listening) -> None:
    for minute in range(0, 120, 2):
        alarms.raise_(NAME, "disk full", AT + minute * MINUTE, 1)
        looks(alarms, relay, minute * MINUTE)
        alarms.settle(NAME, AT + (minute + 1) * MINUTE)
        looks(alarms, relay, (minute + 1) * MINUTE)
    assert relay.subjects == [CANNOT, CAN, CANNOT, CAN]
    looks(alarms, relay, 4 * HOUR)
    assert relay.subjects == [CANNOT, CAN, CANNOT, CAN, CAN]
    assert "letters put off 29 " in relay.last


def test_what_is_wrong_again_before_its_end_was_told_goes_on(alarms: Alarms, relay: Listening) -> None:
    alarms.raise_(NAME, "disk full", AT)
    looks(alarms, relay)
    alarms.settle(NAME, AT + MINUTE)
    assert not alarms.is_raised(NAME)
    alarms.raise_(NAME, "disk full", AT + 2 * MINUTE)
    looks(alarms, relay, 2 * MINUTE)
    assert alarms.is_raised(NAME)
    assert relay.subjects == [CANNOT]


def test_a_clock_that_was_set_back_keeps_nothing_from_the_operator(alarms: Alarms, relay: Listening) -> None:
    relay.is_down = True
    alarms.raise_(NAME, "disk full", AT)
    looks(alarms, relay)
    relay.is_down = False
    relay.passed += 60
    alarms.step(AT - HOUR)
    assert relay.subjects == [CANNOT]
    alarms.settle(NAME, AT - HOUR)
    alarms.step(AT - HOUR)
    alarms.raise_(NAME, "disk full", AT - HOUR)
    relay.passed += 3600
    alarms.step(AT - HOUR)
    assert relay.subjects == [CANNOT, CAN, CANNOT]


def test_without_an_operator_nobody_is_told_but_it_is_known(relay: Listening) -> None:
    alarms = alarms_to(relay, operator=None)
    alarms.raise_(NAME, "disk full", AT)
    looks(alarms, relay)
    assert alarms.is_raised(NAME)
    alarms.settle(NAME, AT + MINUTE)
    looks(alarms, relay, MINUTE)
    assert not alarms.is_raised(NAME)
    assert relay.tried == 0


def test_a_mail_that_is_tried_again_is_the_same_to_the_byte(alarms: Alarms, relay: Listening) -> None:
    relay.hangs_up = True
    alarms.raise_(NAME, "disk full", AT, 1)
    for minute in range(4):
        alarms.raise_(NAME, f"disk full {minute}", AT + minute * MINUTE, 1)
        looks(alarms, relay, minute * MINUTE)
    alarms.settle(NAME, AT + 4 * MINUTE)
    for minute in range(4, 8):
        looks(alarms, relay, minute * MINUTE)
    assert relay.subjects == [CANNOT] * 4 + [CAN] * 4
    assert len(set(relay.taken)) == 2


def test_two_ends_of_one_alarm_are_two_mails(alarms: Alarms, relay: Listening) -> None:
    relay.hangs_up = True
    alarms.raise_(NAME, "disk full", AT)
    alarms.settle(NAME, AT + MINUTE)
    looks(alarms, relay, MINUTE)
    alarms.raise_(NAME, "disk full", AT + 2 * MINUTE)
    alarms.settle(NAME, AT + 3 * MINUTE)
    looks(alarms, relay, 3 * MINUTE)
    first, second = (message_from_bytes(raw)["Message-ID"] for _, _, raw, _ in relay.taken)
    assert first != second


def test_what_is_told_is_known_as_ours(alarms: Alarms, relay: Listening) -> None:
    alarms.raise_(NAME, "disk full", AT)
    looks(alarms, relay)
    ((_, _, raw, _),) = relay.taken
    assert MessageIds(SIGNER, "localhost").is_ours(message_from_bytes(raw)["Message-ID"], [OPERATOR])


def test_once_an_hour_holds_for_the_process_that_comes_after_this_one(alarms: Alarms, relay: Listening) -> None:
    relay.noted.is_writable = False
    alarms.raise_(NAME, "disk full", AT)
    looks(alarms, relay)
    assert relay.noted.told == {}
    relay.noted.is_writable = True
    alarms.settle(NAME, AT + MINUTE)
    looks(alarms, relay, MINUTE)
    assert sorted(relay.noted.told.values()) == [AT, AT + MINUTE]
    for minute in (2, 30, 59):
        after = alarms_to(relay)
        after.raise_(NAME, "disk full", AT + minute * MINUTE)
        looks(after, relay, minute * MINUTE)
        after.settle(NAME, AT + minute * MINUTE)
        looks(after, relay, minute * MINUTE)
    assert relay.subjects == [CANNOT, CAN]
    looks(after, relay, 61 * MINUTE)
    assert relay.subjects == [CANNOT, CAN, CAN]
    after.raise_(NAME, "disk full", AT + 62 * MINUTE)
    looks(after, relay, 62 * MINUTE)
    assert relay.subjects == [CANNOT, CAN, CAN, CANNOT]


def test_what_cannot_be_looked_up_keeps_nothing_from_the_operator(alarms: Alarms, relay: Listening) -> None:
    relay.noted.told = {f"alarm_{NAME}": AT + HOUR}  # by a clock that was ahead
    alarms.raise_(NAME, "disk full", AT)
    looks(alarms, relay)
    assert relay.subjects == [CANNOT]
    relay.noted.is_readable = False
    after = alarms_to(relay)
    after.raise_(NAME, "disk full", AT)
    looks(after, relay)
    assert relay.subjects == [CANNOT, CANNOT]
