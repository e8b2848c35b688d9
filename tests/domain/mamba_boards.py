"""Boards of Mamba at which something happens every hour."""

from __future__ import annotations

from datetime import timedelta

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, follow
from pbem.games.game import Seat, TurnRecord
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.ids import BoardNumber, PlayerId
from tests.storage.stock import AT

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def begun(players: int = 2, clock: ClockRules = ClockRules()) -> Board:  # noqa: B008 - it is frozen
    seats = tuple(SeatHolder(PlayerId(number), f"p{number}") for number in range(1, players + 1))
    return Board(BoardNumber(101), "mamba", {}, MAMBA.rules, 0, seats, AT, clock=clock)


def course_of(board: Board) -> GameState:
    return follow(board, MAMBA)


def played(board: Board, *lines: str) -> Board:
    """The board after some lines, an hour each."""
    for line in lines:
        course = course_of(board)
        position = course.position
        assert isinstance(position, Position)
        assert course.to_act is not None
        record = MAMBA.input_record(position, MAMBA.read_input(position, line).steps)
        board = board.with_event(EventKind.MOVE, course.to_act, board.last_at + HOUR, record)
    return board


def later(board: Board, kind: EventKind, seat: Seat, record: TurnRecord | None = None) -> Board:
    """The board after something has happened, an hour later."""
    return board.with_event(kind, seat, board.last_at + HOUR, record)
