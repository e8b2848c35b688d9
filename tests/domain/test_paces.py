"""The median time per move."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.ratings import move_times, pace
from pbem.domain.vacations import Pause
from pbem.ids import BoardNumber, PlayerId

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALICE, BOB, CAROL, DAVE = (SeatHolder(PlayerId(i), name) for i, name in enumerate(("alice", "bob", "carol", "dave"), 1))
EMPTY = Board(BoardNumber(101), "superbo", {}, 1, 0, (ALICE, BOB), START)
THREE = replace(EMPTY, game="mamba", seats=(ALICE, BOB, CAROL))


def moment(hours: int) -> datetime:
    return START + hours * HOUR


def moved(board: Board, *moves: tuple[int, int]) -> Board:
    """The board after moves, each by its seat and its hour."""
    for seat, hours in moves:
        board = board.with_event(EventKind.MOVE, seat, moment(hours), {})
    return board


def hours(board: Board, who: SeatHolder = BOB) -> list[int]:
    """A player's time per move, oldest first."""
    return [time // HOUR for time in move_times(board, who.player)][::-1]


def test_a_move_takes_as_long_as_the_move_before_it_is_ago() -> None:
    board = moved(EMPTY, (0, 3), (1, 4), (0, 10), (1, 30))
    assert hours(board, ALICE) == [3, 6]
    assert hours(board, BOB) == [1, 20]
    assert hours(board, CAROL) == []


def test_pauses_are_not_counted() -> None:
    paused = replace(moved(EMPTY, (0, 1), (1, 21)), pauses=(Pause(ALICE.player, moment(2), "unreachable", moment(12)),))
    assert hours(paused) == [10]


def test_the_vacation_of_a_player_is_his_alone() -> None:
    board = moved(EMPTY, (0, 11), (1, 22))
    away = replace(board, pauses=(Pause(ALICE.player, moment(1), "vacation", moment(21)),))
    assert (hours(away, ALICE), hours(away, BOB)) == ([1], [11])


def test_talk_takes_nobodys_time_and_what_was_taken_back_does_not_count() -> None:
    board = moved(EMPTY, (0, 1), (1, 3)).with_event(EventKind.OFFER, 1, moment(4), {"of": "undo", "back_to": 1})
    refused = moved(board.with_event(EventKind.REFUSAL, 0, moment(6)), (0, 9))
    assert hours(refused, ALICE) == [1, 4]
    undone = moved(board.with_event(EventKind.UNDO, 0, moment(6), {"back_to": 1}), (1, 10), (0, 11))
    assert (hours(undone, BOB), hours(undone, ALICE)) == ([4], [1, 1])


def test_who_leaves_hands_the_turn_on() -> None:
    board = moved(THREE, (0, 1)).with_event(EventKind.RESIGNATION, 1, moment(8))
    assert hours(moved(board, (2, 10)), CAROL) == [2]


@pytest.mark.parametrize("record", [None, BY_OPERATOR])
def test_a_forfeit_hands_the_turn_on_too_whoever_decided_on_it(record: dict[str, str] | None) -> None:
    board = moved(THREE, (0, 1)).with_event(EventKind.FORFEIT, 1, moment(8), record)
    assert hours(moved(board, (2, 10)), CAROL) == [2]


def test_who_has_been_given_a_seat_begins_with_nothing() -> None:
    board = moved(EMPTY, (0, 1), (1, 7), (0, 8)).with_handover(1, DAVE, moment(20))
    after = moved(board, (1, 23), (0, 24))
    assert hours(after, DAVE) == [3]
    assert hours(after, ALICE) == [1, 1, 1]
    assert hours(after, BOB) == []


def test_a_seat_handed_over_out_of_turn_delays_nobody() -> None:
    board = moved(EMPTY, (0, 1)).with_handover(0, DAVE, moment(3))
    assert hours(moved(board, (1, 6)), BOB) == [5]


def test_a_game_that_has_begun_anew_counts_from_there() -> None:
    board = moved(THREE, (0, 5)).with_decline(BOB.player, moment(9), restarts=True)
    assert hours(moved(board, (0, 11), (1, 14)), ALICE) == [2]
    assert hours(moved(board, (0, 11), (1, 14)), CAROL) == [3]


def test_moves_that_came_with_an_imported_game_tell_nothing() -> None:
    assert hours(moved(EMPTY, (0, 0), (1, 0), (0, 4), (1, 6))) == [2]


def test_a_game_against_oneself_keeps_nobody_waiting() -> None:
    board = moved(replace(EMPTY, seats=(ALICE, ALICE)), (0, 1), (1, 2))
    assert hours(board, ALICE) == []


def test_the_pace_is_the_median_of_all_moves() -> None:
    one = moved(EMPTY, (0, 0), (1, 1), (0, 2), (1, 4))
    other = moved(EMPTY, (0, 0), (1, 50))
    assert pace([one, other], BOB.player) == 2 * HOUR
    assert pace([one], BOB.player) == timedelta(hours=1, minutes=30)
    assert pace([], BOB.player) is None
    assert pace([EMPTY], BOB.player) is None


def test_only_the_last_boards_and_moves_count() -> None:
    slow, fast = moved(EMPTY, (0, 1), (1, 9)), moved(EMPTY, (0, 1), (1, 2))
    assert pace([*[fast] * 10, *[slow] * 10], BOB.player) == timedelta(hours=4, minutes=30)
    assert pace([*[fast] * 10, *[slow] * 10, *[fast] * 10], BOB.player) == timedelta(hours=4, minutes=30)
    moves = [(seat, 3 * turn + seat) for turn in range(1, 202) for seat in (0, 1)]
    assert pace([moved(slow, *moves), slow, slow], BOB.player) == HOUR
    assert pace([moved(slow, *moves[:4]), *[slow] * 6], BOB.player) == 8 * HOUR
