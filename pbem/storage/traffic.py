"""Letters in and mails out, for the operator to look at; and mails that he sends again or takes out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, select

from pbem.domain.mails import MailState
from pbem.domain.players import Player, address_key
from pbem.storage.leases import change
from pbem.storage.models import AddressRow, LetterRow, MailRow, PlayerRow
from pbem.storage.traces import forget_sent

DELAYED = "delayed"
"""How a mail stands that was handed over and of which some mail system says that it still tries."""
_NOT_GONE = MailRow.state.in_([MailState.WAITING.value, MailState.FAILED.value])
_MAY_GO = (_NOT_GONE | (MailRow.state == MailState.BOUNCED.value)) & MailRow.raw.is_not(None)
"""Mails that can be handed over, for the first time or once more."""


def traffic(
    connection: Connection, player: Player | None, board: int | None, state: str | None, most: int
) -> list[dict[str, Any]]:
    """The last letters and mails, oldest first.

    Args:
        connection: to read with.
        player: only from and to this one.
        board: only about this one; letters are about none.
        state: only those in this state.
        most: how many.
    """
    letters = [] if board is not None else _letters(connection, player, state, most)
    rows = [*letters, *_mails(connection, player, board, state, most)]
    return sorted(rows, key=lambda row: (row["at"], row["way"], row["id"]))[-most:]


def _letters(connection: Connection, player: Player | None, state: str | None, most: int) -> list[dict[str, Any]]:
    query = select(*(each for each in LetterRow.__table__.c if each.name != "raw"))
    if player is not None:
        keys = [address_key(each.address) for each in player.addresses]
        query = query.where(func.lower(LetterRow.sender).in_(keys))
    if state is not None:
        query = query.where(LetterRow.state == state)
    found = connection.execute(query.order_by(LetterRow.id.desc()).limit(most))
    return [
        {
            "way": "in",
            "id": row.id,
            "at": row.received_at,
            "from": row.sender,
            "to": list(row.recipients),
            "subject": None,
            "board": None,
            "state": row.state,
            "attempts": row.attempts,
            "error": row.last_error,
        }
        for row in found
    ]


def _mails(
    connection: Connection, player: Player | None, board: int | None, state: str | None, most: int
) -> list[dict[str, Any]]:
    wanted = {MailRow.player_id: player and player.id, MailRow.board_number: board}
    query = select(*(each for each in MailRow.__table__.c if each.name != "raw"))
    if state is not None:
        query = query.where(_stands(state))
    for column, value in wanted.items():
        if value is not None:
            query = query.where(column == value)
    found = connection.execute(query.order_by(MailRow.id.desc()).limit(most))
    return [
        {
            "way": "out",
            "id": row.id,
            "at": row.created_at,
            "from": row.sender,
            "to": [row.recipient],
            "subject": row.subject,
            "board": row.board_number,
            "state": DELAYED if row.state == MailState.SENT and row.last_error is not None else row.state,
            "attempts": row.attempts,
            "error": row.last_error,
        }
        for row in found
    ]


def _stands(state: str) -> ColumnElement[bool]:
    if state == DELAYED:
        return and_(MailRow.state == MailState.SENT.value, MailRow.last_error.is_not(None))
    return MailRow.state == state


def unsent_mails(connection: Connection, most: int) -> list[dict[str, Any]]:
    """The mails that nobody has taken, longest ago first: those that wait, and those that were given up."""
    query = select(
        MailRow.id,
        MailRow.created_at.label("at"),
        MailRow.recipient.label("to"),
        MailRow.subject,
        MailRow.state,
        MailRow.attempts,
        MailRow.next_attempt_at,
        MailRow.last_error.label("error"),
    )
    meant = query.where(_NOT_GONE).order_by(MailRow.id).limit(most)
    return [dict(row._mapping) for row in connection.execute(meant)]  # noqa: SLF001 - as below


def given_up_mails(connection: Connection) -> Sequence[int]:
    """The numbers of the mails that were given up and can still be sent, oldest first."""
    query = select(MailRow.id).where(MailRow.state == MailState.FAILED.value, MailRow.raw.is_not(None))
    return connection.scalars(query.order_by(MailRow.id)).all()


def retry_mails(connection: Connection, mails: Sequence[int], now: datetime) -> list[int]:
    """Have mails handed over at once, and once more if they are old; return those whose bytes were still there."""
    anew = {
        "state": MailState.WAITING.value,
        "attempts": 0,
        "next_attempt_at": now,
        "finished_at": None,
        "last_error": None,
    }
    return change(connection, MailRow, _MAY_GO, mails, anew)


def drop_mails(connection: Connection, mails: Sequence[int], now: datetime) -> list[int]:
    """Forget mails that were not handed over; return those that were waiting, or given up."""
    values = {"state": MailState.DROPPED.value, "raw": None, "finished_at": now, "lease_until": None}
    dropped = change(connection, MailRow, _NOT_GONE, mails, values)
    forget_sent(connection, dropped)
    return dropped


def suppressed_addresses(connection: Connection, most: int) -> list[dict[str, Any]]:
    """The addresses that nothing is mailed to, longest ago first."""
    query = (
        select(
            AddressRow.address,
            PlayerRow.userid,
            AddressRow.suppressed_at.label("since"),
            AddressRow.suppressed_why.label("why"),
        )
        .join(PlayerRow, PlayerRow.id == AddressRow.player_id)
        .where(AddressRow.suppressed_at.is_not(None))
        .order_by(AddressRow.suppressed_at, AddressRow.address_key)
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - SQLAlchemy's public name for it
