"""Boards ↔ rows."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pbem.domain.boards import Board, QueuedMove, SeatHolder, SubmittedMove, TournamentPlace
from pbem.domain.clocks import Pause
from pbem.domain.events import Event, EventKind
from pbem.ids import BoardNumber, PlayerId, TournamentId
from pbem.storage.clocks import clock_of, clock_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Row


def grouped(rows: Sequence[Any]) -> dict[int, list[Row[Any]]]:
    """Rows by the number of their board."""
    grouped: dict[int, list[Row[Any]]] = {}
    for row in rows:
        grouped.setdefault(row.board_number, []).append(row)
    return grouped


def board_of(
    row: Row[Any],
    seats: Sequence[Row[Any]],
    events: Sequence[Row[Any]],
    pauses: Sequence[Row[Any]],
    tournament: str,
) -> Board:
    """A board, of the rows about it."""
    options: Mapping[str, Any] = row.options
    return Board(
        number=BoardNumber(row.number),
        game=row.game,
        options=options,
        rules=row.rules,
        first=row.first,
        seats=tuple(holder_of(each) for each in seats),
        begun_at=row.begun_at,
        rated=row.rated,
        events=tuple(Event(each.number, EventKind(each.kind), each.seat, each.at, each.record) for each in events),
        pauses=tuple(Pause(PlayerId(each.player_id), each.began_at, each.why, each.ended_at) for each in pauses),
        clock=clock_of(row.clock),
        nagged_at=row.nagged_at,
        forfeit_at=row.forfeit_at,
        answer_nagged_at=row.answer_nagged_at,
        answer_by=row.answer_by,
        pair=None if row.pair is None else BoardNumber(row.pair),
        tournament=None
        if row.tournament_id is None
        else TournamentPlace(TournamentId(row.tournament_id), tournament, row.tournament_round, row.tournament_label),
        revision=row.revision,
    )


def holder_of(row: Row[Any]) -> SeatHolder:
    """Who holds a seat."""
    return SeatHolder(
        PlayerId(row.player_id),
        row.userid,
        row.resigning,
        row.quiet,
        None if row.queued is None else QueuedMove(**row.queued),
        None if row.submitted is None else SubmittedMove(row.submitted["text"], row.submitted["event"]),
    )


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


def seat_values(board: Board, active: bool) -> list[dict[str, Any]]:
    """The rows of a board's seats."""
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
            "active": active,
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
