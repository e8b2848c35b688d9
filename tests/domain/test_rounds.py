"""Drawing the next round of a tournament."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.tournaments import Bye, Kind, Meeting, NextRound, Tournament, next_round
from pbem.ids import BoardNumber, PlayerId, TournamentId

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def started(many: int, kind: Kind, rounds: int | None = None) -> Tournament:
    made = Tournament(TournamentId(1), "spring", "palago", kind, PlayerId(1), NOW, rounds=rounds)
    for each in range(1, many + 1):
        made = made.joined(PlayerId(each), f"player{each}", NOW)
    return made.started()


def everybody(tournament: Tournament) -> set[PlayerId]:
    return {each.player for each in tournament.entries}


def begun(drawn: NextRound | None, numbers: count[int]) -> list[Meeting]:
    assert drawn is not None
    return [Meeting(BoardNumber(next(numbers)), drawn.number, each.label, each.pair, (2, 0)) for each in drawn.seatings]


def played_out(tournament: Tournament, absent: dict[int, set[int]] | None = None) -> tuple[Tournament, list[Meeting]]:
    """A tournament after all rounds, won by who moves first; ``absent`` are those who cannot be seated, by round."""
    meetings: list[Meeting] = []
    numbers = count(101)
    while True:
        away = (absent or {}).get(tournament.round + 1, set())
        drawn = next_round(tournament, meetings, everybody(tournament) - set(map(PlayerId, away)))
        if drawn is None:
            return tournament, meetings
        meetings += begun(drawn, numbers)
        tournament = tournament.with_round(drawn)


@pytest.mark.parametrize("many", [2, 5, 8, 9, 20])
def test_a_round_robin_lets_all_in_a_pool_meet(many: int) -> None:
    tournament, meetings = played_out(started(many, Kind.ROUND_ROBIN))
    for pool in tournament.pools:
        size = len(tournament.of_pool(pool))
        pairs = [frozenset(each.pair) for each in meetings if each.pool == pool]
        assert len(pairs) == len(set(pairs)) == size * (size - 1) // 2
        assert set().union(*pairs) == set(tournament.of_pool(pool))
    assert tournament.round == tournament.rounds_planned


def test_labels_are_counted_in_each_pool_through_all_rounds() -> None:
    _, meetings = played_out(started(10, Kind.ROUND_ROBIN))
    for pool in ("A", "B"):
        assert [each.label for each in meetings if each.pool == pool] == [f"{pool}{n}" for n in range(1, 11)]


def test_a_swiss_ends_after_its_rounds() -> None:
    tournament, meetings = played_out(started(5, Kind.SWISS))
    assert tournament.round == 3
    assert Counter(each.round for each in meetings) == {1: 2, 2: 2, 3: 2}
    assert [each.round for each in tournament.byes if each.is_point] == [1, 2, 3]


def test_who_cannot_be_seated_sits_a_round_out_without_a_bye() -> None:
    tournament, meetings = played_out(started(4, Kind.SWISS), {1: {4}})
    assert not any(PlayerId(4) in each.pair for each in meetings if each.round == 1)
    assert tournament.byes[:2] == (Bye(1, PlayerId(3)), Bye(1, PlayerId(4), is_point=False))
    assert any(PlayerId(4) in each.pair for each in meetings if each.round == 2)


def test_who_was_to_meet_somebody_who_cannot_be_seated_has_a_bye_in_a_round_robin() -> None:
    whole, _ = played_out(started(4, Kind.ROUND_ROBIN))
    tournament, meetings = played_out(started(4, Kind.ROUND_ROBIN), {1: {4}})
    assert whole.byes == ()
    assert tournament.byes == (Bye(1, PlayerId(1)), Bye(1, PlayerId(4), is_point=False))
    assert len(meetings) == 5


def test_who_has_withdrawn_meets_nobody_any_more() -> None:
    before = started(4, Kind.ROUND_ROBIN)
    first = next_round(before, [], everybody(before))
    assert first is not None
    meetings = begun(first, count(101))
    after, all_meetings = before.with_round(first).withdrawn(PlayerId(4), NOW), list(meetings)
    second = next_round(after, all_meetings, everybody(after))
    assert second is not None
    assert not any(PlayerId(4) in each.pair for each in second.seatings)
    assert len(second.byes) == 1


@pytest.mark.parametrize("kind", Kind)
def test_a_tournament_that_only_one_stays_in_is_over(kind: Kind) -> None:
    tournament = started(3, kind).withdrawn(PlayerId(1), NOW).withdrawn(PlayerId(3), NOW)
    assert next_round(tournament, [], everybody(tournament)) is None


def test_a_round_in_which_nobody_can_play_is_left_out_of_a_round_robin() -> None:
    """Of three the first round has players 2 and 3 meet, who cannot both play; the second is the next that can be."""
    tournament = started(3, Kind.ROUND_ROBIN)
    first = next_round(tournament, [], everybody(tournament))
    assert first is not None
    one, other = first.seatings[0].pair
    drawn = next_round(tournament.withdrawn(one, NOW), [], everybody(tournament))
    assert drawn is not None
    assert drawn.number > 1
    assert other in drawn.seatings[0].pair


@given(st.integers(2, 20), st.sampled_from(Kind), st.dictionaries(st.integers(1, 7), st.sets(st.integers(1, 20))))
def test_every_tournament_comes_to_an_end(many: int, kind: Kind, absent: dict[int, set[int]]) -> None:
    tournament, meetings = played_out(started(many, kind), absent)
    assert tournament.round <= tournament.rounds_planned
    for number in range(1, tournament.round + 1):
        seen = [player for meeting in meetings if meeting.round == number for player in meeting.pair]
        seen += [each.player for each in tournament.byes if each.round == number]
        assert len(seen) == len(set(seen))
    assert len({each.label for each in meetings}) == len(meetings)
