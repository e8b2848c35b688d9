"""Pairings: the opponents that each player meets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.pairings import Contender, Drawn, Pair, all_can_be_matched, round_robin, swiss
from pbem.domain.tables import WIN
from pbem.ids import PlayerId


def players(many: int) -> list[PlayerId]:
    return [PlayerId(each) for each in range(many)]


def contender(player: int, halves: int = 0, byes: int = 0, met: tuple[int, ...] = (), firsts: int = 0) -> Contender:
    return Contender(PlayerId(player), halves, byes, Counter(PlayerId(each) for each in met), firsts)


@pytest.mark.parametrize("many", range(17))
def test_in_a_round_robin_every_pair_meets_exactly_once(many: int) -> None:
    met = Counter(frozenset(pair) for drawn in round_robin(players(many)) for pair in drawn.pairs)
    assert met == Counter(map(frozenset, combinations(players(many), 2)))


@pytest.mark.parametrize("many", range(2, 17))
def test_in_a_round_robin_everybody_is_in_every_round_once(many: int) -> None:
    rounds = round_robin(players(many))
    assert len(rounds) == (many if many % 2 else many - 1)
    for drawn in rounds:
        assert sorted([*drawn.byes, *(player for pair in drawn.pairs for player in pair)]) == players(many)


@pytest.mark.parametrize("many", range(3, 17, 2))
def test_an_odd_number_sits_out_once_each(many: int) -> None:
    assert sorted(player for drawn in round_robin(players(many)) for player in drawn.byes) == players(many)


@pytest.mark.parametrize("many", range(2, 17))
def test_in_a_round_robin_the_sides_differ_by_at_most_one(many: int) -> None:
    firsts = Counter(dict.fromkeys(players(many), 0))
    for drawn in round_robin(players(many)):
        for first, second in drawn.pairs:
            firsts[first] += 1
            firsts[second] -= 1
    assert max(map(abs, firsts.values())) <= 1


def test_the_first_round_of_a_swiss_sets_the_upper_half_against_the_lower() -> None:
    drawn = swiss([contender(each) for each in range(6)])
    assert drawn == Drawn(((PlayerId(0), PlayerId(3)), (PlayerId(4), PlayerId(1)), (PlayerId(2), PlayerId(5))))


def test_who_has_as_many_points_meets() -> None:
    drawn = swiss([contender(0), contender(1, 2), contender(2), contender(3, 2)])
    assert [set(pair) for pair in drawn.pairs] == [{1, 3}, {0, 2}]


def test_the_lowest_who_has_had_no_bye_has_one() -> None:
    drawn = swiss([contender(0, 4), contender(1, 2), contender(2, 2), contender(3, 0), contender(4, 2, byes=1)])
    assert drawn.byes == (PlayerId(3),)
    again = swiss([contender(0, 4), contender(1, 2), contender(2, 2), contender(3, 2, byes=1), contender(4, 2, byes=1)])
    assert again.byes == (PlayerId(2),)


def test_the_bye_goes_higher_up_where_the_lowest_is_the_only_one_that_somebody_has_not_met() -> None:
    drawn = swiss([contender(0, 4, met=(1,)), contender(1, 2, met=(0,)), contender(2, 0)])
    assert drawn.byes == (PlayerId(1),)
    assert set(drawn.pairs[0]) == {0, 2}


def test_somebody_is_passed_over_so_that_the_rest_need_not_meet_again() -> None:
    drawn = swiss([contender(0, 2), contender(1, 2), contender(2, 0, met=(3,)), contender(3, 0, met=(2,))])
    assert {frozenset(pair) for pair in drawn.pairs} == {frozenset({0, 2}), frozenset({1, 3})}


def test_two_meet_again_when_there_is_nobody_else() -> None:
    drawn = swiss([contender(0, 2, met=(1,), firsts=1), contender(1, 0, met=(0,), firsts=-1)])
    assert drawn.pairs == ((PlayerId(1), PlayerId(0)),)


def test_who_has_moved_first_less_often_does_so_now() -> None:
    drawn = swiss([contender(0, firsts=1), contender(1, firsts=-1)])
    assert drawn.pairs == ((PlayerId(1), PlayerId(0)),)


@pytest.mark.parametrize("many", [0, 1])
def test_fewer_than_two_do_not_meet(many: int) -> None:
    assert swiss([contender(each) for each in range(many)]).pairs == ()


def after(contenders: list[Contender], drawn: Drawn, results: list[int]) -> list[Contender]:
    """The contenders after a round; each result is what the first of a pair has made, in half points."""
    known = {each.player: each for each in contenders}
    for player in drawn.byes:
        known[player] = replace(known[player], halves=known[player].halves + WIN, byes=known[player].byes + 1)
    for (first, second), halves in zip(drawn.pairs, results, strict=False):
        known[first] = _met(known[first], second, halves, 1)
        known[second] = _met(known[second], first, WIN - halves, -1)
    return list(known.values())


def _met(one: Contender, other: PlayerId, halves: int, side: int) -> Contender:
    met = Counter(one.met) + Counter([other])
    return replace(one, halves=one.halves + halves, met=met, firsts=one.firsts + side)


def could_avoid_a_second_meeting(contenders: list[Contender]) -> bool:
    return all_can_be_matched(
        {
            one.player: frozenset(other.player for other in contenders if other is not one and not one.times_met(other))
            for one in contenders
        }
    )


def is_again(pair: Pair, contenders: list[Contender]) -> bool:
    return next(each for each in contenders if each.player == pair[0]).met.get(pair[1], 0) > 0


@given(st.integers(2, 12), st.lists(st.lists(st.sampled_from([0, 1, 2]), min_size=6, max_size=6), max_size=12))
def test_nobody_meets_anybody_twice_as_long_as_that_is_possible(many: int, results: list[list[int]]) -> None:
    contenders = [contender(each) for each in range(many)]
    for halves in results:
        drawn = swiss(contenders)
        seen = sorted([*drawn.byes, *(player for pair in drawn.pairs for player in pair)])
        assert seen == players(many)
        fewest = min(each.byes for each in contenders)
        could_sit_out = [each for each in contenders if each.byes == fewest] if many % 2 else [None]
        possible = any(could_avoid_a_second_meeting([c for c in contenders if c is not out]) for out in could_sit_out)
        assert any(is_again(pair, contenders) for pair in drawn.pairs) is not possible
        contenders = after(contenders, drawn, halves)
        byes = [each.byes for each in contenders]
        assert max(byes) - min(byes) <= 1


@given(st.integers(3, 32), st.data())
def test_in_as_many_rounds_as_are_usual_nobody_meets_anybody_twice(many: int, data: st.DataObject) -> None:
    contenders = [contender(each) for each in range(many)]
    for _ in range((many - 1).bit_length()):
        drawn = swiss(contenders)
        assert not any(is_again(pair, contenders) for pair in drawn.pairs)
        contenders = after(contenders, drawn, data.draw(st.lists(st.sampled_from([0, 1, 2]), min_size=16, max_size=16)))
