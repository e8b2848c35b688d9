"""A board and its events."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, Result, begin, follow, up_to_move
from pbem.domain.vacations import Pause
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from pbem.ids import BoardNumber, PlayerId
from tests.domain.sample_boards import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    EMPTY,
    FOUR,
    HOUR,
    START,
    TURNS,
    after,
    passing,
    time_used,
)


def test_a_board_without_events_stands_at_the_beginning() -> None:
    course = follow(EMPTY, SUPERBO)
    assert course == begin(EMPTY, SUPERBO)
    assert (course.to_act, course.ply, course.result, course.events) == (0, 0, None, 0)


def test_the_seat_that_begins_is_the_boards_own() -> None:
    board = Board(BoardNumber(101), "superbo", {}, 1, 1, (ALICE, BOB), START)
    assert follow(board, SUPERBO).to_act == 1


def test_events_are_numbered_from_one_and_never_change_the_board_they_were_added_to() -> None:
    board = after(*TURNS[:3])
    assert [event.number for event in board.events] == [1, 2, 3]
    assert (EMPTY.event_number, board.event_number, board.last_at) == (0, 3, START + 3 * HOUR)
    assert EMPTY.last_at == START


def test_following_the_events_gives_every_input_in_words() -> None:
    course = follow(after(*TURNS[:3]), SUPERBO)
    assert [(played.moveno, played.seat, played.text.move) for played in course.inputs] == [
        (1, 0, "B3"),
        (2, 1, "C4,K5"),
        (3, 0, "G2,H7"),
    ]
    assert (course.to_act, course.ply, course.events) == (1, 3, 3)


def test_a_game_that_its_rules_end_has_their_winner() -> None:
    course = follow(after(*TURNS), SUPERBO)
    assert course.result == Result((0,), BoardEnding.RULES)
    assert course.to_act is None


@pytest.mark.parametrize("known", range(len(TURNS) + 1))
def test_going_on_from_a_known_course_comes_to_the_same(known: int) -> None:
    board = after(*TURNS)
    assert follow(board, SUPERBO, follow(after(*TURNS[:known]), SUPERBO)) == follow(board, SUPERBO)


@pytest.mark.parametrize(("seat", "winner"), [(0, 1), (1, 0)])
def test_a_resignation_gives_the_board_to_the_other(seat: int, winner: int) -> None:
    board = after("B3").with_event(EventKind.RESIGNATION, seat, START + 9 * HOUR)
    course = follow(board, SUPERBO)
    assert course.result == Result((winner,), BoardEnding.RESIGNED, 1 - winner)
    assert (course.to_act, course.ply, course.events) == (None, 1, 2)


def test_a_declined_challenge_has_no_winner() -> None:
    board = EMPTY.with_event(EventKind.DECLINE, 1, START + HOUR)
    assert follow(board, SUPERBO).result == Result((), BoardEnding.DECLINED, 1)


@pytest.mark.parametrize("moveno", range(len(TURNS) + 1))
def test_a_board_can_be_looked_at_as_it_was_after_each_move(moveno: int) -> None:
    board = after(*TURNS)
    assert up_to_move(board, follow(board, SUPERBO), moveno) == after(*TURNS[:moveno])


def test_after_the_last_move_stands_what_happened_since() -> None:
    resigned = after(*TURNS[:2]).with_event(EventKind.RESIGNATION, 0, START + 9 * HOUR)
    course = follow(resigned, SUPERBO)
    assert up_to_move(resigned, course, 2) == resigned
    assert up_to_move(resigned, course, 99) == resigned
    assert up_to_move(resigned, course, 1) == after(TURNS[0])


def test_time_is_counted_for_the_seat_that_let_the_others_wait() -> None:
    assert time_used(EMPTY) == (timedelta(0), timedelta(0))
    assert time_used(after(*TURNS[:3])) == (2 * HOUR, HOUR)
    assert time_used(after(*TURNS[:4], every=24 * HOUR)) == (48 * HOUR, 48 * HOUR)


@pytest.mark.parametrize("kind", [EventKind.RESIGNATION, EventKind.FORFEIT])
def test_who_leaves_out_of_turn_is_not_charged_for_the_time_of_who_was_to_act(kind: EventKind) -> None:
    left = passing(FOUR, 0).with_event(kind, 3, START + 5 * HOUR)
    assert time_used(left) == (HOUR, 4 * HOUR, timedelta(0), timedelta(0))
    assert time_used(passing(left, 1, 2)) == (HOUR, 5 * HOUR, HOUR, timedelta(0))
    over = after(*TURNS[:1]).with_event(kind, 0, START + 9 * HOUR)
    assert time_used(over) == (HOUR, 8 * HOUR)


def test_an_announced_resignation_is_set_and_taken_back_at_its_seat_alone() -> None:
    announced = EMPTY.with_resigning(1, resigning=True)
    assert [holder.resigning for holder in announced.seats] == [False, True]
    assert announced.with_resigning(1, resigning=False) == EMPTY


def test_seats_and_players_of_a_game_against_oneself() -> None:
    alone = Board(BoardNumber(101), "superbo", {}, 1, 0, (ALICE, ALICE), START)
    assert alone.seats_of(ALICE.player) == (0, 1)
    assert alone.players == (ALICE.player,)
    assert EMPTY.seats_of(BOB.player) == (1,)
    assert EMPTY.seats_of(PlayerId(9)) == ()
    assert EMPTY.players == (ALICE.player, BOB.player)


def test_a_seat_has_moved_once_it_has_a_move_of_its_own() -> None:
    board = after("B3").with_event(EventKind.RESIGNATION, 1, START + 2 * HOUR)
    assert (board.has_moved(0), board.has_moved(1)) == (True, False)


def test_a_board_begins_anew_for_those_who_stay_and_keeps_what_happened_before() -> None:
    played = passing(FOUR, 0, 1).with_resigning(3, resigning=True)
    board = played.with_decline(CAROL.player, START + 9 * HOUR, restarts=True)
    assert board.seats == (ALICE, BOB, DAVE)
    assert (board.events[:2], board.restarted, board.played) == (played.events, 3, ())
    assert not any(board.has_moved(seat) for seat in range(3))
    course = follow(board, MAMBA)
    assert (course.to_act, course.ply, course.inputs, course.events) == (0, 0, (), 3)
    assert course == begin(board, MAMBA)
    went_on = follow(passing(board, 0, 1), MAMBA, course)
    assert went_on == follow(passing(board, 0, 1), MAMBA)
    assert [(played.moveno, played.event) for played in went_on.inputs] == [(1, 4), (2, 5)]


def test_a_course_of_before_a_new_beginning_is_of_no_use_after_it() -> None:
    played = passing(FOUR, 0, 1)
    board = played.with_decline(CAROL.player, START + 9 * HOUR, restarts=True)
    assert follow(board, MAMBA, follow(played, MAMBA)) == follow(board, MAMBA)


@pytest.mark.parametrize(
    ("first", "decliner", "begins"), [(0, ALICE, 0), (0, BOB, 0), (2, BOB, 1), (3, DAVE, 0), (1, BOB, 1)]
)
def test_who_was_to_begin_still_does_or_the_next_clockwise(first: int, decliner: SeatHolder, begins: int) -> None:
    board = replace(FOUR, first=first).with_decline(decliner.player, START + HOUR, restarts=True)
    assert (board.first, follow(board, MAMBA).to_act) == (begins, begins)


@pytest.mark.parametrize("restarts", [True, False])
def test_the_clocks_do_not_wait_for_who_has_declined(restarts: bool) -> None:
    paused = FOUR.with_pause(BOB.player, "unreachable", START).with_pause(CAROL.player, "frozen", START)
    board = paused.with_decline(BOB.player, START + HOUR, restarts=restarts)
    assert [each.player for each in board.stands] == [CAROL.player]
    assert not board.with_pauses_ended(None, START + HOUR).stands


def test_a_board_that_does_not_begin_anew_keeps_its_seats() -> None:
    board = FOUR.with_decline(BOB.player, START + HOUR, restarts=False)
    assert (board.seats, board.restarted) == (FOUR.seats, 0)
    assert follow(board, MAMBA).result == Result((), BoardEnding.DECLINED, 1)


@pytest.mark.parametrize("kind", [EventKind.RESIGNATION, EventKind.FORFEIT])
def test_who_has_left_is_not_among_those_who_begin_anew(kind: EventKind) -> None:
    left = passing(FOUR, 0).with_event(kind, 0, START + 2 * HOUR)
    assert left.staying_without(DAVE.player) == (1, 2)
    board = left.with_decline(DAVE.player, START + 3 * HOUR, restarts=True)
    assert (board.seats, board.first) == ((BOB, CAROL), 0)


def test_time_is_counted_anew_after_a_new_beginning() -> None:
    board = passing(FOUR, 0, 1).with_decline(CAROL.player, START + 9 * HOUR, restarts=True)
    assert time_used(passing(board, 0, 1, 2, 0)) == (2 * HOUR, HOUR, HOUR)


@pytest.mark.parametrize(
    ("kind", "ending"), [(EventKind.RESIGNATION, BoardEnding.RESIGNED), (EventKind.FORFEIT, BoardEnding.FORFEITED)]
)
def test_the_others_go_on_until_one_is_left(kind: EventKind, ending: BoardEnding) -> None:
    board = passing(FOUR, 0).with_event(kind, 1, START + 2 * HOUR)
    course = follow(board, MAMBA)
    assert (course.result, course.to_act, course.ply) == (None, 2, 2)
    board = board.with_event(kind, 0, START + 3 * HOUR)
    course = follow(board, MAMBA)
    assert (course.result, course.to_act, course.ply) == (None, 2, 2)
    assert list(course.position.playing) == [2, 3]
    board = board.with_event(kind, 2, START + 4 * HOUR)
    assert follow(board, MAMBA).result == Result((3,), ending, 2)


def test_partners_win_together_though_one_of_them_has_left() -> None:
    board = replace(FOUR, options={"teams": True})
    for seat in (2, 1, 3):
        board = board.with_event(EventKind.RESIGNATION, seat, board.last_at + HOUR)
    assert follow(board, MAMBA).result == Result((0, 2), BoardEnding.RESIGNED, 3)


def test_a_draw_is_one_of_the_board_whatever_the_game_says() -> None:
    course = follow(passing(FOUR, 0).with_event(EventKind.DRAW, 2, START + 9 * HOUR), MAMBA)
    assert (course.result, course.to_act) == (Result((), BoardEnding.DRAWN, 2), None)


def test_a_turn_in_parts_and_broken_off_by_leaving_is_one_move() -> None:
    board = FOUR.with_event(EventKind.MOVE, 0, START + HOUR, {"input": "move d1-b1"})
    board = passing(board, 1, 2, 3)
    board = board.with_event(EventKind.MOVE, 0, board.last_at + HOUR, {"input": "lay b1>a2"})
    course = follow(board, MAMBA)
    assert (course.ply, course.to_act, course.inputs[-1].moveno) == (4, 0, 5)
    assert up_to_move(board, course, 4).event_number == 4
    assert up_to_move(board, course, 5) == board
    opened = board.event_number
    board = passing(board.with_event(EventKind.RESIGNATION, 0, board.last_at + HOUR), 1)
    course = follow(board, MAMBA)
    assert (course.ply, course.to_act) == (6, 2)
    assert up_to_move(board, course, 4).event_number == 4
    assert up_to_move(board, course, 5).event_number == opened + 1
    assert up_to_move(board, course, 6) == board
    assert follow(up_to_move(board, course, 5), MAMBA).ply == 5


def test_leaving_on_turn_is_a_move_of_its_own_and_leaving_out_of_turn_none() -> None:
    board = passing(FOUR, 0)
    board = board.with_event(EventKind.RESIGNATION, 1, board.last_at + HOUR)
    board = board.with_event(EventKind.FORFEIT, 0, board.last_at + HOUR)
    board = passing(board, 2)
    course = follow(board, MAMBA)
    assert [up_to_move(board, course, moveno).event_number for moveno in range(5)] == [0, 1, 3, 4, 4]


def test_the_time_of_a_pause_is_not_counted() -> None:
    board = after(*TURNS[:2])
    paused = replace(board, pauses=(Pause(BOB.player, START + HOUR + HOUR / 4, "unreachable", START + 2 * HOUR),))
    assert time_used(board) == (HOUR, HOUR)
    assert time_used(paused) == (HOUR, HOUR / 4)


def test_the_clocks_do_not_wait_for_who_has_left() -> None:
    paused = FOUR.with_pause(BOB.player, "unreachable", START).with_pause(CAROL.player, "unreachable", START)
    left = paused.with_event(EventKind.RESIGNATION, 1, START + HOUR)
    assert [each.player for each in left.stands] == [CAROL.player]
    assert left.pauses[0].ended_at == START + HOUR
    stayed = paused.with_event(EventKind.MOVE, 1, START + HOUR, {"input": "pass"})
    assert len(stayed.stands) == 2


def test_the_clocks_wait_for_who_has_left_with_one_of_two_seats() -> None:
    twice = replace(FOUR, seats=(ALICE, BOB, CAROL, BOB)).with_pause(BOB.player, "unreachable", START)
    once = twice.with_event(EventKind.FORFEIT, 1, START + HOUR)
    assert once.stands
    assert not once.with_event(EventKind.FORFEIT, 3, START + 2 * HOUR).stands


def test_a_board_is_quiet_for_a_player_with_all_his_seats_through_a_restart() -> None:
    quiet = replace(FOUR, seats=(ALICE, BOB, CAROL, BOB)).with_quiet(BOB.player, True)
    assert [holder.quiet for holder in quiet.seats] == [False, True, False, True]
    restarted = quiet.with_decline(ALICE.player, START, restarts=True)
    assert [holder.quiet for holder in restarted.seats] == [True, False, True]
    assert quiet.with_quiet(BOB.player, False) == replace(FOUR, seats=(ALICE, BOB, CAROL, BOB))
