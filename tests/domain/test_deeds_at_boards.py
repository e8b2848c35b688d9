"""An operator's changes to a board: annul it, end it, give a seat to somebody else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.domain.boards import Board, SeatHolder, TournamentPlace
from pbem.domain.events import BY_CLOCK, BY_OPERATOR, EventKind
from pbem.domain.game_state import BoardEnding, Result, follow
from pbem.domain.records import BoardAnnulled, record_of, replay
from pbem.games.game import TurnRecord
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from pbem.games.records import read_record, to_json
from pbem.ids import PlayerId, TournamentId
from pbem.usecases.context import GameStateCache
from tests.domain.sample_boards import ALICE, BOB, CAROL, EMPTY, FOUR, HOUR, START, TURNS, after, passing, time_used

EVE = SeatHolder(PlayerId(9), "eve")


def handed_over(board: Board, seat: int) -> Board:
    return board.with_handover(seat, EVE, board.last_at + HOUR)


def test_an_annulled_board_is_over_without_a_winner_and_has_no_record() -> None:
    board = after(*TURNS[:3]).with_event(EventKind.ANNULMENT, 1, START + 10 * HOUR)
    course = follow(board, SUPERBO)
    assert course.result == Result((), BoardEnding.ANNULLED, 1, by_operator=True)
    assert course.to_act is None
    with pytest.raises(BoardAnnulled):
        record_of(board, course)


def test_even_a_finished_board_can_be_annulled() -> None:
    board = after(*TURNS).with_event(EventKind.ANNULMENT, 0, START + 10 * HOUR)
    course = follow(board, SUPERBO)
    assert course.result is not None
    assert (course.result.ending, course.result.winners) == (BoardEnding.ANNULLED, ())


def test_a_seat_handed_over_keeps_the_position_and_the_moves() -> None:
    before, board = after(*TURNS[:3]), handed_over(after(*TURNS[:3]), 1)
    known, course = follow(before, SUPERBO), follow(board, SUPERBO)
    assert board.seats == (ALICE, EVE)
    assert board.events[-1].record == {"from": "bob", "to": "eve"}
    assert course == replace(known, events=4, waited_for=(0, 1, 0, 1))
    assert follow(board, SUPERBO, known) == course
    assert GameStateCache({"superbo": SUPERBO}).of(board) == course


@pytest.mark.parametrize("turn", range(4))
def test_a_game_goes_on_to_its_end_whenever_a_seat_was_handed_over(turn: int) -> None:
    board = after(*TURNS)
    changed = handed_over(replace(board, events=board.events[:turn]), 1)
    for event in board.events[turn:]:
        changed = changed.with_event(event.kind, event.seat, event.at, event.record)
    course = follow(changed, SUPERBO)
    assert course.result == Result((0,), BoardEnding.RULES)
    assert [each.text for each in course.inputs] == [each.text for each in follow(board, SUPERBO).inputs]


def test_who_has_taken_a_seat_over_has_not_moved_there() -> None:
    board = after(*TURNS[:3])
    assert board.has_moved(0)
    taken = handed_over(board, 0)
    assert (taken.has_moved(0), taken.has_moved(1)) == (False, True)


def test_a_game_with_a_seat_handed_over_may_not_count() -> None:
    assert EMPTY.may_count
    assert not replace(EMPTY, rated=False).may_count
    assert not handed_over(after(*TURNS[:1]), 1).may_count


@pytest.mark.parametrize("record", [None, BY_CLOCK, BY_OPERATOR])
def test_who_forfeits_without_a_move_makes_the_game_count_for_nothing(record: TurnRecord | None) -> None:
    for turns, counts in ((1, False), (2, True)):
        board = after(*TURNS[:turns]).with_event(EventKind.FORFEIT, 1, START + 9 * HOUR, record)
        assert board.may_count is counts
    place = TournamentPlace(TournamentId(1), "spring", 1, "A1")
    assert replace(EMPTY, tournament=place).with_event(EventKind.FORFEIT, 1, START, record).may_count


def test_a_game_against_oneself_may_not_count() -> None:
    assert not replace(EMPTY, seats=(ALICE, ALICE)).may_count


def test_a_game_begun_anew_after_a_handover_may_count_again() -> None:
    board = handed_over(passing(FOUR, 0, 1), 2).with_decline(PlayerId(9), START + 9 * HOUR, restarts=True)
    assert [holder.userid for holder in board.seats] == ["alice", "bob", "dave"]
    assert board.may_count


def test_a_record_knows_only_who_plays_now() -> None:
    board = handed_over(after(*TURNS[:3]), 1)
    record = record_of(board, follow(board, SUPERBO))
    assert record.players == ("alice", "eve")
    assert len(record.turns) == 3
    again = replay(read_record(json.loads(json.dumps(to_json(record)))), SUPERBO, START)
    assert (again.error, again.last.position) == (None, follow(board, SUPERBO).position)


@pytest.mark.parametrize(("kind", "event"), [(EventKind.FORFEIT, "forfeit"), (EventKind.DRAW, "draw")])
def test_a_record_tells_an_end_that_the_operator_decided_on_as_any_other(kind: EventKind, event: str) -> None:
    board = after(*TURNS[:3]).with_event(kind, 1, START + 9 * HOUR, BY_OPERATOR)
    course = follow(board, SUPERBO)
    assert course.result is not None
    assert course.result.by_operator
    record = record_of(board, course)
    assert record.turns[-1] == {"seat": 1, "event": event}
    assert replay(record, SUPERBO, START).error is None


def test_who_forfeits_by_himself_does_so_without_the_operator() -> None:
    course = follow(after(*TURNS[:3]).with_event(EventKind.FORFEIT, 1, START + 9 * HOUR), SUPERBO)
    assert course.result == Result((0,), BoardEnding.FORFEITED, 1)


def test_a_partner_or_one_of_many_can_be_forfeited_and_handed_over() -> None:
    teams = replace(FOUR, options={"inorder": True, "teams": True})
    board = handed_over(passing(teams, 0, 1, 2), 3).with_event(EventKind.FORFEIT, 0, START + 9 * HOUR, BY_OPERATOR)
    course = follow(board, MAMBA)
    record = record_of(board, course)
    assert [holder.userid for holder in board.seats] == ["alice", "bob", "carol", "eve"]
    assert replay(record, MAMBA, START).last.position == course.position


def test_no_deed_counts_as_time_that_a_player_has_used() -> None:
    board = passing(FOUR, 0)
    taken = handed_over(board, 3)
    moved = taken.with_event(EventKind.MOVE, 1, taken.last_at + HOUR, {"input": "pass"})
    assert time_used(moved) == (HOUR, 2 * HOUR, HOUR - HOUR, HOUR - HOUR)
    ended = moved.with_event(EventKind.FORFEIT, 2, moved.last_at + 9 * HOUR, BY_OPERATOR)
    assert time_used(ended) == time_used(moved)
    assert time_used(passing(ended, 3)) == (HOUR, 2 * HOUR, HOUR - HOUR, HOUR)
    beside = moved.with_event(EventKind.FORFEIT, 0, moved.last_at + 9 * HOUR, BY_OPERATOR)
    assert time_used(passing(beside, 2)) == (HOUR, 2 * HOUR, 10 * HOUR, HOUR - HOUR)


def test_who_takes_a_seat_over_begins_with_no_time_used() -> None:
    on_turn = handed_over(passing(FOUR, 0, 1, 2, 3), 0)
    assert time_used(on_turn) == (HOUR - HOUR, HOUR, HOUR, HOUR)
    assert time_used(passing(on_turn, 0)) == (HOUR, HOUR, HOUR, HOUR)


def test_seats_of_the_same_player_are_handed_over_one_by_one() -> None:
    board = replace(FOUR, seats=(ALICE, BOB, CAROL, BOB))
    assert [holder.userid for holder in handed_over(board, 3).seats] == ["alice", "bob", "carol", "eve"]
