"""What is kept of boards beside their events, to be held against what the events lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, bindparam, distinct, exists, func, or_, select

from pbem.domain.boards import Board
from pbem.storage.board_rows import read_boards
from pbem.storage.engine import reading
from pbem.storage.models import BoardRow, PlayedRow, RatingChangeRow, SeatRow, TallyRow
from pbem.storage.tallies import PLAYED

_AT_ONCE = 100
"""Boards that are read at one moment."""
_NUMBERS = select(BoardRow.number).where(BoardRow.number > bindparam("last")).order_by(BoardRow.number).limit(_AT_ONCE)
_HAS_CHANGED_RATINGS = exists().where(
    RatingChangeRow.board_number == BoardRow.number, RatingChangeRow.undone_at.is_(None)
)
_KEPT = (
    select(
        BoardRow.event_number,
        BoardRow.to_act,
        BoardRow.active,
        BoardRow.ending,
        BoardRow.winners,
        BoardRow.finished_at,
        _HAS_CHANGED_RATINGS.label("has_changed_ratings"),
    )
    .where(BoardRow.number == bindparam("board"))
    .limit(1)
)
_OF_SEATS = (
    select(SeatRow.active, SeatRow.finished_at).where(SeatRow.board_number == bindparam("board")).order_by(SeatRow.seat)
)
_COUNT = func.count(distinct(BoardRow.number))
_BOARDS_OF = (
    select(SeatRow.player_id, BoardRow.game, BoardRow.active, _COUNT)
    .join(BoardRow, BoardRow.number == SeatRow.board_number)
    .where(PLAYED)
    .group_by(SeatRow.player_id, BoardRow.game, BoardRow.active)
)
_BOARDS_IN = select(BoardRow.game, BoardRow.active, _COUNT).where(PLAYED).group_by(BoardRow.game, BoardRow.active)
_COUNTED_OF = select(PlayedRow.player_id, PlayedRow.game, PlayedRow.active, PlayedRow.finished)
_COUNTED_IN = select(
    TallyRow.game, func.sum(TallyRow.active), func.sum(TallyRow.finished), func.sum(TallyRow.players)
).group_by(TallyRow.game)
_PLAYERS_IN = (
    select(PlayedRow.game, func.count())
    .where(or_(PlayedRow.active > 0, PlayedRow.finished > 0))
    .group_by(PlayedRow.game)
)


class Summary(NamedTuple):
    """Where a board stands, as it is kept beside its events."""

    event_number: int
    to_act: int | None
    active: bool
    ending: str | None
    winners: tuple[int, ...] | None
    finished_at: datetime | None


class Kept(NamedTuple):
    """A board, and what is kept beside its events."""

    board: Board
    summary: Summary
    seats: tuple[tuple[bool, datetime | None], ...]
    """By seat: whether its board is on, and when it ended."""
    has_changed_ratings: bool
    """Whether it has, and that was not taken back."""


class UnreadableBoard(NamedTuple):
    """A board of which something is stored that nobody would have written."""

    number: int
    why: Exception


def count_boards(engine: Engine) -> int:
    """How many boards there are."""
    with reading(engine) as connection:
        return connection.scalars(select(func.count()).select_from(BoardRow)).one()


def each_board(engine: Engine) -> Iterator[Kept | UnreadableBoard]:
    """Every board, lowest number first; some are read at a time, so that nobody has to wait."""
    last = 0
    while True:
        with reading(engine) as connection:
            numbers = connection.scalars(_NUMBERS, {"last": last}).all()
            kept = [_kept(connection, number) for number in numbers]
        yield from kept
        if not numbers:
            return
        last = numbers[-1]


def _kept(connection: Connection, number: int) -> Kept | UnreadableBoard:
    try:
        row = connection.execute(_KEPT, {"board": number}).one()
        seats = connection.execute(_OF_SEATS, {"board": number})
        (stored,) = read_boards(connection, [number])
        winners = None if row.winners is None else tuple(row.winners)
        summary = Summary(row.event_number, row.to_act, row.active, row.ending, winners, row.finished_at)
        ended = tuple((each.active, each.finished_at) for each in seats)
    except (AttributeError, LookupError, TypeError, ValueError) as failed:
        return UnreadableBoard(number, failed)
    return Kept(stored.board, summary, ended, row.has_changed_ratings)


def miscounted(engine: Engine) -> list[str]:
    """The games, and the players in games, whose boards are others than were counted as they began and ended."""
    with reading(engine) as connection:
        return sorted(_wrong(_games(connection)) | _wrong(_players(connection)))


def _wrong(counts: tuple[Counter[Any], Counter[Any]]) -> set[str]:
    counted, found = counts
    return {" ".join(map(str, key[:-1])) for key in counted.keys() | found.keys() if counted[key] != found[key]}


def _games(connection: Connection) -> tuple[Counter[Any], Counter[Any]]:
    counted, found = Counter[Any](), Counter[Any]()
    for game, active, finished, players in connection.execute(_COUNTED_IN):
        counted.update({(game, True): active, (game, False): finished, (game, "players"): players})
    for game, active, count in connection.execute(_BOARDS_IN):
        found[game, bool(active)] = count
    for game, count in connection.execute(_PLAYERS_IN):
        found[game, "players"] = count
    return counted, found


def _players(connection: Connection) -> tuple[Counter[Any], Counter[Any]]:
    counted, found = Counter[Any](), Counter[Any]()
    for player, game, active, finished in connection.execute(_COUNTED_OF):
        counted.update({("player", player, game, True): active, ("player", player, game, False): finished})
    for player, game, active, count in connection.execute(_BOARDS_OF):
        found["player", player, game, bool(active)] = count
    return counted, found
