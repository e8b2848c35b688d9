"""Figures of the state of a server: queues, ages, alarms."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnClause,
    ColumnElement,
    Connection,
    Engine,
    Label,
    and_,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    text,
    true,
    update,
)

from pbem.domain.administration import Depths
from pbem.domain.players import ROBOTS
from pbem.domain.robots import PLAYS
from pbem.storage.broadcasts import is_up
from pbem.storage.engine import reading, writing
from pbem.storage.leases import is_in, is_waiting
from pbem.storage.models import (
    AddressRow,
    AlarmToldRow,
    BoardRow,
    BulletinRow,
    LetterRow,
    MailRow,
    PlayerRow,
    ReportRow,
    TaskRow,
)


def overview(connection: Connection, now: datetime) -> dict[str, int]:
    """The counts of everything, by name."""
    counted: dict[str, tuple[type, ColumnElement[bool]]] = {
        "letters_waiting": (LetterRow, is_in(LetterRow, "waiting")),
        "letters_shunted": (LetterRow, is_in(LetterRow, "shunted")),
        "mails_waiting": (MailRow, is_in(MailRow, "waiting")),
        "mails_failed": (MailRow, is_in(MailRow, "failed")),
        "mails_bounced": (MailRow, is_in(MailRow, "bounced")),
        "addresses_suppressed": (AddressRow, AddressRow.suppressed_at.is_not(None)),
        "players": (
            PlayerRow,
            (PlayerRow.standing == "active") & PlayerRow.userid_key.not_in(ROBOTS) & PlayerRow.guest_until.is_(None),
        ),
        "guests": (PlayerRow, PlayerRow.guest_until.is_not(None)),
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


MOST_COUNTED = 10_000
"""Letters of which it is told how many came lately; there may be more."""
LATELY = timedelta(days=7)
"""The time for which a failed mail, or an address without mail, is worth the operator's attention."""

_SUPPRESSED = text("suppressed_at IS NOT NULL")
_OPEN = text("closed_at IS NULL")
_PLAYS = TaskRow.kind != literal_column("'analyse'")


def _count(name: str, row: type, *which: Any) -> Label[int | None]:
    return select(func.count()).select_from(row).where(*which).scalar_subquery().label(name)


def _oldest(name: str, moment: ColumnClause[Any], first_by: ColumnClause[Any], *which: Any) -> Label[datetime | None]:
    """The moment of the first row, which an index finds."""
    return select(moment).where(*which).order_by(first_by).limit(1).scalar_subquery().label(name)


_AGO = bindparam("lately", type_=MailRow.finished_at.type)
_NOW = bindparam("now", type_=MailRow.next_attempt_at.type)
_WAS_POSTPONED = and_(MailRow.next_attempt_at > MailRow.created_at, MailRow.attempts == 0)
"""Mails to strangers that wait for their turn, or have just had to."""
DEPTHS = select(
    _count("letters_waiting", LetterRow, is_waiting(LetterRow)),
    _oldest("letters_since", LetterRow.received_at, LetterRow.id, is_waiting(LetterRow)),
    _count("letters_shunted", LetterRow, is_in(LetterRow, "shunted")),
    _oldest("shunted_since", LetterRow.received_at, LetterRow.id, is_in(LetterRow, "shunted")),
    _count("mails_waiting", MailRow, is_waiting(MailRow)),
    select(MailRow.created_at)
    .where(
        MailRow.id == select(func.min(MailRow.id + 0)).where(is_waiting(MailRow), ~_WAS_POSTPONED).scalar_subquery()
    )  # + 0, or SQLite goes by the numbers, all of them
    .scalar_subquery()
    .label("mails_since"),
    _count("mails_resting", MailRow, is_waiting(MailRow), MailRow.next_attempt_at > _NOW, MailRow.attempts > 0),
    _count("mails_postponed", MailRow, is_waiting(MailRow), _WAS_POSTPONED, MailRow.next_attempt_at > _NOW),
    _count("mails_failed", MailRow, is_in(MailRow, "failed"), MailRow.finished_at > _AGO),
    _oldest(
        "failed_since", MailRow.finished_at, MailRow.finished_at, is_in(MailRow, "failed"), MailRow.finished_at > _AGO
    ),
    _count("addresses_suppressed", AddressRow, _SUPPRESSED),
    _count("suppressed_lately", AddressRow, _SUPPRESSED, AddressRow.suppressed_at > _AGO),
    _count("reports_open", ReportRow, _OPEN),
    _oldest("reports_since", ReportRow.at, ReportRow.at, _OPEN),
    _count("robots_waiting", TaskRow, is_waiting(TaskRow), _PLAYS),
    _oldest("robots_since", TaskRow.asked_at, TaskRow.due_at, is_waiting(TaskRow), _PLAYS),
    _count("analyses_waiting", TaskRow, is_waiting(TaskRow), ~_PLAYS),
    _count("robots_stuck", TaskRow, is_in(TaskRow, "shunted")),
)


def depths(connection: Connection, now: datetime) -> Depths:
    """The sizes of the queues at a moment."""
    found: tuple[Any, ...] = tuple(connection.execute(DEPTHS, {"now": now, "lately": now - LATELY}).one())
    return Depths(*found)


_LAST = select(LetterRow.received_at).order_by(LetterRow.id.desc()).limit(MOST_COUNTED).subquery()
_SINCE = select(func.count()).where(_LAST.c.received_at > bindparam("since", type_=LetterRow.received_at.type))


def letters_since(connection: Connection, since: datetime) -> int:
    """The number of letters since a moment, `MOST_COUNTED` at the most."""
    return connection.scalar(_SINCE, {"since": since}) or 0


class AlarmTimes:
    """The moments at which mails about alarms were taken by the relay, by the name of what they say.

    Args:
        engine: of the database, which may be what the trouble is about.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def told_at(self, name: str) -> datetime | None:
        """When a mail was last taken; None if never."""
        with reading(self._engine) as connection:
            return connection.scalar(select(AlarmToldRow.told_at).where(AlarmToldRow.name == name))

    def note(self, name: str, now: datetime) -> None:
        """Note that a mail was taken."""
        with writing(self._engine) as connection:
            known = update(AlarmToldRow).where(AlarmToldRow.name == name).values(told_at=now)
            if not connection.execute(known).rowcount:
                connection.execute(insert(AlarmToldRow).values(name=name, told_at=now))
