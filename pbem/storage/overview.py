"""Counts of what an operator should know of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, literal_column, or_, select, true

from pbem.domain.players import ROBOTS
from pbem.domain.robots import PLAYS
from pbem.storage.models import AddressRow, BoardRow, BulletinRow, LetterRow, MailRow, PlayerRow, ReportRow, TaskRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement


def _in(row: type[LetterRow | MailRow | TaskRow], state: str) -> ColumnElement[bool]:
    """Whether a row is in a state, in the words of the indexes of those that are."""
    there: ColumnElement[bool] = row.state == literal_column(f"'{state}'")
    return there


def overview(connection: Connection, now: datetime) -> dict[str, int]:
    """What there is, by name."""
    up = or_(BulletinRow.ends_at.is_(None), BulletinRow.ends_at > now)
    counted: dict[str, tuple[type, ColumnElement[bool]]] = {
        "letters_waiting": (LetterRow, _in(LetterRow, "waiting")),
        "letters_shunted": (LetterRow, _in(LetterRow, "shunted")),
        "mails_waiting": (MailRow, _in(MailRow, "waiting")),
        "mails_failed": (MailRow, _in(MailRow, "failed")),
        "mails_bounced": (MailRow, _in(MailRow, "bounced")),
        "addresses_suppressed": (AddressRow, AddressRow.suppressed_at.is_not(None)),
        "players": (PlayerRow, (PlayerRow.standing == "active") & PlayerRow.userid_key.not_in(ROBOTS)),
        "players_frozen": (PlayerRow, PlayerRow.standing == "frozen"),
        "players_banned": (PlayerRow, PlayerRow.standing == "banned"),
        "boards_active": (BoardRow, BoardRow.active == true()),
        "robots_to_act": (TaskRow, _in(TaskRow, "waiting") & TaskRow.kind.in_(PLAYS)),
        "analyses_waiting": (TaskRow, _in(TaskRow, "waiting") & TaskRow.kind.not_in(PLAYS)),
        "robots_stuck": (TaskRow, _in(TaskRow, "shunted")),
        "reports_open": (ReportRow, ReportRow.closed_at.is_(None)),
        "notices_up": (BulletinRow, up),
    }
    return {
        name: connection.scalar(select(func.count()).select_from(table).where(which)) or 0
        for name, (table, which) in counted.items()
    }
