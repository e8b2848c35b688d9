"""When the daily mail goes out, and what it tells of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.mails import AT, DigestEntry, by_board, next_digest
from pbem.ids import BoardNumber, PlayerId

ZONES = ("UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "now", "due"),
    [
        ("UTC", "2026-03-01 06:59:59", "2026-03-01 07:00"),
        ("UTC", "2026-03-01 07:00", "2026-03-02 07:00"),
        ("Europe/Paris", "2026-03-01 05:59", "2026-03-01 06:00"),
        ("Europe/Paris", "2026-03-01 06:00", "2026-03-02 06:00"),
        ("Europe/Paris", "2026-03-28 12:00", "2026-03-29 05:00"),  # the clocks are put forward in the night
        ("Europe/Paris", "2026-10-24 12:00", "2026-10-25 06:00"),  # and back
        ("America/New_York", "2026-03-01 03:00", "2026-03-01 12:00"),
        ("Asia/Kathmandu", "2026-03-01 12:00", "2026-03-02 01:15"),
    ],
)
def test_it_goes_out_at_seven_by_the_clock_of_its_reader(zone: str, now: str, due: str) -> None:
    assert next_digest(at(now), ZoneInfo(zone)) == at(due)


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.sampled_from(ZONES),
)
def test_it_is_always_the_next_seven(now: datetime, zone: str) -> None:
    due = next_digest(now, ZoneInfo(zone))
    assert timedelta(0) < due - now <= timedelta(hours=25)
    assert due.astimezone(ZoneInfo(zone)).time() == AT


def entry(number: int, board: int, minute: int, comment: str = "") -> DigestEntry:
    moment = at("2026-03-01 12:00") + timedelta(minutes=minute)
    return DigestEntry(PlayerId(1), BoardNumber(board), moment, moment, "bob" if comment else "", comment, number)


def test_what_has_happened_is_told_board_by_board() -> None:
    entries = [entry(1, 102, 0, "one"), entry(2, 101, 1), entry(3, 102, 2), entry(4, 102, 3, "two")]
    first, second = by_board(entries)
    assert (first.board, first.since, first.comments) == (101, entries[1].at, ())
    assert (second.board, second.since) == (102, entries[0].at)
    assert [each.comment for each in second.comments] == ["one", "two"]
