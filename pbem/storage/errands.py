"""What boards ask of robots, in the database: written with the boards, and forgotten with what overtakes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from pbem.bots.levels import LEVELS
from pbem.bots.sense import PLAYOUTS_FOR_DRAW
from pbem.domain.boards import Board
from pbem.domain.courses import Course
from pbem.domain.events import EventKind
from pbem.domain.players import userid_key
from pbem.domain.robots import PATIENCE, PLAYS, Errand, TaskKind, errands, robots_at
from pbem.ids import BoardNumber
from pbem.storage.models import TaskRow
from pbem.storage.repository import Noting

_PLAYS = TaskRow.kind.in_(PLAYS)
"""Tasks that a board asks for as it stands."""
_UNSEATING = (EventKind.HANDOVER, EventKind.DECLINE)
"""Events after which a robot may be at a board no more."""


class ErrandRepository(Noting):
    """Has the tasks follow the boards, within the transaction that writes them.

    Args:
        connect: what is read from.
        boards: those that are about to be written, by number.
        course: what the rules make of each.
        most_playouts: that a robot may think about a task; None: as many as its level says.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        boards: Callable[[], Mapping[BoardNumber, Board]],
        course: Callable[[Board], Course],
        most_playouts: int | None = None,
    ) -> None:
        super().__init__(connect)
        self._most_playouts = most_playouts
        self._boards = boards
        self._course = course

    def before(self, board: BoardNumber) -> int | None:
        """How many stored tasks are to be taken up before that of a board; None: it has none that waits for that."""
        is_waiting = (TaskRow.state == "waiting") & TaskRow.lease_owner.is_(None) & _PLAYS
        due = select(func.min(TaskRow.due_at)).where(TaskRow.board_number == board, is_waiting)
        mine = self._connect().scalar(due)
        if mine is None:
            return None
        return self._connect().scalar(select(func.count()).where(is_waiting, TaskRow.due_at < mine)) or 0

    def write(self, connection: Connection) -> None:
        """Ask of robots what their boards ask, and forget what has been overtaken."""
        for board in self._boards().values():
            if robots_at(board) or any(event.kind in _UNSEATING for event in board.events):
                self._follow(connection, board)

    def _follow(self, connection: Connection, board: Board) -> None:
        asked = errands(board, self._course(board))
        mine, kept = (TaskRow.board_number == board.number) & _PLAYS, [each.player for each in asked]
        overtaken = (TaskRow.event != board.event_number) | TaskRow.player_id.not_in(kept)
        connection.execute(delete(TaskRow).where(mine, overtaken))
        there = set(connection.scalars(select(TaskRow.player_id).where(mine)))
        rows = [self._values(each, board.last_at) for each in asked if each.player not in there]
        if rows:
            connection.execute(insert(TaskRow), rows)

    def _values(self, errand: Errand, asked_at: datetime) -> dict[str, Any]:
        budget = _budget(errand)
        budget = budget if self._most_playouts is None else min(budget, self._most_playouts)
        return {
            "board_number": errand.board,
            "event": errand.event,
            "player_id": errand.player,
            "kind": errand.kind.value,
            "budget": budget,
            "asked_at": asked_at,
            "due_at": asked_at + budget * PATIENCE,
            "state": "waiting",
            "attempts": 0,
            "next_attempt_at": asked_at,
        }


def _budget(errand: Errand) -> int:
    """How much there is to think, in playouts, unless the operator has less of it."""
    playouts = LEVELS[userid_key(errand.userid)].playouts
    return {TaskKind.UNDO: 0, TaskKind.DRAW: max(playouts, PLAYOUTS_FOR_DRAW)}.get(errand.kind, playouts)
