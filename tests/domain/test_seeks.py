"""The seeks that together make a board."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.domain.clocks import ClockRules
from pbem.domain.seeks import Seek, Sought, companions
from pbem.ids import PlayerId, SeekId
from tests.storage.stock import AT

DAY = timedelta(days=1)
PLAIN = Sought("superbo", {}, 2)
FOUR = Sought("mamba", {}, 4)


def seek(number: int, sought: Sought = PLAIN, *, wanted: int = 1, pace: timedelta | None = None) -> Seek:
    """A seek of a player of its own, later than those with lower numbers."""
    userid = f"player{number}"
    return Seek(SeekId(number), PlayerId(number), userid, sought, wanted, AT + number * DAY, pace)


def anybody(_one: Seek, _other: Seek) -> bool:
    return True


def numbers(found: tuple[Seek, ...] | None) -> list[int] | None:
    return None if found is None else [each.id for each in found]


def test_who_has_waited_longest_is_met_first() -> None:
    assert numbers(companions(seek(9), [seek(1), seek(2)], anybody)) == [1]
    assert companions(seek(9), [], anybody) is None


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, game="mambo"),
        replace(PLAIN, options={"single": True}),
        replace(PLAIN, players=3),
        replace(PLAIN, clock=ClockRules(is_own=True)),
        replace(PLAIN, rated=False),
    ],
)
def test_seeks_for_something_else_do_not_meet(other: Sought) -> None:
    assert companions(seek(9), [seek(1, other)], anybody) is None
    assert companions(seek(9, other), [seek(1)], anybody) is None
    alike = [seek(number, other) for number in range(1, other.players)]
    assert companions(seek(9, other), alike, anybody) == tuple(alike)


def test_the_order_of_options_is_all_one() -> None:
    one, other = (Sought("superbo", options, 2) for options in ({"a": 1, "b": True}, {"b": True, "a": 1}))
    assert numbers(companions(seek(9, one), [seek(1, other)], anybody)) == [1]
    assert one.words == other.words == ("a=1", "b")


def test_nobody_meets_himself() -> None:
    assert companions(seek(9), [replace(seek(1), player=PlayerId(9))], anybody) is None


def test_more_than_two_fit_together_each_with_each() -> None:
    apart = {(1, 2), (2, 1), (1, 4), (4, 1)}
    others = [seek(number, FOUR) for number in range(1, 6)]

    def fit(one: Seek, other: Seek) -> bool:
        return (one.id, other.id) not in apart

    assert numbers(companions(seek(9, FOUR), others, anybody)) == [1, 2, 3]
    assert numbers(companions(seek(9, FOUR), others, fit)) == [1, 3, 5]
    assert numbers(companions(seek(9, FOUR), others[:4], fit)) == [2, 3, 4]
    assert companions(seek(9, FOUR), others[:3], fit) is None
    assert companions(seek(9, FOUR), others[:2], anybody) is None


def test_one_player_takes_one_place() -> None:
    twice = [seek(1, FOUR), replace(seek(2, FOUR), player=PlayerId(1)), seek(3, FOUR)]
    assert companions(seek(9, FOUR), twice, anybody) is None


def test_no_more_are_asked_for_than_needed() -> None:
    asked = []

    def fit(one: Seek, other: Seek) -> bool:
        asked.append((one.id, other.id))
        return True

    companions(seek(9), [seek(number) for number in range(1, 9)], fit)
    assert asked == [(9, 1)]


@pytest.mark.parametrize(
    ("wish", "pace", "likes"),
    [(None, None, True), (None, 9 * DAY, True), (DAY, None, True), (DAY, DAY, True), (DAY, 1.01 * DAY, False)],
)
def test_who_is_too_slow_will_not_do_and_who_is_new_will(
    wish: timedelta | None, pace: timedelta | None, likes: bool
) -> None:
    assert seek(1, pace=wish).likes(pace) is likes


def test_a_seek_says_itself_in_the_words_that_make_it() -> None:
    sought = Sought("mamba", {"size": 11, "teams": True}, 4, ClockRules(DAY, 3 * DAY, is_own=True), rated=False)
    words = ("size=11", "teams", "players=4", "unrated", "nagtime=1", "forfeittime=3")
    assert sought.words == words
    assert seek(1, sought, pace=36 * DAY / 24).words == (*words, "pace=36h")
    assert (seek(1).fewer.wanted, seek(1, wanted=3).ended.wanted) == (0, 0)
