"""Letters that were set aside, for the operator to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, func, or_, select, update

from pbem.storage.inbox import without_proof
from pbem.storage.leases import change
from pbem.storage.models import LetterRow

_SHUNTED = LetterRow.state == "shunted"
_RETRIABLE = and_(_SHUNTED, or_(LetterRow.unread_bytes.is_(None), LetterRow.unread_bytes == func.length(LetterRow.raw)))
"""Set aside and kept whole."""
_DROPPABLE = LetterRow.state.in_(("shunted", "waiting"))


@dataclass(frozen=True, slots=True)
class ShuntedLetter:
    """A letter that could not be handled."""

    id: int
    received_at: datetime
    sender: str
    """The envelope's."""
    recipients: tuple[str, ...]
    error: str
    attempts: int
    raw: bytes = field(default=b"", repr=False)


def shunted_letters(connection: Connection, most: int) -> list[ShuntedLetter]:
    """The letters set aside, oldest first, without their bytes."""
    columns = [column for column in LetterRow.__table__.c if column.name != "raw"]
    rows = connection.execute(select(*columns).where(_SHUNTED).order_by(LetterRow.id).limit(most))
    return [_letter(row, b"") for row in rows]


def shunted_letter(connection: Connection, letter: int) -> ShuntedLetter | None:
    """One of them, with its bytes."""
    query = select(*LetterRow.__table__.c).where(_SHUNTED, LetterRow.id == letter)
    row = connection.execute(query).one_or_none()
    return None if row is None else _letter(row, row.raw or b"")


def shunted_ids(connection: Connection) -> list[int]:
    """The numbers of all of them that are kept whole, oldest first."""
    return list(connection.scalars(select(LetterRow.id).where(_RETRIABLE).order_by(LetterRow.id)))


def droppable_ids(connection: Connection) -> list[int]:
    """The numbers of all of them and of those that are waiting, oldest first."""
    return list(connection.scalars(select(LetterRow.id).where(_DROPPABLE).order_by(LetterRow.id)))


def retry_letters(connection: Connection, letters: Sequence[int], now: datetime) -> list[int]:
    """Let letters be handled anew, as if they had just come; return those that were set aside and are kept whole."""
    anew = {"state": "waiting", "attempts": 0, "next_attempt_at": now, "finished_at": None, "last_error": None}
    anew["unread_bytes"] = None
    return change(connection, LetterRow, _RETRIABLE, letters, anew)


def drop_letters(connection: Connection, letters: Sequence[int], now: datetime) -> list[int]:
    """Delete the contents of letters and the proof of their senders; return those that were set aside, or waiting.

    A worker that is handling one loses its lease, and writes nothing.
    """
    forgotten = {
        "state": "dropped",
        "raw": None,
        "client": None,
        "lane": None,
        "finished_at": now,
        "lease_owner": None,
        "lease_until": None,
    }
    dropped = change(connection, LetterRow, _DROPPABLE, letters, forgotten)
    came_to = select(LetterRow.id, LetterRow.recipients).where(LetterRow.id.in_(dropped))
    for letter, recipients in connection.execute(came_to).all():
        mine = update(LetterRow).where(LetterRow.id == letter)
        connection.execute(mine.values(recipients=without_proof(recipients)))
    return dropped


def _letter(row: Row[Any], raw: bytes) -> ShuntedLetter:
    return ShuntedLetter(
        row.id, row.received_at, row.sender, tuple(row.recipients), row.last_error or "", row.attempts, raw
    )
