"""Who wants which board analysed, in the database: they wait among the tasks of robots."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from pbem.domain.robots import Analysis, TaskKind
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.models import TaskRow
from pbem.storage.repository import Repository

_IS_ANALYSIS = TaskRow.kind == TaskKind.ANALYSE.value


class AnalysisRepository(Repository["PlayerId", Analysis]):
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

    def ask(self, analysis: Analysis) -> None:
        """Want an analysis; if the asker comes to wait for another meanwhile the commit is a `Conflict`."""
        self.saved[analysis.asker] = analysis

    def write(self, connection: Connection) -> None:
        """Write what was asked."""
        for analysis in self.saved.values():
            connection.execute(insert(TaskRow).values(_values(analysis)))


def _values(analysis: Analysis) -> dict[str, Any]:
    return {
        "board_number": analysis.board,
        "event": analysis.event,
        "player_id": analysis.robot,
        "kind": TaskKind.ANALYSE.value,
        "moveno": analysis.moveno,
        "asker_id": analysis.asker,
        "budget": analysis.budget,
        "asked_at": analysis.asked_at,
        "due_at": analysis.due_at,
        "state": "waiting",
        "attempts": 0,
        "next_attempt_at": analysis.asked_at,
    }
