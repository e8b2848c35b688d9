"""Counting boards one by one, to check the counts that are kept, or to fill a database made by hand."""

from __future__ import annotations

import importlib.util
from collections import Counter
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, or_, select, text, update

from pbem import folder
from pbem.domain.boards import Board
from pbem.domain.events import BY_OPERATOR, Event, EventKind
from pbem.storage.board_rows import read_boards
from pbem.storage.engine import writing
from pbem.storage.models import BoardRow, PlayedRow, RatingRow, SeatRow, TallyRow

_SUMS = [func.sum(each) for each in (TallyRow.active, TallyRow.finished, TallyRow.players)]
_HAD_ANY = or_(PlayedRow.active > 0, PlayedRow.finished > 0)
_KEPT = {
    "played": select(*PlayedRow.__table__.c).where(_HAD_ANY).order_by(PlayedRow.player_id, PlayedRow.game),
    "tallies": select(TallyRow.game, *_SUMS).group_by(TallyRow.game).order_by(TallyRow.game),
    "seats": select(SeatRow.board_number, SeatRow.seat, SeatRow.finished_at).order_by(
        SeatRow.board_number, SeatRow.seat
    ),
    "ratings": select(RatingRow.player_id, RatingRow.game, RatingRow.here, RatingRow.idle_since).order_by(
        RatingRow.player_id, RatingRow.game
    ),
}


@cache
def _migration() -> Any:
    """The one that has counted first."""
    file = folder("migrations") / "versions" / "0009_tallies.py"
    spec = importlib.util.spec_from_file_location("counting", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(connection: Connection) -> dict[str, list[Any]]:
    """The counts that are kept, by subject; a player without boards is left out."""
    return {name: [tuple(row) for row in connection.execute(query)] for name, query in _KEPT.items()}


def recount(connection: Connection) -> None:
    """Forget what is kept, and count every board."""
    for row in (PlayedRow, TallyRow):
        connection.execute(delete(row))
    connection.execute(update(SeatRow).values(finished_at=None))
    connection.execute(update(RatingRow).values(idle_since=None, here=True))
    _migration().count_all(connection)
    for (player, game), boards in _unanswered(connection).items():
        mine = (PlayedRow.player_id == player, PlayedRow.game == game)
        connection.execute(update(PlayedRow).where(*mine).values(forfeits=PlayedRow.forfeits - boards))


def count_played(connection: Connection) -> None:
    """Count the boards of players and games where nothing is kept yet, no board was forfeited, and seats are right."""
    for row in (PlayedRow, TallyRow):
        connection.execute(delete(row))
    counting = _migration()
    for statement in (counting._PLAYED, counting._TALLIES, counting._IDLE):
        connection.execute(text(statement))


def _unanswered(connection: Connection) -> Counter[tuple[int, str]]:
    """The number of games that each player has forfeited without ever moving there, unknown to the migration."""
    numbers = connection.scalars(select(BoardRow.number).where(BoardRow.active.is_(False))).all()
    found = [each for each in read_boards(connection, numbers) if each.ending not in ("declined", "annulled")]
    boards = [each.board for each in found if each.board.tournament is None]
    return Counter(
        (player, board.game)
        for board in boards
        for player in {board.seats[event.seat].player for event in board.events if _counts(board, event)}
        if not board.has_answered(player)
    )


def _counts(board: Board, event: Event) -> bool:
    return event.kind is EventKind.FORFEIT and event.record != BY_OPERATOR and event.seat < len(board.seats)


def kept_and_counted(engine: Engine) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The counts that are kept, and the right ones; afterwards those are kept."""
    with writing(engine) as connection:
        before = kept(connection)
        recount(connection)
        return before, kept(connection)
