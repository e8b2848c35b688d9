"""Forgetting what has been kept for long enough, a few rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, and_, delete, func, or_, select, update

from pbem.domain.tokens import POSTS_KEPT
from pbem.storage.arrivals import KEYS_KEPT
from pbem.storage.engine import reading, writing
from pbem.storage.models import (
    BounceRow,
    BroadcastRow,
    ConfirmationRow,
    CorrespondentRow,
    FamiliarSourceRow,
    LetterKeyRow,
    LetterRow,
    MailRow,
    OperatorKeyRow,
    ReportRow,
    SessionRow,
    TokenPostRow,
    WrongPasswordRow,
)

AT_ONCE = 500
"""Rows of one kind that are forgotten in one transaction: letters wait for it at the door."""

WRONG_PASSWORDS_KEPT = timedelta(days=1)
SET_ASIDE = "letters_set_aside"
"""Letters that nobody has looked after."""
UNREAD_KEPT = timedelta(days=14)
"""How long letters are that nobody can read."""
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
    traces = now - keep_traces
    return (
        *_mails(now - keep_mail, traces),
        *_letters(now, traces),
        Forgotten("bounces", BounceRow, BounceRow.id, BounceRow.at < traces),
        *_questions(now, traces),
        *_counts(now, traces),
        Forgotten(
            "report_texts",
            ReportRow,
            ReportRow.id,
            and_(ReportRow.closed_at < traces, ReportRow.text != ""),
            {"text": ""},
        ),
        Forgotten("broadcasts", BroadcastRow, BroadcastRow.id, BroadcastRow.done_at < traces),
    )


def _mails(bytes_before: datetime, before: datetime) -> Iterable[Forgotten]:
    over = func.coalesce(MailRow.finished_at, MailRow.created_at)
    has_gone = MailRow.state != "waiting"
    with_bytes = and_(has_gone, MailRow.raw.is_not(None), over < bytes_before)
    yield Forgotten("mail_bytes", MailRow, MailRow.id, with_bytes, {"raw": None})
    yield Forgotten("mails", MailRow, MailRow.id, and_(has_gone, over < before))


def _letters(now: datetime, before: datetime) -> Iterable[Forgotten]:
    came = func.coalesce(LetterRow.finished_at, LetterRow.received_at)
    is_handled = LetterRow.state.not_in(("waiting", "shunted"))
    is_set_aside = LetterRow.state == "shunted"
    yield Forgotten("letters", LetterRow, LetterRow.id, and_(is_handled, came < before))
    is_old = or_(came < before, and_(LetterRow.unread_bytes.is_not(None), came < now - UNREAD_KEPT))
    yield Forgotten(SET_ASIDE, LetterRow, LetterRow.id, and_(is_set_aside, is_old), is_told=True)
    yield Forgotten("letter_keys", LetterKeyRow, LetterKeyRow.key, LetterKeyRow.accepted_at < now - KEYS_KEPT)


def _questions(now: datetime, before: datetime) -> Iterable[Forgotten]:
    row, key = ConfirmationRow, ConfirmationRow.id
    over = func.coalesce(row.answered_at, row.expires_at)
    has_expired = row.expires_at <= now  # until then who answers it again hears that he did before
    # its number must never be given to another: a letter may still answer the mail that asked it
    is_newest = key == select(func.max(key)).scalar_subquery()
    yield Forgotten("questions", row, key, and_(over < before, has_expired, ~is_newest))
    names_any = or_(row.address.is_not(None), row.line.is_not(None))
    yield Forgotten("newest_question", row, key, and_(over < before, names_any), {"address": None, "line": None})
    holds = or_(row.comment != "", row.password_hash.is_not(None), row.session.is_not(None))
    nothing = {"comment": "", "password_hash": None, "session": None}
    yield Forgotten("question_comments", row, key, and_(over <= now, holds), nothing)


def _counts(now: datetime, before: datetime) -> Iterable[Forgotten]:
    wrong, answers, session, key = WrongPasswordRow, CorrespondentRow, SessionRow, OperatorKeyRow
    source = FamiliarSourceRow
    yield Forgotten("wrong_passwords", wrong, wrong.id, wrong.at < now - WRONG_PASSWORDS_KEPT)
    yield Forgotten("familiar_sources", source, source.used_at, source.used_at < before)
    yield Forgotten("correspondents", answers, answers.address_key, answers.day < now - CORRESPONDENTS_KEPT)
    yield Forgotten("sessions", session, session.secret_hash, session.expires_at <= now)
    yield Forgotten("token_posts", TokenPostRow, TokenPostRow.key, TokenPostRow.at < now - POSTS_KEPT)
    yield Forgotten("operator_keys", key, key.secret_hash, key.expires_at <= now)


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
