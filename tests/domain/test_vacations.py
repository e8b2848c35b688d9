"""The length of a player's vacations."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.players import Vacation
from pbem.domain.vacations import (
    VacationIsPast,
    VacationTooLong,
    away_until,
    back_again,
    days_away,
    days_left,
    latest_day,
    under_way,
)

NOW = datetime(2026, 5, 10, 22, 30, tzinfo=UTC)
PARIS, HAWAII = ZoneInfo("Europe/Paris"), ZoneInfo("Pacific/Honolulu")
DAY = timedelta(days=1)
MOST = 30


def test_a_vacation_lasts_to_the_end_of_its_last_day_in_the_timezone_of_its_player() -> None:
    (here,) = away_until((), date(2026, 5, 12), NOW, UTC, MOST)
    assert here == Vacation(NOW, datetime(2026, 5, 13, tzinfo=UTC))
    (there,) = away_until((), date(2026, 5, 12), NOW, PARIS, MOST)
    assert there == Vacation(NOW, datetime(2026, 5, 12, 22, tzinfo=UTC))
    assert days_away([there], PARIS) == {date(2026, 5, 11), date(2026, 5, 12)}
    assert len(days_away([there], HAWAII)) == 3


def test_it_is_under_way_from_its_beginning_until_its_end() -> None:
    (away,) = away_until((), date(2026, 5, 10), NOW, UTC, MOST)
    assert under_way([away], NOW - DAY) is None
    assert under_way([away], NOW) == under_way([away], away.ends_at - timedelta.resolution) == away
    assert under_way([away], away.ends_at) is None


def test_a_day_that_is_over_is_refused() -> None:
    with pytest.raises(VacationIsPast) as wrong:
        away_until((), date(2026, 5, 10), NOW, PARIS, MOST)
    assert wrong.value.facts == {"until": date(2026, 5, 10), "today": date(2026, 5, 11)}


def test_thirty_days_may_be_taken_at_once_today_included() -> None:
    assert latest_day((), NOW, UTC, MOST) == date(2026, 6, 8)
    assert days_left((), NOW, UTC, MOST) == 30
    assert away_until((), date(2026, 6, 8), NOW, UTC, MOST)
    with pytest.raises(VacationTooLong) as wrong:
        away_until((), date(2026, 6, 9), NOW, UTC, MOST)
    assert wrong.value.facts == {"until": date(2026, 6, 9), "most": 30, "latest": date(2026, 6, 8)}


def test_what_was_taken_within_a_year_is_left_out_and_comes_back_after_it() -> None:
    taken = away_until((), date(2026, 5, 29), NOW, UTC, MOST)
    later = datetime(2026, 12, 1, 12, tzinfo=UTC)
    assert days_left(taken, later, UTC, MOST) == 10
    full = away_until(taken, date(2026, 12, 10), later, UTC, MOST)
    assert latest_day(full, later + 20 * DAY, UTC, MOST) is None
    with pytest.raises(VacationTooLong) as wrong:
        away_until(full, date(2027, 1, 2), later + 20 * DAY, UTC, MOST)
    assert wrong.value.facts["latest"] is None
    # on the 10th of May the first day of the year before counts no longer, and so on: one day comes back each day
    assert days_left(full, datetime(2027, 5, 9, 12, tzinfo=UTC), UTC, MOST) == 0
    assert days_left(full, datetime(2027, 5, 10, 12, tzinfo=UTC), UTC, MOST) == 20


def test_a_vacation_under_way_is_made_longer_or_shorter_and_ends_at_once() -> None:
    first = away_until((), date(2026, 5, 20), NOW, UTC, MOST)
    later = NOW + 3 * DAY
    assert away_until(first, date(2026, 6, 8), later, UTC, MOST) == (Vacation(NOW, datetime(2026, 6, 9, tzinfo=UTC)),)
    assert latest_day(first, later, UTC, MOST) == date(2026, 6, 8)
    shorter = away_until(first, date(2026, 5, 13), later, UTC, MOST)
    assert shorter == (Vacation(NOW, datetime(2026, 5, 14, tzinfo=UTC)),)
    back = back_again(first, later)
    assert back == (Vacation(NOW, later),)
    assert under_way(back, later) is None
    assert days_left(back, later, UTC, MOST) == 27  # the day of coming back is counted once


def test_a_day_is_counted_once_however_often_somebody_leaves_on_it() -> None:
    vacations: tuple[Vacation, ...] = ()
    for minute in range(20):
        vacations = away_until(vacations, date(2026, 5, 10), NOW + timedelta(minutes=2 * minute), UTC, MOST)
        vacations = back_again(vacations, NOW + timedelta(minutes=2 * minute + 1))
    assert days_left(vacations, NOW + timedelta(minutes=50), UTC, MOST) == 30


def test_what_is_older_than_a_year_is_forgotten() -> None:
    old = Vacation(NOW, NOW + DAY)
    assert back_again([old], NOW + 300 * DAY) == (old,)
    assert back_again([old], NOW + 400 * DAY) == ()


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 40), st.integers(0, 40)), max_size=12))
def test_nobody_is_away_on_more_days_of_any_year_than_allowed(trips: list[tuple[int, int, int]]) -> None:
    now, vacations = NOW, list[Vacation]()
    seen: set[date] = set()
    for pause, wanted, stays in trips:
        now += pause * DAY
        try:
            vacations = list(away_until(vacations, now.date() + wanted * DAY, now, UTC, MOST))
        except VacationTooLong:
            continue
        now += stays * DAY
        vacations = list(back_again(vacations, now))
        seen |= days_away(vacations, UTC)
    for day in seen:
        assert sum(day - 365 * DAY < each <= day for each in seen) <= MOST
