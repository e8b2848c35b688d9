"""Operators and the record of what they did."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, select

from pbem.domain.administration import AuditEntry
from pbem.domain.credentials import OPERATOR_LINK_FOR, OPERATOR_SESSION_FOR
from pbem.storage.engine import reading, writing
from pbem.storage.models import DeedRow, OperatorKeyRow

_LINK, _SESSION = "link", "session"


def add_link(connection: Connection, secret_hash: str, operator: str, now: datetime) -> None:
    """Let a link with a secret of this hash open the page once; ``operator`` is the account that asked for it."""
    connection.execute(delete(OperatorKeyRow).where(OperatorKeyRow.expires_at <= now))
    _add(connection, secret_hash, _LINK, operator, now, OPERATOR_LINK_FOR)


class OperatorKeys:
    """Links and sessions.

    Args:
        engine: of the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def is_link(self, secret_hash: str, now: datetime) -> bool:
        """Whether a link would still open the page."""
        return self._who(_good(secret_hash, _LINK, now)) is not None

    def who(self, secret_hash: str, now: datetime) -> str | None:
        """The account whose session it is; None: there is no such session, or no more."""
        return self._who(_good(secret_hash, _SESSION, now))

    def begin(self, link: str, session: str, now: datetime) -> bool:
        """Turn a link into a session; False if it is not good, or somebody else has just used it."""
        with writing(self._engine) as connection:
            taken = connection.execute(
                delete(OperatorKeyRow).where(_good(link, _LINK, now)).returning(OperatorKeyRow.operator)
            )
            operator = taken.scalar_one_or_none()
            if operator is not None:
                _add(connection, session, _SESSION, operator, now, OPERATOR_SESSION_FOR)
        return operator is not None

    def end(self, session: str) -> None:
        """End a session."""
        with writing(self._engine) as connection:
            ended = (OperatorKeyRow.secret_hash == session) & (OperatorKeyRow.kind == _SESSION)
            connection.execute(delete(OperatorKeyRow).where(ended))

    def _who(self, which: ColumnElement[bool]) -> str | None:
        with reading(self._engine) as connection:
            return connection.scalar(select(OperatorKeyRow.operator).where(which))


def _good(secret_hash: str, kind: str, now: datetime) -> ColumnElement[bool]:
    key = OperatorKeyRow
    return (key.secret_hash == secret_hash) & (key.kind == kind) & (key.expires_at > now)


def _add(connection: Connection, secret_hash: str, kind: str, operator: str, now: datetime, lasts: timedelta) -> None:
    values = {"kind": kind, "operator": operator, "began_at": now, "expires_at": now + lasts}
    connection.execute(insert(OperatorKeyRow).values(secret_hash=secret_hash, **values))


def note_deed(connection: Connection, deed: AuditEntry) -> None:
    """Note a deed, within the transaction that carries it out."""
    connection.execute(
        insert(DeedRow).values(
            at=deed.at, operator=deed.operator, deed=deed.deed, subject=deed.subject, reason=deed.reason
        )
    )


def last_deeds(connection: Connection, most: int) -> Sequence[AuditEntry]:
    """What was done last, newest first."""
    rows = connection.execute(select(*DeedRow.__table__.c).order_by(DeedRow.id.desc()).limit(most))
    return [AuditEntry(row.at, row.operator, row.deed, row.subject, row.reason) for row in rows]
