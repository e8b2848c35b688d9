"""Rows of boards: their columns, their events, and the statements of lists."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple

import structlog
from sqlalchemy import (
    ColumnClause,
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    insert,
    literal,
    literal_column,
    select,
    tuple_,
    union_all,
    update,
)

from pbem.commands.command import Which
from pbem.domain.boards import Board, Plan, SeatHolder, SubmittedMove, TournamentPlace
from pbem.domain.events import Event, EventKind
from pbem.domain.game_state import GameState
from pbem.domain.vacations import Pause
from pbem.domain.waits import clock_at
from pbem.errors import Unreadable
from pbem.games.plans import Branch, one_line, read_branches
from pbem.ids import BoardNumber, PlayerId, TournamentId
from pbem.storage.clocks import clock_of, clock_values
from pbem.storage.counters import COUNTED, FINISHED, PLAYED, Counted, counted
from pbem.storage.models import BoardRow, EventRow, PauseRow, PlayerRow, SeatRow, TournamentRow
from pbem.storage.prepared import Prepared, rows_together

log = structlog.get_logger()

OF_TOURNAMENTS: Mapping[Which, bool] = {"tournament": True, "standard": False}
"""Kinds of active boards, and whether they belong to tournaments."""


class Wanted(NamedTuple):
    """Which boards are to be on a list."""

    players: Sequence[PlayerId] | None
    """Of whom; None: of everybody."""
    which: Which
    game: str | None
    """Of which game; None: of any."""
    ended_since: datetime | None
    """Those that ended earlier are not wanted."""
    with_guests: bool = False
    """Those of guests are wanted, too; of everybody's boards they never are."""


def listed_numbers(wanted: Wanted, most: int, skipped: int, behind: int) -> Select[int]:
    """The query for the numbers of the boards wanted: lowest first, or last ended first if all are over.

    Args:
        wanted: the boards.
        most: the most to find.
        skipped: the number of boards to leave out before them.
        behind: only boards after the one with this number; 0: all.
    """
    if wanted.which == "inactive":
        return _last_to_end(wanted, behind).limit(most).offset(skipped)
    kinds, number = _by_number(wanted)
    behind_it = [each.where(*_common(wanted)).where(number > behind) for each in kinds]
    if len(behind_it) == 1:
        return behind_it[0].limit(most).offset(skipped)
    lowest = (each.limit(skipped + most).subquery() for each in behind_it)
    found = union_all(*map(select, lowest)).subquery()
    return select(found.c.number).order_by(found.c.number).limit(most).offset(skipped)


def _common(wanted: Wanted) -> list[ColumnElement[bool]]:
    """The condition that all boards on the list meet."""
    conditions: list[ColumnElement[bool]] = []
    if wanted.game is not None:
        conditions.append(BoardRow.game == wanted.game)
    if wanted.which in OF_TOURNAMENTS:
        is_in_one = OF_TOURNAMENTS[wanted.which]
        # nearly all boards are in none: no index is to lead to those
        conditions.append(BoardRow.tournament_id.is_not(None) if is_in_one else BoardRow.tournament_round.is_(None))
    return conditions


def _last_to_end(wanted: Wanted, behind: int) -> Select[Any]:
    """The boards that are over, in the order of the index that leads to them."""
    over, number, finished_at = _over(wanted)
    if behind:
        ended = select(BoardRow.finished_at).where(BoardRow.number == behind).scalar_subquery()
        over = over.where(tuple_(finished_at, number) < tuple_(ended, literal(behind)))
    return over.where(*_common(wanted)).order_by(finished_at.desc(), number.desc())


def _by_number(wanted: Wanted) -> tuple[list[Select[Any]], Any]:
    """The boards that are on, and those that are over if they are wanted; each kind stands in an index of its own."""
    on, number = _on(wanted)
    kinds = [on.order_by(number)]
    if wanted.which == "all":
        # a sum leads to those that have ended lately: their numbers would lead past all others
        kinds.append(_over(wanted)[0].order_by(number + literal_column("0")))
    return kinds, number


