"""The players and robots that a board waits for, and since when."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.domain.boards import Board, SeatHolder, TournamentPlace
from pbem.domain.clocks import MISSED, ClockRules, ClockVerdict, VerdictKind, verdict
from pbem.domain.events import BY_CLOCK, EventKind
from pbem.domain.vacations import OFFER, VACATION, Pause
from pbem.domain.waits import clock_at, is_pressed, time_used, total_left, waited_for, waiting
from pbem.games.game import Seat
from pbem.ids import PlayerId, TournamentId
from tests.domain.mamba_boards import DAY, HOUR, MINUTE, begun, course_of, later, played
from tests.storage.stock import AT

ANN, BEN, CAT = PlayerId(1), PlayerId(2), PlayerId(3)
OPENING = ("move c4-e4", "move d8-c9", "move i6-i5", "lay e4>f4")
"""Of three; after it the third has to decide something."""


def since(board: Board) -> timedelta:
    return course_of(board).waiting_since(board) - AT


def test_a_board_waits_from_its_beginning_and_then_from_the_last_move() -> None:
    assert since(begun()) == timedelta(0)
    assert since(played(begun(), "move f3-f5")) == HOUR
    assert since(played(begun(), "move f3-f5", "move d9-c8")) == 2 * HOUR


def test_what_is_offered_and_answered_changes_nothing_of_it() -> None:
    offered = later(played(begun(3), OPENING[0]), EventKind.OFFER, 0, {"of": "draw"})
    agreed = later(offered, EventKind.CONSENT, 1)
    refused = later(agreed, EventKind.REFUSAL, 2)
    assert [since(each) for each in (offered, agreed, refused)] == [HOUR] * 3


def test_what_was_taken_back_begins_a_new_wait() -> None:
    asked = later(played(begun(), "move f3-f5"), EventKind.OFFER, 0, {"of": "undo", "back_to": 0})
    undone = later(asked, EventKind.UNDO, 1, {"back_to": 0})
    assert course_of(undone).to_act == 0
    assert since(undone) == 3 * HOUR


def test_who_leaves_out_of_turn_begins_none_and_in_turn_one_for_the_next() -> None:
    board = played(begun(3), *OPENING[:3])
    assert since(later(board, EventKind.RESIGNATION, 2)) == 3 * HOUR
    assert since(later(board, EventKind.FORFEIT, 0, BY_CLOCK)) == 4 * HOUR


def test_who_gets_the_seat_that_is_to_act_has_all_the_time_and_who_gets_another_changes_nothing() -> None:
    board = played(begun(), "move f3-f5")
    taker = SeatHolder(CAT, "cat")
    assert since(board.with_handover(1, taker, AT + 5 * HOUR)) == 5 * HOUR
    assert since(board.with_handover(0, taker, AT + 5 * HOUR)) == HOUR


def test_a_decision_is_waited_for_from_the_move_that_asks_for_it() -> None:
    board = played(begun(3), *OPENING)
    course = course_of(board)
    assert course.position.decision is not None
    assert since(board) == 4 * HOUR
    assert waited_for(board, course) == (CAT,)


def test_pauses_of_all_stand_for_who_is_to_act_and_vacations_only_his_own() -> None:
    pauses = tuple(Pause(player, AT, VACATION, AT + DAY) for player in (ANN, BEN))
    board = replace(played(begun(), "move f3-f5"), pauses=(*pauses, Pause(ANN, AT, "frozen")))
    wait = waiting(board, course_of(board))
    assert wait is not None
    assert wait.pauses == (pauses[1], board.pauses[2])
    assert clock_at(board, course_of(board)) is None
    board = replace(board, pauses=pauses)
    assert clock_at(board, course_of(board)) == AT + 8 * DAY


@pytest.mark.parametrize(("kind", "ends_in"), [("draw", VerdictKind.DRAW), ("undo", VerdictKind.LAPSE)])
def test_an_offer_waits_for_all_who_have_not_agreed_and_its_own_pause_does_not_count(
    kind: str, ends_in: VerdictKind
) -> None:
    record = {"of": kind} | ({"back_to": 0} if kind == "undo" else {})
    board = later(played(begun(3), OPENING[0]), EventKind.OFFER, 0, record)
    assert [each.why for each in board.stands] == [OFFER]
    assert waited_for(board, course_of(board)) == (BEN, CAT)
    board = later(board, EventKind.CONSENT, 1)
    assert waited_for(board, course_of(board)) == (CAT,)
    away = tuple(Pause(player, AT, VACATION, AT + 3 * DAY) for player in (ANN, BEN, CAT))
    board = replace(board, pauses=(*board.pauses, *away))
    wait = waiting(board, course_of(board))
    assert wait is not None
    assert (wait.since, wait.ends_in, wait.pauses) == (AT + 2 * HOUR, ends_in, away[2:])


def test_a_refusal_forgets_who_was_reminded_of_the_offer_and_not_who_was_reminded_to_play() -> None:
    board = played(begun(), "move f3-f5")
    named = (board.last_at + HOUR, board.last_at + DAY)
    offered = later(replace(board, nagged_at=named[0], forfeit_at=named[1]), EventKind.OFFER, 0, {"of": "draw"})
    unanswered = waiting(offered, course_of(offered))
    assert unanswered is not None
    assert unanswered.announced is None
    asked = (offered.last_at + HOUR, offered.last_at + 2 * DAY)
    nagged = replace(offered, answer_nagged_at=asked[0], answer_by=asked[1])
    unanswered = waiting(nagged, course_of(nagged))
    assert unanswered is not None
    assert unanswered.announced == asked
    after = later(nagged, EventKind.REFUSAL, 1)
    assert (after.answer_nagged_at, after.answer_by, after.stands) == (None, None, ())
    wait = waiting(after, course_of(after))
    assert wait is not None
    assert wait.announced == named


@pytest.mark.parametrize("seat", [0, 1])
def test_a_clock_goes_on_after_an_offer_where_it_stood(seat: Seat) -> None:
    """Whoever has made it: it gives nobody more time than it took."""
    board = played(begun(clock=ClockRules(2 * HOUR, 10 * HOUR)), "move f3-f5")
    since = board.last_at
    nagged = replace(board, nagged_at=since + 8 * HOUR, forfeit_at=since + 10 * HOUR)
    offered = nagged.with_event(EventKind.OFFER, seat, since + 9 * HOUR, {"of": "draw"})
    board = offered.with_event(EventKind.REFUSAL, seat, since + 9 * HOUR + HOUR / 2)
    wait, ends_at = waiting(board, course_of(board)), since + 10 * HOUR + HOUR / 2
    assert wait is not None
    assert clock_at(board, course_of(board)) == board.last_at
    assert verdict(wait, board.last_at) == ClockVerdict(VerdictKind.NAG, ends_at)
    assert verdict(wait, ends_at) == ClockVerdict(VerdictKind.UNANSWERED)
    missed = ends_at + MISSED + HOUR
    assert verdict(wait, missed) == ClockVerdict(VerdictKind.NAG, missed + board.clock.grace)


def test_a_board_that_is_over_waits_for_nobody() -> None:
    board = later(begun(), EventKind.RESIGNATION, 0)
    assert waiting(board, course_of(board)) is None
    assert clock_at(board, course_of(board)) is None
    assert waited_for(board, course_of(board)) == ()


def test_time_used_goes_on_while_somebody_is_waited_for() -> None:
    board = played(begun(clock=ClockRules(total=DAY)), "move f3-f5", "move d9-c8")
    course = course_of(board)
    now = AT + 5 * HOUR
    assert time_used(board, course, now) == (4 * HOUR, HOUR)
    assert total_left(board, course, now) == (20 * HOUR, 23 * HOUR)
    assert total_left(board, course, AT + 3 * DAY) == (timedelta(0), 23 * HOUR)
    wait = waiting(board, course)
    assert wait is not None
    assert (wait.used, wait.limit) == (HOUR, 23 * HOUR)
    assert total_left(begun(), course_of(begun()), now) == ()


@pytest.mark.parametrize(
    ("total", "up", "pressed"),
    [
        (None, None, False),
        (60 * DAY, None, False),
        (2 * DAY, 2 * DAY, False),
        (2 * HOUR, 2 * HOUR, False),
        (HOUR * 5 / 4, HOUR * 5 / 4, True),
    ],
)
def test_a_total_time_is_up_at_a_moment_that_may_be_too_near_for_a_nag(
    total: timedelta | None, up: timedelta | None, pressed: bool
) -> None:
    clock = ClockRules(2 * DAY, 3 * DAY, total)
    board = played(begun(clock=clock), "move f3-f5", "move d9-c8")  # an hour each
    course = course_of(board)
    wait = waiting(board, course)
    assert wait is not None
    assert wait.is_by_total == (up is not None)
    assert wait.ends_at == (wait.since + clock.forfeit if up is None else AT + HOUR + up)
    assert is_pressed(board, course) == pressed
    stopped = waiting(replace(board, pauses=(Pause(ANN, AT, "frozen"),)), course)
    assert stopped is not None
    assert stopped.ends_at is None
    offered = later(board, EventKind.OFFER, 1, {"of": "draw"})
    asked = waiting(offered, course_of(offered))
    assert asked is not None
    assert not asked.is_by_total


def test_talk_is_not_counted_twice_and_stands_while_it_is_open() -> None:
    board = played(begun(clock=ClockRules(total=DAY)), "move f3-f5")
    board = later(later(board, EventKind.OFFER, 0, {"of": "draw"}), EventKind.REFUSAL, 1)
    course = course_of(board)
    assert course.used_before(board, 1) == timedelta(0)
    assert time_used(board, course, AT + 5 * HOUR) == (HOUR, 3 * HOUR)


def test_time_from_before_this_wait_counts_for_the_total() -> None:
    board = played(begun(3, ClockRules(total=10 * DAY)), *OPENING[:3])
    board = later(board, EventKind.RESIGNATION, 2)
    course = course_of(board)
    assert course.to_act == 0
    assert course.used_before(board, 0) == HOUR
    assert time_used(board, course, board.last_at + HOUR)[0] == 3 * HOUR


QUICK = ClockRules(5 * MINUTE, 10 * MINUTE, HOUR / 2, is_own=True).opened_as(ClockRules())
"""A clock that is shorter than the server's."""


