"""Boards as they are written: the values of their rows, and of those of their seats, events and pauses."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, update

from pbem.domain.boards import Board
from pbem.domain.courses import Course
from pbem.domain.events import Event
from pbem.domain.fingerprints import fingerprint
from pbem.domain.waits import clock_at
from pbem.storage.board_rows import StoredBoard
from pbem.storage.clocks import clock_values
from pbem.storage.models import PauseRow, SeatRow

_NO_PAUSES = delete(PauseRow).where(PauseRow.board_number == bindparam("board"))
_NO_SEATS = delete(SeatRow).where(SeatRow.board_number == bindparam("board"))
_WRITE_SEAT = update(SeatRow).where(SeatRow.board_number == bindparam("board"), SeatRow.seat == bindparam("place"))


def begun_values(board: Board) -> dict[str, Any]:
    """What is known of a board from its beginning."""
    return {
        "game": board.game,
        "options": dict(board.options),
        "rules": board.rules,
        "begun_at": board.begun_at,
        "rated": board.rated,
        "clock": clock_values(board.clock),
        "pair": board.pair,
        "tournament_id": board.tournament and board.tournament.tournament,
        "tournament_round": board.tournament and board.tournament.round,
        "tournament_label": board.tournament and board.tournament.label,
    }


def derived_values(board: Board, course: Course) -> dict[str, Any]:
    """What is kept beside the events only to be searched."""
    return {
        "revision": board.revision + 1,
        "first": board.first,
        "nagged_at": board.nagged_at,
        "forfeit_at": board.forfeit_at,
        "answer_nagged_at": board.answer_nagged_at,
        "answer_by": board.answer_by,
        "clock_at": clock_at(board, course),
        "fingerprint": None if course.result else fingerprint(course.position),
        "event_number": board.event_number,
        "to_act": course.to_act,
        "active": course.result is None,
        "ending": course.result and course.result.ending.value,
        "winners": course.result and list(course.result.winners),
        "finished_at": None if course.result is None else board.last_at,
    }


def seat_values(board: Board, finished_at: datetime | None) -> list[dict[str, Any]]:
    """The rows of a board's seats."""
    held = [holder.player for holder in board.seats]
    return [
        {
            "board_number": board.number,
            "seat": seat,
            "player_id": holder.player,
            "resigning": holder.resigning,
            "quiet": holder.quiet,
            "queued": None if holder.queued is None else asdict(holder.queued),
            "submitted": None
            if holder.submitted is None
            else {"text": holder.submitted.text, "event": holder.submitted.event},
            "active": finished_at is None,
            "finished_at": None if holder.player in held[:seat] else finished_at,
        }
        for seat, holder in enumerate(board.seats)
    ]


def event_values(board: Board, event: Event) -> dict[str, Any]:
    """The row of an event."""
    return {
        "board_number": board.number,
        "number": event.number,
        "kind": event.kind.value,
        "seat": event.seat,
        "at": event.at,
        "record": event.record,
    }


def write_pauses(connection: Connection, board: Board) -> None:
    """Write the pauses of a board anew; hardly any board has one."""
    connection.execute(_NO_PAUSES, {"board": board.number})
    rows = [
        {
            "board_number": board.number,
            "player_id": each.player,
            "began_at": each.began_at,
            "ended_at": each.ended_at,
            "ends_by": each.ends_by,
            "why": each.why,
        }
        for each in board.pauses
    ]
    if rows:
        connection.execute(insert(PauseRow), rows)


def write_changed_seats(
    connection: Connection, before: StoredBoard, board: Board, finished_at: datetime | None
) -> None:
    """Write who holds the seats of a stored board, and its pauses, as far as that has changed."""
    if before.board.pauses or board.pauses:
        write_pauses(connection, board)
    if board.restarted > before.board.event_number:  # there may be fewer now
        connection.execute(_NO_SEATS, {"board": board.number})
        connection.execute(insert(SeatRow), seat_values(board, finished_at))
    elif before.board.seats != board.seats or before.finished_at != finished_at:
        for seat in seat_values(board, finished_at):
            connection.execute(_WRITE_SEAT, {**seat, "board": board.number, "place": seat["seat"]})
