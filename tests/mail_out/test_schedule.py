"""When a mail is tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail_out.relay import next_attempt

CREATED = datetime(2026, 5, 1, 12, tzinfo=UTC)
DELAYS = (60, 120, 300)
FIVE_DAYS = timedelta(days=5)


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 60), (2, 120), (3, 300), (4, 300), (1000, 300)])
def test_each_failure_waits_its_delay_and_the_last_goes_on_for_all_that_follow(attempts: int, seconds: int) -> None:
    now = CREATED + timedelta(hours=1)
    assert next_attempt(attempts, CREATED, now, DELAYS, FIVE_DAYS) == now + timedelta(seconds=seconds)


def test_a_mail_that_is_too_old_is_not_tried_again() -> None:
    assert next_attempt(9, CREATED, CREATED + FIVE_DAYS, DELAYS, FIVE_DAYS) is None
    assert next_attempt(9, CREATED, CREATED + FIVE_DAYS - timedelta(seconds=1), DELAYS, FIVE_DAYS) is not None