def rules_of(board: Board) -> ClockRules:
    wait = waiting(board, course_of(board))
    assert wait is not None
    return wait.rules


@pytest.mark.parametrize(
    ("clock", "opening"),
    [
        (ClockRules(), None),
        (ClockRules(2 * DAY, 21 * DAY, is_own=True), None),
        (ClockRules(7 * DAY, 60 * DAY, is_own=True), ClockRules()),
        (ClockRules(7 * DAY, 21 * DAY, 30 * DAY, is_own=True), None),
        (ClockRules(DAY, 20 * DAY, is_own=True), ClockRules()),
        (ClockRules(5 * MINUTE, 10 * MINUTE, is_own=True), ClockRules()),
        (ClockRules(7 * DAY, 60 * DAY, HOUR, is_own=True), ClockRules()),
        (ClockRules(30 * DAY, 60 * DAY, 90 * DAY, is_own=True), ClockRules()),
    ],
)
def test_a_clock_that_is_shorter_or_longer_than_that_of_the_server_begins_with_the_first_move(
    clock: ClockRules, opening: ClockRules | None
) -> None:
    assert clock.opened_as(ClockRules()) == replace(clock, opening=opening)


def test_each_player_has_the_clock_of_the_server_until_their_own_first_move() -> None:
    board = begun(clock=QUICK)
    assert rules_of(board) == ClockRules()
    board = played(board, "move f3-f5")
    assert rules_of(board) == ClockRules()
    assert clock_at(board, course_of(board)) == board.last_at + 7 * DAY
    board = played(board, "move d9-c8")
    assert rules_of(board) == QUICK


