"""Boards of four players, and what happens at them hour by hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import follow
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from pbem.ids import BoardNumber, PlayerId

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALICE, BOB = SeatHolder(PlayerId(1), "alice"), SeatHolder(PlayerId(2), "bob")
EMPTY = Board(BoardNumber(101), "superbo", {}, 1, 0, (ALICE, BOB), START)
TURNS = ["B3", "C4,K5", "G2,H7", "D8,R10", "A7,V6"]
"""A game that the first seat wins with its last turn."""

CAROL, DAVE = SeatHolder(PlayerId(3), "carol"), SeatHolder(PlayerId(4), "dave")
FOUR = replace(EMPTY, game="mamba", options={"inorder": True}, seats=(ALICE, BOB, CAROL, DAVE))


def passing(board: Board, *seats: int) -> Board:
    """The board of Mamba after these seats have passed, an hour each."""
    for seat in seats:
        board = board.with_event(EventKind.MOVE, seat, board.last_at + HOUR, {"input": "pass"})
    return board


def time_used(board: Board) -> tuple[timedelta, ...]:
    return follow(board, MAMBA if board.game == "mamba" else SUPERBO).time_used(board)


def after(*turns: str, every: timedelta = HOUR) -> Board:
    board, position = EMPTY, SUPERBO.begin({}, 2)
    for ply, turn in enumerate(turns, start=1):
        seat = position.to_act
        assert seat is not None
        played = SUPERBO.read_input(position, turn)
        record = SUPERBO.input_record(position, played.steps)
        board, position = board.with_event(EventKind.MOVE, seat, START + ply * every, record), played.position
    return board
