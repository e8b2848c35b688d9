"""Openings of finished games in the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from pbem.domain.openings import Continuation, CountedGame, OpeningTurn, Tally
from pbem.errors import Conflict
from pbem.ids import BoardNumber
from pbem.storage.models import OpeningGameRow, OpeningTurnRow
from pbem.storage.repository import Noting

_Edge: TypeAlias = tuple[bytes, bytes, bool]
"""The positions before and after a turn, and True for games with computer opponents."""
_COUNTS = ("games", "won", "tied", "rated", "ratings")
_INSERTS: dict[str, Callable[[Any], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


@dataclass(slots=True)
class _Change:
    record: list[Any]
    tally: Tally


class OpeningRepository(Noting):
    """The games that are counted, and the sums that these make."""

    _notes = ("_games", "_changes")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._games: dict[BoardNumber, tuple[CountedGame | None, CountedGame | None]] = {}
        self._changes: list[tuple[OpeningTurn, CountedGame, int]] = []

    def counted(self, board: BoardNumber) -> CountedGame | None:
        """The game of a board as it was counted; None if it was not."""
        if board in self._games:
            return self._games[board][1]
        row = OpeningGameRow
        query = select(row.with_robots, row.winners, row.ratings).where(row.board_number == board)
        found = self._connect().execute(query).first()
        return None if found is None else CountedGame(found.with_robots, tuple(found.winners), tuple(found.ratings))

    def count(self, board: BoardNumber, game: CountedGame | None, turns: Iterable[OpeningTurn]) -> None:
        """Count the game of a board as it is now, or no longer; its turns are the same as before."""
        before = self.counted(board)
        if before == game:
            return
        turns = tuple(turns)
        for known, times in ((before, -1), (game, 1)):
            if known is not None:
                self._changes += [(turn, known, times) for turn in turns]
        self._games[board] = (self._games[board][0] if board in self._games else before, game)

    def after(self, position: bytes, most: int) -> tuple[Sequence[Continuation], Tally, Tally]:
        """The turns that were played most often in a position, and the sums of all, of people and with robots."""
        row, connection = OpeningTurnRow, self._connect()
        games = func.sum(row.games)
        often = select(row.after).where(row.before == position).group_by(row.after).order_by(games.desc(), row.after)
        keys = list(connection.scalars(often.limit(most)))
        columns = [getattr(row, name) for name in _COUNTS]
        query = select(row.after, row.with_robots, row.record, *columns)
        found = {key: Continuation((), Tally(), Tally()) for key in keys}
        for each in connection.execute(query.where(row.before == position, row.after.in_(keys))):
            was, tally = found[each.after], Tally(*(getattr(each, name) for name in _COUNTS))
            people, robots = (was.people, tally) if each.with_robots else (tally, was.robots)
            found[each.after] = Continuation(was.record or tuple(each.record), people, robots)
        sums = select(row.with_robots, *(func.sum(column) for column in columns)).where(row.before == position)
        totals = {
            robots: Tally(*map(int, counts)) for robots, *counts in connection.execute(sums.group_by(row.with_robots))
        }
        return list(found.values()), totals.get(False, Tally()), totals.get(True, Tally())

    def write(self, connection: Connection) -> None:
        """Write what was counted.

        Raises:
            Conflict: somebody else has counted one of the games meanwhile, or taken it out.
        """
        for board, (before, _) in self._games.items():
            row = delete(OpeningGameRow).where(OpeningGameRow.board_number == board)
            if before is not None and connection.execute(row).rowcount != 1:
                raise Conflict
        rows = [_row(board, game) for board, (_, game) in self._games.items() if game is not None]
        if rows:
            connection.execute(insert(OpeningGameRow), rows)
        if self._changes:
            _add(connection, _summed(self._changes))

    @staticmethod
    def forget_all(connection: Connection) -> None:
        """Forget everything that was counted."""
        connection.execute(delete(OpeningTurnRow))
        connection.execute(delete(OpeningGameRow))


def _row(board: BoardNumber, game: CountedGame) -> dict[str, object]:
    results = {"winners": list(game.winners), "ratings": list(game.ratings)}
    return {"board_number": board, "with_robots": game.with_robots, **results}


def _summed(changes: Collection[tuple[OpeningTurn, CountedGame, int]]) -> dict[_Edge, _Change]:
    found: dict[_Edge, _Change] = {}
    for turn, game, times in changes:
        change = found.setdefault((turn.before, turn.after, game.with_robots), _Change([*turn.record], Tally()))
        change.tally.add(game, turn.seat, times)
    return found


def _add(connection: Connection, changes: dict[_Edge, _Change]) -> None:
    """Add to the sums; rows in one order, so that two transactions do not wait for each other."""
    names = ("before", "after", "with_robots")
    rows = [
        {
            **dict(zip(names, edge, strict=True)),
            "record": change.record,
            **{name: getattr(change.tally, name) for name in _COUNTS},
        }
        for edge, change in sorted(changes.items())
    ]
    new = _INSERTS[connection.dialect.name](OpeningTurnRow)
    sums = {name: getattr(OpeningTurnRow, name) + new.excluded[name] for name in _COUNTS}
    connection.execute(new.on_conflict_do_update(index_elements=list(names), set_=sums), rows)
    taken_out = [edge for edge, change in changes.items() if change.tally.games < 0]
    for before, after, with_robots in taken_out:
        row = OpeningTurnRow
        is_edge = (row.before == before) & (row.after == after) & (row.with_robots == with_robots)
        connection.execute(delete(row).where(is_edge, row.games <= 0))
