"""Counts of what an operator should know of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, or_, select

from pbem.domain.players import ROBOTS
from pbem.domain.robots import PLAYS
from pbem.storage.models import AddressRow, BoardRow, BulletinRow, LetterRow, MailRow, PlayerRow, ReportRow, TaskRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement


def overview(connection: Connection, now: datetime) -> dict[str, int]:
    """What there is, by name."""
    up = or_(BulletinRow.ends_at.is_(None), BulletinRow.ends_at > now)
    counted: dict[str, tuple[type, ColumnElement[bool]]] = {
        "letters_waiting": (LetterRow, LetterRow.state == "waiting"),
        "letters_shunted": (LetterRow, LetterRow.state == "shunted"),
        "mails_waiting": (MailRow, MailRow.state == "waiting"),
        "mails_failed": (MailRow, MailRow.state == "failed"),
        "mails_bounced": (MailRow, MailRow.state == "bounced"),
        "addresses_suppressed": (AddressRow, AddressRow.suppressed_at.is_not(None)),
        "players": (PlayerRow, (PlayerRow.standing == "active") & PlayerRow.userid_key.not_in(ROBOTS)),
        "players_frozen": (PlayerRow, PlayerRow.standing == "frozen"),
        "players_banned": (PlayerRow, PlayerRow.standing == "banned"),
        "boards_active": (BoardRow, BoardRow.active.is_(True)),
        "robots_to_act": (TaskRow, (TaskRow.state == "waiting") & TaskRow.kind.in_(PLAYS)),
        "analyses_waiting": (TaskRow, (TaskRow.state == "waiting") & TaskRow.kind.not_in(PLAYS)),
        "robots_stuck": (TaskRow, TaskRow.state == "shunted"),
        "reports_open": (ReportRow, ReportRow.closed_at.is_(None)),
        "notices_up": (BulletinRow, up),
    }
    return {
        name: connection.scalar(select(func.count()).select_from(table).where(which)) or 0
        for name, (table, which) in counted.items()
    }
