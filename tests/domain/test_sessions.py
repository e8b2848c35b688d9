"""Being signed in: what is stored of a secret, and when a session lasts anew."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.credentials import Session, hashed
from pbem.ids import PlayerId
from tests.storage.stock import AT

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def test_what_is_stored_of_a_secret_is_of_one_length_and_says_nothing_of_it() -> None:
    assert len({hashed("a"), hashed("b"), hashed("")}) == 3
    assert {len(hashed(secret)) for secret in ("", "a", "a" * 9999, "\u00e9\ud7ff")} == {64}


@pytest.mark.parametrize(
    ("lasts", "passed", "is_so"),
    [
        (30 * DAY, timedelta(0), False),
        (30 * DAY, DAY - HOUR, False),
        (30 * DAY, DAY, True),
        (30 * DAY, 29 * DAY, True),
        (DAY, 11 * HOUR, False),
        (DAY, 12 * HOUR, True),
    ],
)
def test_a_session_lasts_anew_once_a_day_or_twice_within_its_time(
    lasts: timedelta, passed: timedelta, is_so: bool
) -> None:
    session = Session("secret_hash", PlayerId(1), AT - 99 * DAY, AT + lasts)
    assert session.is_to_be_prolonged(lasts, AT + passed) is is_so


def test_a_session_is_cut_where_the_operator_has_shortened_them() -> None:
    """A session given for a month lasts a week from the next visit on."""
    session = Session("secret_hash", PlayerId(1), AT, AT + 30 * DAY)
    assert not session.is_to_be_prolonged(7 * DAY, AT)
