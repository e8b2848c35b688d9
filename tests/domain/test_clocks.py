from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.clocks import MISSED, ClockRules, ClockVerdict, VerdictKind, Wait, next_look, verdict
from pbem.domain.vacations import OFFER, VACATION, Pause, counted
from pbem.ids import PlayerId

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ALICE, BOB = PlayerId(1), PlayerId(2)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
WAIT, NAG, FORFEIT = VerdictKind.WAIT, VerdictKind.NAG, VerdictKind.FORFEIT
USUAL = ClockRules()
TOURNAMENT = ClockRules(DAY, 7 * DAY)


def moment(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


def waiting(rules: ClockRules = USUAL, *pauses: Pause, used: timedelta = timedelta(0)) -> Wait:
    return Wait(rules, START, pauses=pauses, used=used)


def nagged(wait: Wait, at: timedelta, ends: timedelta) -> Wait:
    return replace(wait, nagged_at=START + at, forfeit_at=START + ends)


@pytest.mark.parametrize(
    ("wait", "now", "kind", "at"),
    [
        (waiting(), timedelta(0), WAIT, 7 * DAY),
        (waiting(), 7 * DAY - MINUTE, WAIT, 7 * DAY),
        (waiting(), 7 * DAY, NAG, 21 * DAY),
        (waiting(), 20 * DAY + HOUR, NAG, 21 * DAY + HOUR),  # nobody has looked: a day is left at least
        (waiting(), 40 * DAY, NAG, 41 * DAY),
        (nagged(waiting(), 7 * DAY, 21 * DAY), 8 * DAY - MINUTE, WAIT, 8 * DAY),
        (nagged(waiting(), 7 * DAY, 21 * DAY), 8 * DAY, NAG, 21 * DAY),
        (nagged(waiting(), 20 * DAY + MINUTE, 21 * DAY), 21 * DAY - MINUTE, WAIT, 21 * DAY),
        (nagged(waiting(), 20 * DAY, 21 * DAY), 21 * DAY, FORFEIT, None),
        (nagged(waiting(), 20 * DAY, 21 * DAY), 21 * DAY + MISSED, FORFEIT, None),
        (nagged(waiting(), 20 * DAY, 21 * DAY), 21 * DAY + 2 * MISSED, NAG, 22 * DAY + 2 * MISSED),
        (nagged(waiting(), 20 * DAY, 22 * DAY), 21 * DAY, NAG, 22 * DAY),  # more was promised than is due
        (nagged(waiting(), 20 * DAY, 22 * DAY), 22 * DAY, FORFEIT, None),
        (nagged(waiting(), -DAY, DAY), 6 * DAY, WAIT, 7 * DAY),  # that was another wait
        (nagged(waiting(), 9 * DAY, 21 * DAY), 7 * DAY, NAG, 21 * DAY),  # by a clock that was ahead
        (nagged(waiting(), 30 * DAY, 31 * DAY), 3 * DAY, WAIT, 7 * DAY),
        (waiting(TOURNAMENT), DAY, NAG, 7 * DAY),
        (waiting(ClockRules(7 * DAY, 2 * DAY)), DAY, NAG, 2 * DAY),
        (waiting(ClockRules(5 * MINUTE, 10 * MINUTE)), 5 * MINUTE, NAG, 10 * MINUTE),
        (waiting(ClockRules(total=10 * DAY), used=4 * DAY), 5 * DAY - MINUTE, WAIT, 5 * DAY),
        (waiting(ClockRules(total=10 * DAY), used=4 * DAY), 5 * DAY, NAG, 6 * DAY),
        (
            waiting(ClockRules(total=10 * DAY), used=10 * DAY - HOUR),
            timedelta(0),
            WAIT,
            HOUR,
        ),  # the turn's mail says so
        (waiting(ClockRules(total=10 * DAY), used=10 * DAY - HOUR), HOUR, FORFEIT, None),
        (waiting(ClockRules(total=10 * DAY), used=11 * DAY), timedelta(0), FORFEIT, None),
        (waiting(ClockRules(total=10 * DAY), used=11 * DAY), 2 * MISSED, NAG, DAY + 2 * MISSED),  # nobody has looked
        (waiting(ClockRules(total=10 * DAY), used=9 * DAY), DAY - HOUR, WAIT, DAY),
        (waiting(ClockRules(total=10 * DAY), used=4 * DAY), 6 * DAY, FORFEIT, None),
        (nagged(waiting(ClockRules(total=10 * DAY), used=11 * DAY), DAY, 2 * DAY), 2 * DAY, FORFEIT, None),
        (waiting(ClockRules(total=60 * DAY), used=11 * DAY), 7 * DAY, NAG, 21 * DAY),
    ],
)
def test_what_is_to_be_done(wait: Wait, now: timedelta, kind: VerdictKind, at: timedelta | None) -> None:
    assert verdict(wait, START + now) == ClockVerdict(kind, None if at is None else START + at)


@pytest.mark.parametrize("why", [VACATION, "unreachable"])
def test_who_comes_back_to_little_of_his_total_time_is_told_and_gets_no_more_of_it(why: str) -> None:
    wait = waiting(ClockRules(total=10 * DAY), Pause(BOB, START - DAY, why, START + DAY), used=10 * DAY - HOUR)
    assert verdict(wait, START) == ClockVerdict(WAIT, START + DAY)
    assert verdict(wait, START + DAY) == ClockVerdict(NAG, START + DAY + HOUR)
    told = nagged(wait, DAY, DAY + HOUR)
    assert verdict(told, START + DAY + HOUR) == ClockVerdict(FORFEIT)


def test_an_offer_gives_nobody_more_of_his_total_time_than_it_took() -> None:
    offer = Pause(BOB, START + HOUR / 2, OFFER, START + DAY)
    wait = waiting(ClockRules(total=10 * DAY), offer, used=10 * DAY - HOUR)
    assert verdict(wait, START + DAY) == ClockVerdict(WAIT, START + DAY + HOUR / 2)
    assert verdict(wait, START + DAY + HOUR / 2) == ClockVerdict(FORFEIT)


@pytest.mark.parametrize(
    ("rules", "reminder"),
    [
        (ClockRules(), 7 * DAY),
        (ClockRules(total=HOUR), 45 * MINUTE),
        (ClockRules(total=30 * DAY), 7 * DAY),
        (ClockRules(total=MINUTE), timedelta(0)),
    ],
)
def test_a_total_time_may_have_the_first_reminder_come_sooner(rules: ClockRules, reminder: timedelta) -> None:
    assert rules.reminder == reminder


def away(began: timedelta, ended: timedelta | None) -> Pause:
    return Pause(BOB, START + began, VACATION, None if ended is None else START + ended)


@pytest.mark.parametrize(
    ("wait", "now", "kind", "at"),
    [
        (waiting(USUAL, away(3 * DAY, 13 * DAY)), 12 * DAY, WAIT, 17 * DAY),
        (waiting(USUAL, away(3 * DAY, 13 * DAY)), 17 * DAY, NAG, 31 * DAY),
        (waiting(USUAL, away(3 * DAY, None)), 99 * DAY, WAIT, None),
        (waiting(USUAL, away(8 * DAY, 18 * DAY)), 9 * DAY, WAIT, 18 * DAY),  # nobody has looked before
        (waiting(USUAL, away(8 * DAY, None)), 9 * DAY, WAIT, None),
        (nagged(waiting(USUAL, away(8 * DAY, 18 * DAY)), 7 * DAY, 21 * DAY), 17 * DAY, WAIT, 18 * DAY),
        (nagged(waiting(USUAL, away(8 * DAY, 18 * DAY)), 7 * DAY, 21 * DAY), 18 * DAY, NAG, 31 * DAY),
        (nagged(waiting(USUAL, away(20 * DAY + HOUR, 40 * DAY)), 20 * DAY, 21 * DAY), 21 * DAY, WAIT, 40 * DAY),
        (nagged(waiting(USUAL, away(20 * DAY + HOUR, 40 * DAY)), 20 * DAY, 21 * DAY), 40 * DAY, NAG, 41 * DAY),
        # the time was up, and a day was given because nobody had looked: on vacation nobody loses even so
        (nagged(waiting(USUAL, away(41 * DAY, 50 * DAY)), 40 * DAY + HOUR, 41 * DAY + HOUR), 42 * DAY, WAIT, 50 * DAY),
        (nagged(waiting(USUAL, away(41 * DAY, None)), 40 * DAY + HOUR, 41 * DAY + HOUR), 42 * DAY, WAIT, None),
    ],
)
def test_nobody_is_nagged_or_loses_while_a_clock_stands_and_who_comes_back_is_told_the_new_moment(
    wait: Wait, now: timedelta, kind: VerdictKind, at: timedelta | None
) -> None:
    assert verdict(wait, START + now) == ClockVerdict(kind, None if at is None else START + at)


@pytest.mark.parametrize("ends_in", [VerdictKind.DRAW, VerdictKind.LAPSE])
def test_an_offer_is_nagged_about_like_a_turn_and_costs_nobody_his_total_time(ends_in: VerdictKind) -> None:
    wait = replace(waiting(ClockRules(total=DAY), used=2 * DAY), ends_in=ends_in)
    assert verdict(wait, START + DAY) == ClockVerdict(WAIT, START + 7 * DAY)
    assert verdict(wait, START + 7 * DAY) == ClockVerdict(NAG, START + 21 * DAY)
    assert verdict(nagged(wait, 20 * DAY, 21 * DAY), START + 21 * DAY) == ClockVerdict(ends_in)


def looked_at(wait: Wait, looks: list[datetime]) -> list[tuple[datetime, ClockVerdict]]:
    """The verdicts on a wait that is looked at in these moments, until it ends."""
    done = []
    for now in looks:
        begun = tuple(each for each in wait.pauses if each.began_at <= now)
        judged = verdict(replace(wait, pauses=begun), now)
        if judged.kind is NAG:
            wait = replace(wait, nagged_at=now, forfeit_at=judged.at)
        if judged.kind is not WAIT:
            done.append((now, judged))
        if judged.kind is FORFEIT:
            break
    return done


@pytest.mark.parametrize(
    ("rules", "nags"),
    [
        (USUAL, 14),
        (TOURNAMENT, 6),
        (ClockRules(5 * MINUTE, 10 * MINUTE), 1),
        (ClockRules(MINUTE, 2 * HOUR), 13),
        (ClockRules(10 * MINUTE, 3 * DAY), 14),
        (ClockRules(12 * HOUR, 3 * DAY), 5),
        (ClockRules(total=2 * HOUR), 1),
    ],
)
def test_nags_come_daily_or_a_few_times_and_then_the_moment_that_they_named(rules: ClockRules, nags: int) -> None:
    looks = [START + minutes * MINUTE for minutes in range(22 * 24 * 60)]
    *nagged, (ended, last) = looked_at(waiting(rules), looks)
    ends_at = START + min(rules.forfeit, rules.total or rules.forfeit)
    assert last.kind is FORFEIT
    assert abs(ended - ends_at) <= MINUTE
    assert len(nagged) == nags
    assert {each.at for _, each in nagged} == {ends_at}


times = st.integers(1, 40_000).map(lambda minutes: minutes * MINUTE)
some_rules = st.builds(ClockRules, times, times, st.none() | times)
vacations = st.tuples(st.integers(0, 40_000), st.integers(0, 40_000)).map(
    lambda two: Pause(BOB, moment(two[0]), VACATION, moment(sum(two)))
)


@given(some_rules, st.lists(vacations, max_size=3), st.lists(st.integers(0, 120_000), max_size=40), times)
def test_nothing_is_lost_that_was_not_announced_and_nobody_is_nagged_while_his_clock_stands(
    rules: ClockRules, pauses: list[Pause], looks: list[int], used: timedelta
) -> None:
    wait = waiting(rules, *pauses, used=used)
    done = looked_at(wait, sorted(map(moment, looks)))
    for now, _ in done:
        assert not any(each.began_at <= now < (each.ended_at or now) for each in pauses)
    for (before, nag), (now, judged) in pairwise(done):
        if judged.kind is FORFEIT:
            assert nag.at is not None
            assert nag.at <= now <= nag.at + MISSED
            assert nag.at - before >= min(rules.grace, wait.limit)
            assert counted(START, now, pauses) >= wait.limit
    if done and done[0][1].kind is not NAG:
        assert wait.is_by_total
        assert done[0][0] - (START + wait.limit) <= MISSED


@given(some_rules, st.none() | vacations.map(lambda each: replace(each, began_at=START)), times)
def test_a_look_when_it_is_due_does_something_and_none_before(
    rules: ClockRules, begun: Pause | None, used: timedelta
) -> None:
    wait = waiting(rules, *filter(None, [begun]), used=used)
    for _ in range(40):
        look = next_look(wait)
        assert look is not None
        assert verdict(wait, look - MINUTE / 60) == ClockVerdict(WAIT, look)
        judged = verdict(wait, look)
        if judged.kind is FORFEIT:
            return
        assert judged.kind is NAG
        wait = replace(wait, nagged_at=look, forfeit_at=judged.at)
    assert rules.forfeit > 14 * DAY