def test_time_before_the_first_move_is_not_taken_off_a_total_time() -> None:
    board = played(begun(clock=QUICK), "move f3-f5", "move d9-c8")  # an hour each, and all may take half of one
    course = course_of(board)
    assert course.time_used(board) == (timedelta(0), timedelta(0))
    assert total_left(board, course, board.last_at + 6 * MINUTE) == (24 * MINUTE, 30 * MINUTE)
    assert total_left(begun(clock=QUICK), course_of(begun(clock=QUICK)), AT + 5 * DAY) == (HOUR / 2, HOUR / 2)


def test_a_first_move_that_is_taken_back_has_begun_the_clock() -> None:
    board = later(played(begun(clock=QUICK), "move f3-f5"), EventKind.UNDO, 0, {"back_to": 0})
    assert rules_of(board) == QUICK
    assert waiting(board, course_of(board)).ends_in is VerdictKind.FORFEIT  # type: ignore[union-attr]


def test_who_takes_a_seat_over_has_not_moved_there() -> None:
    board = played(begun(clock=QUICK), "move f3-f5", "move d9-c8")
    taken = board.with_handover(0, SeatHolder(CAT, "p3"), board.last_at + MINUTE)
    assert rules_of(taken) == ClockRules()
    assert rules_of(played(taken, "move d3-c2")) == QUICK
    assert rules_of(played(taken, "move d3-c2", "move d7-b7")) == QUICK


