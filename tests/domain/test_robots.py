"""The tasks that boards give computer opponents, and that no clock runs against them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.domain.administration import OnlyRobotsStay, obstacle
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind
from pbem.domain.robots import TaskKind, errands
from pbem.domain.vacations import ROBOT
from pbem.domain.waits import clock_at, time_used
from pbem.games.mamba.game import MAMBA
from pbem.ids import PlayerId
from tests.domain.mamba_boards import DAY, HOUR, begun, course_of, later, played
from tests.storage.stock import AT

ALICE, ROBOTS = PlayerId(1), (PlayerId(2), PlayerId(3))


def against_robots(clock: ClockRules = ClockRules()) -> Board:  # noqa: B008 - it is frozen
    """A game of a person, who begins, and two robots, on which no clock waits."""
    board = begun(3, clock)
    seats = (board.seats[0], SeatHolder(ROBOTS[0], "robot1"), SeatHolder(ROBOTS[1], "Robot4"))
    board = replace(board, seats=seats)
    for robot in ROBOTS:
        board = board.with_pause(robot, ROBOT, board.begun_at)
    return board


def asked(board: Board) -> list[tuple[str, TaskKind]]:
    return [(each.userid, each.kind) for each in errands(board, course_of(board))]


def test_a_board_asks_the_robot_that_is_to_act_and_all_that_have_not_answered_an_offer() -> None:
    board = against_robots()
    assert asked(board) == []
    board = played(board, "move c4-e4")
    assert asked(board) == [("robot1", TaskKind.ACT)]
    board = later(board, EventKind.OFFER, 0, {"of": "draw"})
    assert asked(board) == [("robot1", TaskKind.DRAW), ("Robot4", TaskKind.DRAW)]
    board = later(board, EventKind.CONSENT, 1)
    assert asked(board) == [("Robot4", TaskKind.DRAW)]
    board = later(board, EventKind.REFUSAL, 2)
    assert asked(board) == [("robot1", TaskKind.ACT)]
    assert asked(later(board, EventKind.ANNULMENT, 0)) == []


def test_robots_have_no_clock_and_the_others_keep_theirs() -> None:
    board = against_robots(ClockRules(total=2 * DAY))
    assert clock_at(board, course_of(board)) is not None
    assert not board.stands
    board = played(board, "move c4-e4")
    assert clock_at(board, course_of(board)) is None
    board = replace(board, clock=ClockRules())
    offered = later(board, EventKind.OFFER, 0, {"of": "draw"})
    assert clock_at(offered, course_of(offered)) is None
    board = played(board, "move d8-c9", "move i6-i5")
    now = board.last_at + 5 * HOUR
    assert time_used(board, course_of(board), now) == (HOUR + 5 * HOUR, timedelta(0), timedelta(0))
    assert board.begun_at == AT


def test_no_game_begins_anew_among_robots_alone() -> None:
    assert isinstance(obstacle(against_robots(), MAMBA, ALICE), OnlyRobotsStay)
    assert obstacle(against_robots(), MAMBA, ROBOTS[0]) is None
