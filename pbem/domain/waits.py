"""What a board waits for, as its clock sees it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.domain.clocks import Wait, next_look, standing_for

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.domain.boards import Board
    from pbem.domain.courses import Course
    from pbem.ids import PlayerId


def waiting(board: Board, course: Course) -> Wait | None:
    """What the board waits for; None once it is over."""
    if course.to_act is None:
        return None
    player = board.seats[course.to_act].player
    return Wait(
        board.clock,
        course.waiting_since(board),
        pauses=standing_for(player, board.pauses),
        used=timedelta(0) if board.clock.total is None else course.used_before(board, course.to_act),
        nagged_at=board.nagged_at,
        forfeit_at=board.forfeit_at,
    )


def waited_for(board: Board, course: Course) -> tuple[PlayerId, ...]:
    """The players who are waited for, each once: who is to act, or all who have to answer."""
    seats = () if course.to_act is None else (course.to_act,)
    return tuple(dict.fromkeys(board.seats[seat].player for seat in seats))


def clock_at(board: Board, course: Course) -> datetime | None:
    """When the clock of a board must be looked at next, if nothing happens there before; None: not until then."""
    wait = waiting(board, course)
    return None if wait is None else next_look(wait)


def total_left(board: Board, course: Course, now: datetime) -> tuple[timedelta, ...]:
    """What is left to the holder of each seat of his total time; empty if there is none."""
    if board.clock.total is None:
        return ()
    return tuple(max(board.clock.total - used, timedelta(0)) for used in time_used(board, course, now))


def time_used(board: Board, course: Course, now: datetime) -> tuple[timedelta, ...]:
    """How long the holder of each seat has kept the others waiting up to now."""
    used = list(course.time_used(board))
    wait = waiting(board, course)
    if wait is not None and course.to_act is not None:
        used[course.to_act] = course.used_before(board, course.to_act) + wait.lasted(now)
    return tuple(used)