def test_nobody_is_hurried_by_an_offer_before_the_first_move() -> None:
    board = played(begun(clock=QUICK), "move f3-f5")
    for kind, ends_in in (("draw", VerdictKind.UNANSWERED), ("undo", VerdictKind.LAPSE)):
        offered = later(board, EventKind.OFFER, 0, {"of": kind, "back_to": 0})
        wait = waiting(offered, course_of(offered))
        assert wait is not None
        assert (wait.rules, wait.ends_in) == (ClockRules(), ends_in)


def test_in_a_tournament_and_against_oneself_the_clock_is_that_of_the_board() -> None:
    tournament = TournamentPlace(TournamentId(1), "cup", 1, "A1")
    board = replace(begun(clock=QUICK), tournament=tournament)
    wait = waiting(board, course_of(board))
    assert wait is not None
    assert (wait.rules, wait.ends_in) == (QUICK, VerdictKind.FORFEIT)
    alone = begun(clock=QUICK)
    alone = played(replace(alone, seats=(alone.seats[0], alone.seats[0])), "move f3-f5")
    assert rules_of(alone) == QUICK


@pytest.mark.parametrize(("players", "ends_in"), [(2, VerdictKind.UNANSWERED), (3, VerdictKind.FORFEIT)])
def test_a_challenge_that_one_of_two_does_not_answer_lapses_and_of_more_the_others_go_on(
    players: int, ends_in: VerdictKind
) -> None:
    for clock in (ClockRules(), QUICK):
        board = begun(players, clock)
        for line in (None, "move c4-e4" if players > 2 else "move f3-f5"):
            board = board if line is None else played(board, line)
            wait = waiting(board, course_of(board))
            assert wait is not None
            assert wait.ends_in is ends_in


def test_a_robot_and_a_vacation_keep_an_unanswered_challenge_from_lapsing() -> None:
    board = begun(clock=QUICK)
    away = replace(board, pauses=(Pause(ANN, AT, VACATION, AT + 30 * DAY),))
    assert clock_at(away, course_of(away)) == AT + 37 * DAY
    for why in ("robot", "frozen", "unreachable"):
        stands = replace(board, pauses=(Pause(ANN, AT, why),))
        assert clock_at(stands, course_of(stands)) is None
