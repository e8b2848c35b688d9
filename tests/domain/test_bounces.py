"""When an address is given up because of mails that came back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.correspondents import Bounce, is_given_up
from pbem.ids import PlayerId

NOW = datetime(2026, 5, 8, 12, 0, tzinfo=UTC)


def bounce(days: float, *, permanent: bool = False, mail: int | None = None) -> Bounce:
    """A mail that came back so many days ago."""
    return Bounce(PlayerId(1), "bob@example.org", NOW - timedelta(days=days), permanent, mail=mail)


@pytest.mark.parametrize(
    ("bounces", "given_up"),
    [
        ([], False),
        ([bounce(0, permanent=True)], True),
        ([bounce(6.9, permanent=True)], True),
        ([bounce(7, permanent=True)], False),
        ([bounce(0), bounce(1)], False),
        ([bounce(0), bounce(1), bounce(6.9)], True),
        ([bounce(0), bounce(1), bounce(7)], False),
        ([bounce(0, mail=3), bounce(1, mail=3), bounce(2, mail=3)], False),
        ([bounce(0, mail=3), bounce(1, mail=4), bounce(2, mail=3), bounce(3)], True),
        ([bounce(0, mail=3), bounce(1, mail=3, permanent=True)], True),
    ],
)
def test_one_failure_for_good_or_three_mails_within_a_week(bounces: list[Bounce], given_up: bool) -> None:
    assert is_given_up(bounces, NOW) is given_up


def test_why_is_what_the_other_system_said_or_else_its_code() -> None:
    assert Bounce(PlayerId(1), "b@c", NOW, True, "5.1.1", "550 no such user").why == "550 no such user"
    assert Bounce(PlayerId(1), "b@c", NOW, True, "5.1.1").why == "5.1.1"
    assert Bounce(PlayerId(1), "b@c", NOW, True).why == ""
