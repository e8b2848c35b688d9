"""Reports about players, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from pbem.domain.reports import Report
from pbem.errors import Conflict
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.models import ReportRow
from pbem.storage.repository import Repository, readable_rows


class ReportRepository(Repository[int, Report]):
    """What players have told the operator."""

    def next_id(self) -> int:
        """An id for a new report; taken by somebody else meanwhile, the commit is a `Conflict`."""
        return self._next(ReportRow.id, 1, self.saved)

    def find(self, report: int) -> Report | None:
        """The report with this id."""
        if report in self.saved:
            return self.saved[report]
        row = self._connect().execute(select(*ReportRow.__table__.c).where(ReportRow.id == report)).one_or_none()
        return None if row is None else _report(row)

    def count_since(self, player: PlayerId, moment: datetime) -> int:
        """How many a player has made since."""
        mine = select(func.count()).where(ReportRow.player_id == player, ReportRow.at >= moment)
        new = [each for each in self.saved.values() if each.player == player and each.at >= moment]
        return (self._connect().scalar(mine) or 0) + len(new)

    def newest(self, *, closed: bool, most: int) -> Sequence[Report]:
        """The open reports, or all of them, newest first."""
        query = select(*ReportRow.__table__.c).order_by(ReportRow.id.desc()).limit(most)
        meant = query if closed else query.where(ReportRow.closed_at.is_(None))
        return readable_rows(lambda: self._connect().execute(meant), _report, "report")

    def save(self, report: Report) -> None:
        """Add the report, or note that it is closed; closed twice, the commit is a `Conflict`."""
        self.saved[report.id] = report

    def write(self, connection: Connection) -> None:
        """Write what was saved.

        Raises:
            Conflict: somebody else has closed a report meanwhile.
        """
        for report in self.saved.values():
            if report.closed_at is None:
                connection.execute(insert(ReportRow).values(id=report.id, **_values(report)))
                continue
            still_open = (ReportRow.id == report.id) & ReportRow.closed_at.is_(None)
            if connection.execute(update(ReportRow).where(still_open).values(_values(report))).rowcount == 0:
                raise Conflict(report=report.id)


def _report(row: Row[Any]) -> Report:
    return Report(
        id=row.id,
        at=row.at,
        player=PlayerId(row.player_id),
        about=PlayerId(row.about_id),
        board=None if row.board_number is None else BoardNumber(row.board_number),
        text=row.text,
        closed_at=row.closed_at,
        note=row.note,
    )


def _values(report: Report) -> dict[str, Any]:
    return {
        "at": report.at,
        "player_id": report.player,
        "about_id": report.about,
        "board_number": report.board,
        "text": report.text,
        "closed_at": report.closed_at,
        "note": report.note,
    }
