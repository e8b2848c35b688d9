"""Counts of what an operator should know of."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select, true

from pbem.domain.players import ROBOTS
from pbem.domain.robots import PLAYS
from pbem.storage.bulletins import is_up
from pbem.storage.leases import is_in
from pbem.storage.models import AddressRow, BoardRow, BulletinRow, LetterRow, MailRow, PlayerRow, ReportRow, TaskRow


def overview(connection: Connection, now: datetime) -> dict[str, int]:
    """What there is, by name."""
    counted: dict[str, tuple[type, ColumnElement[bool]]] = {
        "letters_waiting": (LetterRow, is_in(LetterRow, "waiting")),
        "letters_shunted": (LetterRow, is_in(LetterRow, "shunted")),
        "mails_waiting": (MailRow, is_in(MailRow, "waiting")),
        "mails_failed": (MailRow, is_in(MailRow, "failed")),
        "mails_bounced": (MailRow, is_in(MailRow, "bounced")),
        "addresses_suppressed": (AddressRow, AddressRow.suppressed_at.is_not(None)),
        "players": (PlayerRow, (PlayerRow.standing == "active") & PlayerRow.userid_key.not_in(ROBOTS)),
        "players_frozen": (PlayerRow, PlayerRow.standing == "frozen"),
        "players_banned": (PlayerRow, PlayerRow.standing == "banned"),
        "boards_active": (BoardRow, BoardRow.active == true()),
        "robots_waiting": (TaskRow, is_in(TaskRow, "waiting") & TaskRow.kind.in_(PLAYS)),
        "analyses_waiting": (TaskRow, is_in(TaskRow, "waiting") & TaskRow.kind.not_in(PLAYS)),
        "robots_stuck": (TaskRow, is_in(TaskRow, "shunted")),
        "reports_open": (ReportRow, ReportRow.closed_at.is_(None)),
        "bulletins_up": (BulletinRow, is_up(now)),
    }
    return {
        name: connection.scalar(select(func.count()).select_from(table).where(which)) or 0
        for name, (table, which) in counted.items()
    }