def _on(wanted: Wanted) -> tuple[Select[Any], Any]:
    """The boards that are on, and their numbers; the seats of players lead to theirs, one if several sit at a board."""
    if wanted.players is None:
        on = select(BoardRow.number).where(BoardRow.active)
        # those in tournaments have an index of their own, and no guest is there
        return on if wanted.which == "tournament" else on.where(~BoardRow.of_guest), BoardRow.number
    on = _of_players(wanted.players, with_guests=wanted.with_guests).where(SeatRow.active).distinct()
    if wanted.which == "next":
        on = on.where(SeatRow.seat == BoardRow.to_act)
    return on, SeatRow.board_number


def _over(wanted: Wanted) -> tuple[Select[Any], Any, Any]:
    """The boards that are over, or have ended lately, their numbers, and when they ended."""
    if wanted.players is None:
        over, number, finished_at = select(BoardRow.number).where(FINISHED), BoardRow.number, BoardRow.finished_at
    else:
        number, finished_at = SeatRow.board_number, SeatRow.finished_at
        over = _of_players(wanted.players, with_guests=wanted.with_guests)
        over = over.where(finished_at.is_not(None)).group_by(finished_at, number)
    return (over if wanted.ended_since is None else over.where(finished_at >= wanted.ended_since)), number, finished_at


def _of_players(players: Sequence[PlayerId], *, with_guests: bool) -> Select[Any]:
    number = SeatRow.board_number
    their = select(number.label("number")).join(BoardRow, BoardRow.number == number)
    return their.where(SeatRow.player_id.in_(players), PLAYED if with_guests else COUNTED)


class KeptEvents:
    """A cache: never the only copy of anything, safe to share between threads.

    Events are only ever added to a board, so those before one that is stored as it is kept are as they are kept.

    Args:
        size: how many events are kept, of all boards together.
    """

    def __init__(self, size: int = 5_000) -> None:
        self._size = size
        self._count = 0
        self._kept: OrderedDict[int, tuple[Event, ...]] = OrderedDict()
        self._lock = Lock()

    def of(self, board: int) -> tuple[Event, ...]:
        """The first events of a board, as far as they are known."""
        with self._lock:
            return self._kept.get(board, ())

    def keep(self, board: int, events: tuple[Event, ...]) -> None:
        """Know these events of a board, which were read."""
        with self._lock:
            self._count += len(events) - len(self._kept.pop(board, ()))
            self._kept[board] = events
            while self._count > self._size:
                _, forgotten = self._kept.popitem(last=False)
                self._count -= len(forgotten)


class _Queries(NamedTuple):
    """The queries for boards and their parts."""

    boards: Select[*tuple[Any, ...]]
    """With the names of their tournaments; a row for each pause, and one for a board that has none."""
    seats: Select[*tuple[Any, ...]]
    events: Select[*tuple[Any, ...]]


def _queries(are_meant: Callable[[ColumnClause[int]], ColumnElement[bool]]) -> _Queries:
    """The queries for the boards with the given numbers."""
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
            SeatRow.plan,
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


