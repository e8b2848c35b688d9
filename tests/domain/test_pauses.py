from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.vacations import VACATION, Pause, counted, standing_for, when_counted
from pbem.ids import PlayerId

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALICE, BOB = PlayerId(1), PlayerId(2)
MINUTE = timedelta(minutes=1)


def moment(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


def pause(began: int, ended: int | None) -> Pause:
    return Pause(BOB, moment(began), "unreachable", None if ended is None else moment(ended))


@pytest.mark.parametrize(
    ("pauses", "minutes"),
    [
        ((), 60),
        (((10, 20),), 50),
        (((-10, 20),), 40),
        (((50, 90),), 50),
        (((50, None),), 50),
        (((-5, None),), 0),
        (((70, None),), 60),
        (((-20, -10),), 60),
        (((10, 30), (20, 40)), 30),
        (((10, 40), (20, 30)), 30),
        (((40, 50), (10, 20)), 40),
        (((10, None), (20, 30)), 10),
    ],
)
def test_of_an_hour_what_no_pause_covers_is_counted(pauses: tuple[tuple[int, int | None], ...], minutes: int) -> None:
    assert counted(START, moment(60), [pause(*each) for each in pauses]) == timedelta(minutes=minutes)


stretches = st.tuples(st.integers(-20, 80), st.integers(0, 100) | st.none()).map(
    lambda two: (two[0], None if two[1] is None else two[0] + two[1])
)


@given(st.lists(stretches, max_size=5))
def test_every_minute_is_counted_that_is_in_no_pause(found: list[tuple[int, int | None]]) -> None:
    free = [m for m in range(60) if not any(b <= m and (e is None or m < e) for b, e in found)]
    assert counted(START, moment(60), [pause(*each) for each in found]) == timedelta(minutes=len(free))


def test_a_clock_that_was_set_back_counts_nothing() -> None:
    assert counted(moment(60), START, [pause(10, 20)]) == timedelta(0)


@given(st.lists(stretches, max_size=5), st.integers(0, 60))
def test_the_moment_at_which_a_time_is_counted_is_the_first_one_that_runs(
    found: list[tuple[int, int | None]], span: int
) -> None:
    pauses = [pause(*each) for each in found]
    found_at = when_counted(START, span * MINUTE, pauses)
    free = [m for m in range(500) if not any(b <= m and (e is None or m < e) for b, e in found)]
    assert found_at == (moment(free[span]) if span < len(free) else None)


def test_a_vacation_stands_for_its_own_player_alone() -> None:
    away, down = Pause(BOB, START, VACATION, moment(9)), pause(0, None)
    assert standing_for(BOB, (away, down)) == (away, down)
    assert standing_for(ALICE, (away, down)) == (down,)
