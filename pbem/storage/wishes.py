"""Who wants which board analysed, in the database: they wait among the tasks of robots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select

from pbem.domain.robots import TaskKind, Wish
from pbem.ids import BoardNumber
from pbem.storage.models import TaskRow
from pbem.storage.repository import Repository

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.ids import PlayerId

_IS_ANALYSIS = TaskRow.kind == TaskKind.ANALYSE.value


class WishRepository(Repository["PlayerId", Wish]):
    """The analyses that are wanted, by who wants them: each has one at most."""

    def open(self, asker: PlayerId) -> BoardNumber | None:
        """The board that somebody waits to have analysed, if there is one."""
        if asker in self.saved:
            return self.saved[asker].board
        number = self._connect().scalar(select(TaskRow.board_number).where(TaskRow.asker_id == asker))
        return None if number is None else BoardNumber(number)

    def count(self) -> int:
        """How many analyses are stored, begun or not."""
        return self._connect().scalar(select(func.count()).where(_IS_ANALYSIS)) or 0

    def before(self, due_at: datetime) -> int:
        """How many analyses, stored and not begun yet, are to be taken up before one that is due then."""
        waits = (TaskRow.state == "waiting") & TaskRow.lease_owner.is_(None) & _IS_ANALYSIS
        return self._connect().scalar(select(func.count()).where(waits, TaskRow.due_at < due_at)) or 0

    def ask(self, wish: Wish) -> None:
        """Want an analysis; if the asker comes to wait for another meanwhile the commit is a `Conflict`."""
        self.saved[wish.asker] = wish

    def write(self, connection: Connection) -> None:
        """Write what was asked."""
        for wish in self.saved.values():
            connection.execute(insert(TaskRow).values(_values(wish)))


def _values(wish: Wish) -> dict[str, Any]:
    return {
        "board_number": wish.board,
        "event": wish.event,
        "player_id": wish.robot,
        "kind": TaskKind.ANALYSE.value,
        "moveno": wish.moveno,
        "asker_id": wish.asker,
        "budget": wish.budget,
        "asked_at": wish.asked_at,
        "due_at": wish.due_at,
        "state": "waiting",
        "attempts": 0,
        "next_attempt_at": wish.asked_at,
    }
