"""Boards as they are read: of their own rows, and those of their seats, events and pauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, select
from sqlalchemy.orm import InstrumentedAttribute

from pbem.domain.boards import Board, QueuedMove, SeatHolder, SubmittedMove, TournamentPlace
from pbem.domain.events import Event, EventKind
from pbem.domain.pauses import Pause
from pbem.ids import BoardNumber, PlayerId, TournamentId
from pbem.storage.clocks import clock_of
from pbem.storage.kept_events import KeptEvents
from pbem.storage.models import BoardRow, EventRow, PauseRow, PlayerRow, SeatRow, TournamentRow
from pbem.storage.tallies import Counted, counted


class _Queries(NamedTuple):
    """What finds boards, and what belongs to them."""

    boards: Select[*tuple[Any, ...]]
    """With the names of their tournaments; a row for each pause, and one for a board that has none."""
    seats: Select[*tuple[Any, ...]]
    events: Select[*tuple[Any, ...]]


def _queries(are_meant: Callable[[InstrumentedAttribute[int]], ColumnElement[bool]]) -> _Queries:
    """What finds the boards whose numbers are meant."""
    boards = (
        select(
            *BoardRow.__table__.c,
            TournamentRow.name.label("tournament"),
            PauseRow.player_id,
            PauseRow.began_at,
            PauseRow.ended_at,
            PauseRow.ends_by,
            PauseRow.why,
        )
        .join_from(BoardRow, PauseRow, PauseRow.board_number == BoardRow.number, isouter=True)
        .join(TournamentRow, TournamentRow.id == BoardRow.tournament_id, isouter=True)
        .order_by(BoardRow.number, PauseRow.began_at)
    )
    seats = (
        select(
            SeatRow.board_number,
            SeatRow.player_id,
            PlayerRow.userid,
            SeatRow.resigning,
            SeatRow.quiet,
            SeatRow.queued,
            SeatRow.submitted,
        )
        .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
        .order_by(SeatRow.board_number, SeatRow.seat)
    )
    events = select(*EventRow.__table__.c).order_by(EventRow.board_number, EventRow.number)
    return _Queries(
        boards.where(are_meant(BoardRow.number)),
        seats.where(are_meant(SeatRow.board_number)),
        events.where(are_meant(EventRow.board_number)),
    )


_ONE = _queries(lambda number: number == bindparam("number"))
_SEVERAL = _queries(lambda number: number.in_(bindparam("numbers", expanding=True)))
_EVENTS_SINCE = (
    select(*EventRow.__table__.c)
    .where(EventRow.board_number == bindparam("board"), EventRow.number >= bindparam("since"))
    .order_by(EventRow.number)
)


class StoredBoard(NamedTuple):
    """A board as it was read."""

    board: Board
    active: bool
    ending: str | None
    finished_at: datetime | None
    row: Row[Any]

    def changes(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What of some values of its row is other than it was."""
        return {name: value for name, value in values.items() if value != getattr(self.row, name)}

    @property
    def counted(self) -> Counted | None:
        """How it counts."""
        return counted(self.board, self.ending, self.finished_at)


def read_boards(connection: Connection, numbers: Sequence[int], kept: KeptEvents | None = None) -> list[StoredBoard]:
    """The boards with these numbers, lowest first; of one of them only those events that are not kept are read."""
    if not numbers:
        return []
    queries, which = (_ONE, {"number": numbers[0]}) if len(numbers) == 1 else (_SEVERAL, {"numbers": numbers})
    found = _grouped(connection.execute(queries.boards, which), "number")
    held = _grouped(connection.execute(queries.seats, which), "board_number")
    if kept is not None and len(numbers) == 1:
        happened = {numbers[0]: _with_kept(connection, numbers[0], kept)}
    else:
        rows = _grouped(connection.execute(queries.events, which), "board_number")
        happened = {number: _events(each) for number, each in rows.items()}
    return [_stored(each, held[number], happened.get(number, ())) for number, each in found.items()]


def _with_kept(connection: Connection, number: int, kept: KeptEvents) -> tuple[Event, ...]:
    """The events of a board, of which some are kept; where they do not go on from there all are read."""
    known = kept.of(number)
    since = known[-1].number if known else 1
    found = _events(connection.execute(_EVENTS_SINCE, {"board": number, "since": since}))
    if known and found[:1] == known[-1:]:
        found = known + found[1:]
    elif known:
        found = _events(connection.execute(_EVENTS_SINCE, {"board": number, "since": 1}))
    kept.keep(number, found)
    return found


def _events(rows: Iterable[Row[Any]]) -> tuple[Event, ...]:
    return tuple(Event(each.number, EventKind(each.kind), each.seat, each.at, each.record) for each in rows)


def _grouped(rows: Iterable[Row[Any]], number: str) -> dict[int, list[Row[Any]]]:
    """Rows by the number of the board that they belong to, of which this is the name."""
    grouped: dict[int, list[Row[Any]]] = {}
    for row in rows:
        grouped.setdefault(getattr(row, number), []).append(row)
    return grouped


def _stored(rows: Sequence[Row[Any]], seats: Sequence[Row[Any]], events: tuple[Event, ...]) -> StoredBoard:
    """A board, of the rows about it."""
    row = rows[0]
    board = Board(
        number=BoardNumber(row.number),
        game=row.game,
        options=row.options,
        rules=row.rules,
        first=row.first,
        seats=tuple(_holder(each) for each in seats),
        begun_at=row.begun_at,
        rated=row.rated,
        events=events,
        pauses=tuple(
            Pause(PlayerId(each.player_id), each.began_at, each.why, each.ended_at, each.ends_by)
            for each in rows
            if each.began_at is not None
        ),
        clock=clock_of(row.clock),
        nagged_at=row.nagged_at,
        forfeit_at=row.forfeit_at,
        answer_nagged_at=row.answer_nagged_at,
        answer_by=row.answer_by,
        pair=None if row.pair is None else BoardNumber(row.pair),
        tournament=None if row.tournament_id is None else _place(row),
        revision=row.revision,
    )
    return StoredBoard(board, row.active, row.ending, row.finished_at, row)


def _place(row: Row[Any]) -> TournamentPlace:
    """Where in its tournament a board is played."""
    return TournamentPlace(
        TournamentId(row.tournament_id), row.tournament, int(row.tournament_round), row.tournament_label
    )


def _holder(row: Row[Any]) -> SeatHolder:
    """Who holds a seat."""
    return SeatHolder(
        PlayerId(row.player_id),
        row.userid,
        row.resigning,
        row.quiet,
        None if row.queued is None else QueuedMove(**row.queued),
        None if row.submitted is None else SubmittedMove(row.submitted["text"], row.submitted["event"]),
    )
