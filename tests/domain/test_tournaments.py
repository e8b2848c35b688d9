"""Entrants and pools."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pbem.domain.tournaments import (
    MOST_ENTRANTS,
    MOST_IN_POOL,
    Bye,
    Kind,
    Meeting,
    NextRound,
    Seating,
    Tournament,
    TournamentState,
    is_name,
)
from pbem.ids import BoardNumber, PlayerId, TournamentId

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def tournament(many: int, kind: Kind = Kind.SWISS, rounds: int | None = None) -> Tournament:
    made = Tournament(TournamentId(1), "spring", "palago", kind, PlayerId(1), NOW, rounds=rounds)
    for each in range(1, many + 1):
        made = made.joined(PlayerId(each), f"player{each}", NOW)
    return made


@pytest.mark.parametrize("many", [2, 7, 8, 9, 16, 17, 30, 65, MOST_ENTRANTS])
def test_pools_of_a_round_robin_are_bounded_and_nearly_equal(many: int) -> None:
    sizes = Counter(each.pool for each in tournament(many, Kind.ROUND_ROBIN).started().entries)
    assert max(sizes.values()) <= MOST_IN_POOL
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert len(sizes) == -(-many // MOST_IN_POOL)
    assert min(sizes) == "A"
    assert all(pool.isalpha() and len(pool) == 1 for pool in sizes)


def test_a_swiss_has_one_pool() -> None:
    assert tournament(30).started().pools == ("A",)


@pytest.mark.parametrize(("many", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5)])
def test_a_swiss_goes_over_as_many_rounds_as_a_knock_out(many: int, rounds: int) -> None:
    assert tournament(many).rounds_planned == rounds


@pytest.mark.parametrize(("many", "wanted", "rounds"), [(5, 4, 4), (5, 9, 5), (6, 9, 5), (2, 3, 1), (8, 1, 1)])
def test_a_swiss_goes_over_the_rounds_asked_for_as_long_as_nobody_must_meet_again(
    many: int, wanted: int, rounds: int
) -> None:
    assert tournament(many, rounds=wanted).rounds_planned == rounds


@pytest.mark.parametrize(("many", "rounds"), [(2, 1), (5, 5), (8, 7), (9, 5), (0, 0), (1, 0)])
def test_a_round_robin_has_the_rounds_of_its_largest_pool(many: int, rounds: int) -> None:
    before = tournament(many, Kind.ROUND_ROBIN)
    assert before.rounds_planned == rounds
    assert before.started().rounds_planned == rounds


def test_who_withdraws_before_the_start_leaves_no_entry() -> None:
    after = tournament(3).withdrawn(PlayerId(2), NOW)
    assert [each.player for each in after.entries] == [1, 3]


def test_who_withdraws_later_stays_in_the_table() -> None:
    after = tournament(3).started().withdrawn(PlayerId(2), NOW)
    assert [each.player for each in after.staying] == [1, 3]
    assert [row.player for row in after.table("A", [])] == [1, 3, 2]
    assert after.state is TournamentState.RUNNING


def test_a_bye_counts_at_once_as_a_board_that_is_won_does() -> None:
    board = Meeting(BoardNumber(101), 1, "A1", (PlayerId(1), PlayerId(2)))
    first = NextRound(1, (Seating("A1", board.pair),), (Bye(1, PlayerId(3)),))
    running = tournament(3).started().with_round(first)
    points = {row.player: row.halves for row in running.table("A", [board])}
    assert points == {1: 0, 2: 0, 3: 2}
    points = {row.player: row.halves for row in running.table("A", [replace(board, halves=(2, 0))])}
    assert points == {1: 2, 2: 0, 3: 2}


@pytest.mark.parametrize("name", ["spring", "Spring-2026", "a_b", "x" * 32, "7"])
def test_a_name_is_one_word(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "two words", "x" * 33, "späte", "a.b", "a\n", "@"])
def test_other_words_are_no_names(name: str) -> None:
    assert not is_name(name)
