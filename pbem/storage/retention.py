"""Forgetting what has been kept for long enough, a few rows at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, delete, func, or_, select, update

from pbem.storage.engine import reading, writing
from pbem.storage.inbox import KEYS_KEPT
from pbem.storage.models import (
    BounceRow,
    ConfirmationRow,
    CorrespondentRow,
    LetterKeyRow,
    LetterRow,
    MailRow,
    ReportRow,
    WrongPasswordRow,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Engine

AT_ONCE = 500
"""Rows of one kind that are forgotten in one transaction: letters wait for it at the door."""

WRONG_PASSWORDS_KEPT = timedelta(days=1)
SET_ASIDE = "letters_set_aside"
"""Letters that nobody has looked after."""
CORRESPONDENTS_KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One kind of what is forgotten: whole rows, or some of their values."""

    name: str
    row: Any
    key: Any
    which: ColumnElement[bool]
    values: Mapping[str, Any] | None = None
    """What stands there afterwards; None: the rows go."""
    is_told: bool = False
    """Whether the operator is to hear which they were."""


def forgettable(now: datetime, keep_mail: timedelta, keep_traces: timedelta) -> tuple[Forgotten, ...]:
    """What may be forgotten by now.

    Args:
        now: the moment.
        keep_mail: how long the bytes of a mail are kept that has gone, or was given up.
        keep_traces: how long it is kept that a letter came, or a mail went, and to and from whom.
    """
    mail, traces = now - keep_mail, now - keep_traces
    mail_over = func.coalesce(MailRow.finished_at, MailRow.created_at)
    has_gone = MailRow.state != "waiting"
    came = func.coalesce(LetterRow.finished_at, LetterRow.received_at)
    question_over = func.coalesce(ConfirmationRow.answered_at, ConfirmationRow.expires_at)
    has_expired = ConfirmationRow.expires_at <= now  # until then who answers it again hears that he did before
    # its number must never be given to another: a letter may still answer the mail that asked it
    is_newest = ConfirmationRow.id == select(func.max(ConfirmationRow.id)).scalar_subquery()
    holds = or_(ConfirmationRow.comment != "", ConfirmationRow.password_hash.is_not(None))
    return (
        Forgotten(
            "mail_bytes", MailRow, MailRow.id, and_(has_gone, MailRow.raw.is_not(None), mail_over < mail), {"raw": None}
        ),
        Forgotten("mails", MailRow, MailRow.id, and_(has_gone, mail_over < traces)),
        Forgotten(
            "letters", LetterRow, LetterRow.id, and_(LetterRow.state.not_in(("waiting", "shunted")), came < traces)
        ),
        Forgotten(SET_ASIDE, LetterRow, LetterRow.id, and_(LetterRow.state == "shunted", came < traces), is_told=True),
        Forgotten("letter_keys", LetterKeyRow, LetterKeyRow.key, LetterKeyRow.accepted_at < now - KEYS_KEPT),
        Forgotten("bounces", BounceRow, BounceRow.id, BounceRow.at < traces),
        Forgotten(
            "questions", ConfirmationRow, ConfirmationRow.id, and_(question_over < traces, has_expired, ~is_newest)
        ),
        Forgotten(
            "newest_question",
            ConfirmationRow,
            ConfirmationRow.id,
            and_(question_over < traces, or_(ConfirmationRow.address.is_not(None), ConfirmationRow.line.is_not(None))),
            {"address": None, "line": None},
        ),
        Forgotten(
            "question_comments",
            ConfirmationRow,
            ConfirmationRow.id,
            and_(question_over <= now, holds),
            {"comment": "", "password_hash": None},
        ),
        Forgotten(
            "wrong_passwords", WrongPasswordRow, WrongPasswordRow.id, WrongPasswordRow.at < now - WRONG_PASSWORDS_KEPT
        ),
        Forgotten(
            "correspondents",
            CorrespondentRow,
            CorrespondentRow.address_key,
            CorrespondentRow.day < now - CORRESPONDENTS_KEPT,
        ),
        Forgotten(
            "report_texts",
            ReportRow,
            ReportRow.id,
            and_(ReportRow.closed_at < traces, ReportRow.text != ""),
            {"text": ""},
        ),
    )


def forget(
    engine: Engine, what: Forgotten, most: int = AT_ONCE, tell: Callable[[Connection, list[Any]], None] | None = None
) -> int:
    """Forget some of one kind; return how many.

    They are looked for without the lock, and are what they were when it is taken.

    Args:
        engine: of the database.
        what: the kind.
        most: how many.
        tell: is given the keys of those forgotten, if there are any, within the same transaction.
    """
    with reading(engine) as connection:
        keys = list(connection.scalars(select(what.key).where(what.which).limit(most)))
    if not keys:
        return 0
    mine = and_(what.key.in_(keys), what.which)
    with writing(engine) as connection:
        if what.values is None:
            gone = list(connection.scalars(delete(what.row).where(mine).returning(what.key)))
        else:
            gone = list(connection.scalars(update(what.row).where(mine).values(what.values).returning(what.key)))
        if gone and tell is not None:
            tell(connection, gone)
        return len(gone)
