"""Ratings against examples worked out by hand: every branch of the formula, part by part."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.ratings import ESTABLISHED, Rating, RatingChange, Score, average, pair_scores, rated, scores, way
from pbem.ids import PlayerId

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
USUAL = Fraction(1720)
WIN, TIE, LOSS = Score.WIN, Score.TIE, Score.LOSS


def rating(value: int, games: int) -> Rating:
    return Rating(value, won=games)


def after(
    *before: tuple[int, int], winners: tuple[int, ...] = (0,), level: Fraction | int | None = None
) -> tuple[int, ...]:
    """The ratings after a game; each player before it by rating and games."""
    ratings = [rating(*each) for each in before]
    return rated(ratings, scores(len(ratings), winners), USUAL if level is None else Fraction(level))


def test_two_new_players_have_1800_and_1400_after_a_win() -> None:
    # alice: v = (1600 + 1600)/2 + 200 = 1800; (1600*0 + 1800)/1 = 1800; bonus (1720 - 1720)/5 = 0
    # bob:   v = 1600 - 200 = 1400;            (1600*0 + 1400)/1 = 1400
    assert after((1600, 0), (1600, 0)) == (1800, 1400)


def test_two_new_players_keep_1600_after_a_draw() -> None:
    # v = (1600 + 1600)/2 + 0 = 1600
    assert after((1600, 0), (1600, 0), winners=()) == (1600, 1600)


def test_provisional_against_provisional() -> None:
    # bonus for both: (1720 - 1700)/5 = 4
    # alice: v = (1650 + 1555)/2 + 200 = 1802.5 -> 1802; (1650*3 + 1802)/4 = 6752/4 = 1688;        + 4 = 1692
    # bob:   v = (1555 + 1650)/2 - 200 = 1402.5 -> 1402; (1555*7 + 1402)/8 = 1535.875 -> 1535;     + 4 = 1539
    assert after((1650, 3), (1555, 7), level=1700) == (1692, 1539)


def test_provisional_wins_against_established() -> None:
    # alice: v = 1800 + 400 = 2200; (1500*4 + 2200)/5 = 1640; bonus (1720 - 1733)/5 = -2.6 -> -2;  1638
    # bob: K = 32*4/20 = 6.4; 1/(1 + 10^((1500 - 1800)/400)) = 1/1.177828 = 0.849021
    #      6.4*(0 - 0.849021) = -5.43 -> -5;                                                       1795
    assert after((1500, 4), (1800, 25), level=1733) == (1638, 1795)


def test_established_wins_against_provisional() -> None:
    # alice: K = 32*10/20 = 16; 1/(1 + 10^((1700 - 1600)/400)) = 1/2.778279 = 0.359935
    #        16*(1 - 0.359935) = 10.24 -> 10;                                                      1610
    # bob: v = 1600 - 400 = 1200; (1700*10 + 1200)/11 = 1654.5 -> 1654; bonus 0;                   1654
    assert after((1600, 50), (1700, 10)) == (1610, 1654)


def test_established_against_who_is_new_wins_and_loses_nothing() -> None:
    # alice: K = 32*0/20 = 0
    # bob: v = 1700 - 400 = 1300, or 1700 + 400 = 2100; that is bob's rating
    assert after((1700, 20), (1600, 0)) == (1700, 1300)
    assert after((1700, 20), (1600, 0), winners=(1,)) == (1700, 2100)


def test_established_against_established() -> None:
    # alice: 1/(1 + 10^((1600 - 1700)/400)) = 1/1.562341 = 0.640065; 32*(1 - 0.640065) = 11.52 -> 11;  1711
    # bob:   1/(1 + 10^((1700 - 1600)/400)) = 1/2.778279 = 0.359935; 32*(0 - 0.359935) = -11.52 -> -11; 1589
    # the bonus is for provisional ratings alone
    assert after((1700, 30), (1600, 40), level=1500) == (1711, 1589)


def test_a_tie_of_established_players() -> None:
    # alice: 32*(0.5 - 0.640065) = -4.48 -> -4;  1696
    # bob:   32*(0.5 - 0.359935) = 4.48 -> 4;    1604
    assert after((1700, 30), (1600, 40), winners=()) == (1696, 1604)


def test_a_tie_of_provisional_and_established() -> None:
    # alice: v = 1800 + 0; (1500*4 + 1800)/5 = 1560
    # bob: K = 6.4; 6.4*(0.5 - 0.849021) = -2.23 -> -2
    assert after((1500, 4), (1800, 25), winners=()) == (1560, 1798)


def test_the_game_that_establishes_a_rating_is_reckoned_as_provisional() -> None:
    # alice, 19 games: v = 1620 + 400 = 2020; (1600*19 + 2020)/20 = 1621
    # bob: K = 32*19/20 = 30.4; 1/(1 + 10^((1600 - 1620)/400)) = 1/1.891251 = 0.528751
    #      30.4*(0 - 0.528751) = -16.07 -> -16
    assert after((1600, 19), (1620, 20)) == (1621, 1604)


def test_each_of_three_players_plays_against_the_average_of_the_others() -> None:
    # bonus for the provisional: (1720 - 1700)/5 = 4
    # alice: r2 = (1600 + 1500)/2 = 1550, n2 = (10 + 2)/2 = 6: K = 32*6/20 = 9.6
    #        1/(1 + 10^((1550 - 1700)/400)) = 1/1.421697 = 0.703385; 9.6*(1 - 0.703385) = 2.85 -> 2;  1702
    # bob:   r2 = (1700 + 1500)/2 = 1600, n2 = (30 + 2)/2 = 16, provisional: v = (1600 + 1600)/2 - 200 = 1400
    #        (1600*10 + 1400)/11 = 1581.8 -> 1581;                                              + 4 = 1585
    # carol: r2 = (1700 + 1600)/2 = 1650, n2 = (30 + 10)/2 = 20, established: v = 1650 - 400 = 1250
    #        (1500*2 + 1250)/3 = 1416.7 -> 1416;                                                + 4 = 1420
    assert after((1700, 30), (1600, 10), (1500, 2), level=1700) == (1702, 1585, 1420)


def test_all_of_a_winning_team_win_and_the_partner_is_one_of_the_others() -> None:
    # seats 0 and 2 have won
    # 0: r2 = (1600 + 1500 + 1600)/3 = 1566.67, n2 = (25 + 5 + 0)/3 = 10: K = 16
    #    1/(1 + 10^(-233.33/400)) = 1/1.261016 = 0.793011; 16*(1 - 0.793011) = 3.31 -> 3;          1803
    # 1: r2 = (1800 + 1500 + 1600)/3 = 1633.33, n2 = (40 + 5 + 0)/3 = 15: K = 24
    #    1/(1 + 10^(33.33/400)) = 1/2.211528 = 0.452176; 24*(0 - 0.452176) = -10.85 -> -10;        1590
    # 2: r2 = (1800 + 1600 + 1600)/3 = 1666.67, n2 = (40 + 25 + 0)/3 = 21.67: v = 2066.67 -> 2066
    #    (1500*5 + 2066)/6 = 1594.3 -> 1594
    # 3: r2 = (1800 + 1600 + 1500)/3 = 1633.33, n2 = (40 + 25 + 5)/3 = 23.33: v = 1233.33 -> 1233
    #    (1600*0 + 1233)/1 = 1233
    assert after((1800, 40), (1600, 25), (1500, 5), (1600, 0), winners=(0, 2)) == (1803, 1590, 1594, 1233)


def test_a_part_below_nothing_is_cut_toward_zero() -> None:
    # alice: v = (100 + 101)/2 - 200 = -99.5 -> -99, and the quotient is the same
    # bob:   v = (101 + 100)/2 + 200 = 300.5 -> 300
    assert after((100, 0), (101, 0), winners=(1,)) == (-99, 300)
    # carol: v = -201 + 0, established; (0*1 - 201)/2 = -100.5 -> -100
    assert after((0, 1), (-201, 20), winners=())[0] == -100


def test_a_change_that_is_a_whole_number_is_not_cut_to_the_one_below() -> None:
    # K = 32*11/20 = 17.6; 1/(1 + 10^((2000 - 1600)/400)) = 1/11; 17.6*(1 - 1/11) = 16 exactly
    assert after((1600, 20), (2000, 11))[0] == 1616


@pytest.mark.parametrize(
    ("level", "bonus"), [(1720, 0), (1716, 0), (1715, 1), (1724, 0), (1725, -1), (Fraction(17151, 10), 0), (1600, 24)]
)
def test_the_bonus_brings_provisional_ratings_to_where_they_should_be(level: Fraction | int, bonus: int) -> None:
    assert after((1600, 0), (1600, 0), winners=(), level=level) == (1600 + bonus, 1600 + bonus)


def test_the_average_is_exact_and_that_of_nobody_is_the_usual_one() -> None:
    assert average(0, 0) == 1720
    assert average(3501, 2) == Fraction(3501, 2)


@pytest.mark.parametrize(
    ("seats", "winners", "expected"),
    [
        (2, (1,), (LOSS, WIN)),
        (2, (), (TIE, TIE)),
        (3, (2,), (LOSS, LOSS, WIN)),
        (4, (1, 3), (LOSS, WIN, LOSS, WIN)),
        (3, (0, 1, 2), (TIE, TIE, TIE)),
    ],
)
def test_who_has_won_and_who_has_not(seats: int, winners: tuple[int, ...], expected: tuple[Score, ...]) -> None:
    assert scores(seats, winners) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((WIN, LOSS), (WIN, LOSS), (WIN, LOSS)),
        ((WIN, LOSS), (LOSS, WIN), (TIE, TIE)),
        ((WIN, LOSS), (TIE, TIE), (WIN, LOSS)),
        ((TIE, TIE), (LOSS, WIN), (LOSS, WIN)),
        ((TIE, TIE), (TIE, TIE), (TIE, TIE)),
    ],
)
def test_a_pair_is_what_its_games_come_to(
    one: tuple[Score, ...], other: tuple[Score, ...], expected: tuple[Score, ...]
) -> None:
    assert pair_scores(one, other) == expected


def test_games_are_counted_by_how_they_went() -> None:
    now = Rating()
    for score, value in ((WIN, 1800), (LOSS, 1700), (TIE, 1650), (WIN, 1700)):
        now = now.with_game(value, score, AT)
    assert now == Rating(1700, won=2, lost=1, tied=1, last_at=AT)
    assert now.games == 4


def test_an_older_game_that_is_rated_late_does_not_make_a_rating_older() -> None:
    assert Rating().with_game(1800, WIN, AT).with_game(1850, WIN, AT - timedelta(days=1)).last_at == AT


def test_a_rating_is_established_from_the_20th_game_on() -> None:
    assert [rating(1600, games).is_established for games in (0, 19, 20)] == [False, False, True]
    changes = [RatingChange(PlayerId(1), "alice", 1600, 1610, games, WIN, AT) for games in (0, 18, 19)]
    assert [each.is_established for each in changes] == [False, False, True]


def change(before: int, after: int, day: int) -> RatingChange:
    return RatingChange(PlayerId(1), "alice", before, after, day, WIN, AT + timedelta(days=day))


def test_the_way_of_a_rating_leads_to_what_it_is_now() -> None:
    assert way(Rating(), []) == ()
    changes = [change(1600, 1800, 0), change(1800, 1790, 2), change(1790, 1850, 5)]
    days = [AT + timedelta(days=each) for each in (0, 2, 5)]
    assert way(rating(1850, 3), changes) == tuple(zip(days, (1800, 1790, 1850), strict=True))


def test_the_way_of_a_rating_is_without_what_was_taken_back() -> None:
    changes = [change(1600, 1800, 0), change(1790, 1850, 5)]  # the one between them took 10
    assert [value for _, value in way(rating(1860, 2), changes)] == [1800, 1860]


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(Score), st.integers(1000, 2200))
def test_a_game_taken_back_leaves_no_trace_but_its_time(mine: int, theirs: int, score: Score, value: int) -> None:
    before = replace(rating(value, mine), last_at=AT)
    (after_it, _) = rated([before, rating(1600, theirs)], (score, Score(-score)), USUAL)
    assert before.with_game(after_it, score, AT).without_game(after_it - value, score) == before


@given(
    st.lists(st.tuples(st.integers(800, 2400), st.integers(ESTABLISHED, 99)), min_size=2, max_size=2),
    st.sampled_from([(0,), (1,), ()]),
)
def test_between_two_established_players_nothing_is_made_and_nothing_lost(
    players: list[tuple[int, int]], winners: tuple[int, ...]
) -> None:
    one, other = after(*players, winners=winners)
    assert one + other == players[0][0] + players[1][0]