_BOARD, _SEATS, _ = map(Prepared, _queries(lambda number: number == bindparam("number")))
_SEVERAL = _queries(lambda number: number.in_(bindparam("numbers", expanding=True)))
_EVENTS_SINCE = Prepared(
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
        """The values of its row that have changed."""
        return {name: value for name, value in values.items() if value != getattr(self.row, name)}

    @property
    def counted(self) -> Counted | None:
        """The way in which it counts."""
        return counted(self.board, self.ending, self.finished_at)


def read_boards(connection: Connection, numbers: Sequence[int], kept: KeptEvents | None = None) -> list[StoredBoard]:
    """The boards with these numbers, lowest first; of one of them only those events that are not kept are read."""
    if not numbers:
        return []
    if len(numbers) == 1:
        boards, seats, events = _read_one(connection, numbers[0], KeptEvents() if kept is None else kept)
        happened = {numbers[0]: events}
    else:
        boards, seats, rows = (connection.execute(each, {"numbers": numbers}).all() for each in _SEVERAL)
        happened = {number: _events(each) for number, each in _grouped(rows, "board_number").items()}
    held = _grouped(seats, "board_number")
    found = _grouped(boards, "number")
    return [_stored(each, held[number], happened.get(number, ())) for number, each in found.items()]


def _read_one(
    connection: Connection, number: int, kept: KeptEvents
) -> tuple[Sequence[Row[Any]], Sequence[Row[Any]], tuple[Event, ...]]:
    """The rows of a board and its seats, and its events; if those kept do not go on from there all are read."""
    this, known = {"number": number}, kept.of(number)
    since = {"board": number, "since": known[-1].number if known else 1}
    boards, seats, later = rows_together(connection, (_BOARD, this), (_SEATS, this), (_EVENTS_SINCE, since))
    events = _events(later)
    if known and events[:1] == known[-1:]:
        events = known + events[1:]
    elif known:
        events = _events(_EVENTS_SINCE.rows(connection, {"board": number, "since": 1}))
    kept.keep(number, events)
    return boards, seats, events


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
        of_guest=row.of_guest,
        revision=row.revision,
    )
    return StoredBoard(board, row.active, row.ending, row.finished_at, row)


def _place(row: Row[Any]) -> TournamentPlace:
    """The place of a board in its tournament."""
    return TournamentPlace(
        TournamentId(row.tournament_id), row.tournament, int(row.tournament_round), row.tournament_label
    )


def _holder(row: Row[Any]) -> SeatHolder:
    """The holder of a seat."""
    return SeatHolder(
        PlayerId(row.player_id),
        row.userid,
        row.resigning,
        row.quiet,
        _plan(row),
        None if row.submitted is None else SubmittedMove(row.submitted["text"], row.submitted["event"]),
        () if row.plan is None else tuple(row.plan.get("dropped", ())),
    )


def _plan(row: Row[Any]) -> Plan | None:
    """The plan of a seat; one of a single move has a column of its own, which older versions know, too.

    One that cannot be read counts as none: the game goes on, and nobody else learns its words.
    """
    if row.queued is not None:
        return Plan((Branch("", row.queued["text"]),), row.queued["moveno"], row.queued["event"])
    try:
        if row.plan is None or "branches" not in row.plan:
            return None
        return Plan(read_branches(row.plan["branches"]), row.plan.get("moveno"), row.plan["event"])
    except Unreadable as wrong:
        log.error("plan left out", userid=row.userid, error=type(wrong).__name__)  # noqa: TRY400 - it may show words
        return None


def _plan_values(holder: SeatHolder) -> dict[str, Any]:
    plan, values = holder.plan, dict[str, Any](queued=None, plan=None)
    if plan is not None and plan.queued:
        values["queued"] = {"text": plan.queued, "moveno": plan.moveno, "event": plan.event}
    elif plan is not None:
        values["plan"] = {"branches": one_line(plan.branches), "moveno": plan.moveno, "event": plan.event}
    elif holder.dropped:
        values["plan"] = {"dropped": list(holder.dropped)}
    return values


_NO_PAUSES = delete(PauseRow).where(PauseRow.board_number == bindparam("board"))
_NO_SEATS = delete(SeatRow).where(SeatRow.board_number == bindparam("board"))
_WRITE_SEAT = update(SeatRow).where(SeatRow.board_number == bindparam("board"), SeatRow.seat == bindparam("place"))


def begun_values(board: Board) -> dict[str, Any]:
    """The values of a board that are known from its beginning."""
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


def derived_values(board: Board, course: GameState, fingerprint: str | None) -> dict[str, Any]:
    """The values kept beside the events only for searching."""
    return {
        "revision": board.revision + 1,
        "first": board.first,
        "nagged_at": board.nagged_at,
        "forfeit_at": board.forfeit_at,
        "answer_nagged_at": board.answer_nagged_at,
        "answer_by": board.answer_by,
        "clock_at": clock_at(board, course),
        "fingerprint": fingerprint,
        "of_guest": board.of_guest,
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
            **_plan_values(holder),
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
