"""Upkeep of a database: checks, trimming, and deleting what is old."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, and_, delete, func, or_, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from pbem.domain.administration import Finding, Level
from pbem.domain.credentials import POSTS_KEPT
from pbem.storage import copying, schema
from pbem.storage.arrivals import KEYS_KEPT
from pbem.storage.copying import NoCopy, Progress
from pbem.storage.engine import make_engine, reading, writing
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
from pbem.storage.operators import miscounted
from pbem.storage.outbox import COME_BACK, ELSEWHERE

MOST_NAMED = 20
"""So many are named of those with which anything is wrong."""

_BESIDE = ("", ".key", ".lock", "-wal", "-shm", "-journal")
"""The endings of the files of an SQLite database, ours and its own."""


@dataclass(frozen=True)
class Database:
    """A database to be looked after.

    Args:
        engine: of the database.
        file: where SQLite keeps it; None if it is not SQLite.
        key_file: where the secret key is kept; None if it stands in the settings.
    """

    engine: Engine
    file: Path | None
    key_file: Path | None

    def upgrade(self) -> tuple[str | None, str | None]:
        """Bring the schema up to date; return its revision before and now.

        Raises:
            NewerSchema: it is of a newer version of the program.
        """
        before, _ = schema.revisions(self.engine)
        schema.upgrade(self.engine)
        now, _ = schema.revisions(self.engine)
        return before, now

    def check(self) -> Iterator[Finding]:
        """Look at everything that can be looked at; a check that fails does not keep the others from being made."""
        checks = {"schema": self._schema, "writable": self._writable, "counts": self._counts}
        if self.file is not None:
            checks = {"integrity": self._integrity, "foreign keys": self._foreign_keys} | checks
        for what, check in checks.items():
            yield _finding(what, check)

    def fault(self) -> str:
        """The reason why no server could go on with this file; nothing if one could, whatever its rows say."""
        faults = (_finding("", check).said for check in (self._integrity, self._writable))
        return next(filter(None, faults), "")

    def _integrity(self) -> str:
        with reading(self.engine) as connection:
            found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(5)"))]
        return "" if found == ["ok"] else "; ".join(found)

    def _foreign_keys(self) -> str:
        with reading(self.engine) as connection:
            lost = connection.execute(text("PRAGMA foreign_key_check")).fetchall()
        return (
            "" if not lost else f"{len(lost)} rows of {', '.join(sorted({str(row[0]) for row in lost}))} lead nowhere"
        )

    def _schema(self) -> str:
        present, _ = schema.revisions(self.engine)
        return schema.difference(present)

    def _counts(self) -> str:
        wrong = miscounted(self.engine)
        return "" if not wrong else f"boards of {', '.join(wrong[:MOST_NAMED])} are not as many as were counted"

    def _writable(self) -> str:
        with writing(self.engine) as connection:
            connection.execute(text("CREATE TABLE pbem_check (number INTEGER)"))
            connection.execute(text("DROP TABLE pbem_check"))
        return ""

    def back_up(self, to: Path, told: Callable[[Progress], None], check: Callable[[Path], None]) -> list[Path]:
        """Copy the database as it is at this moment into an SQLite file, and the key beside it.

        Files of the same names are replaced, each by a whole one.

        Args:
            to: the file.
            told: how far the copy of a database on PostgreSQL has come.
            check: given the copy before it gets its name; raises one of these if it is no good.

        Returns:
            The files that were made.

        Raises:
            NoCopy: it cannot be copied there, or as it is.
            OSError, sqlite3.Error, SQLAlchemyError: it cannot be read, or the copy cannot be written.
        """
        self._check_foreign(to)
        made, file, key_file = [to], self.file, self.key_file
        if key_file is not None:
            _read_key(key_file)  # first: without it the copy would be made in vain

        def write(aside: Path) -> None:
            if file is None:
                _copy_rows(self.engine, aside, told)
            else:
                _copy(file, aside)
            check(aside)
            if key_file is not None:
                made.append(copy_key(key_file, to))

        _replace(to, write)
        return made

    def _check_foreign(self, to: Path) -> None:
        """See that neither a copy nor the key beside it would take the place of a file of the database."""
        for own in () if self.file is None else (self.file, self.file.resolve()):
            for beside in _BESIDE:
                taken = own.with_name(own.name + beside).resolve()
                if taken in (to.resolve(), _key_beside(to).resolve()):
                    raise NoCopy(f"{taken.name} belongs to the database itself")


def make_file(file: Path) -> None:
    """Make an empty file for a database that nobody else may read.

    Raises:
        OSError: it cannot be made.
    """
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def copy_key(key_file: Path, database: Path) -> Path:
    """Keep a secret key beside the file of another database; return where.

    Raises:
        OSError: it cannot be read or written.
    """
    key = _key_beside(database)
    _replace(key, lambda aside: aside.write_bytes(_read_key(key_file)))
    return key


def _read_key(key_file: Path) -> bytes:
    try:
        return key_file.read_bytes()
    except OSError as failed:
        raise OSError(failed.errno, failed.strerror, f"the secret key {key_file}") from None


def _key_beside(database: Path) -> Path:
    return database.with_name(database.name + ".key")


def _finding(what: str, check: Callable[[], str]) -> Finding:
    try:
        said = check()
    except SQLAlchemyError as failed:
        said = str(getattr(failed, "orig", None) or type(failed).__name__).strip()
    return Finding(what, Level.WRONG if said else Level.OK, said)


def _copy(file: Path, to: Path) -> None:
    """Copy in one step, which sees one moment and holds up no writer; the copy needs no other file beside it."""
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(to)) as copy,
    ):
        source.backup(copy)
        _finish(copy)


def _copy_rows(engine: Engine, to: Path, told: Callable[[Progress], None]) -> None:
    """Copy table by table what is there at one moment."""
    made = make_engine(f"sqlite:///{to}")
    try:
        schema.upgrade(made)
        for progress in copying.copy(engine, made):
            told(progress)
    finally:
        made.dispose()
    with closing(sqlite3.connect(to)) as copy:
        _finish(copy)


def _finish(copy: sqlite3.Connection) -> None:
    """See that a copy needs no other file beside it."""
    copy.execute("PRAGMA journal_mode = DELETE")


def _replace(file: Path, write: Callable[[Path], object]) -> None:
    """Write a file that nobody else may read; it is there whole or not at all."""
    aside = file.with_name(file.name + ".new")
    try:
        aside.unlink(missing_ok=True)
        make_file(aside)
    except OSError as failed:
        raise OSError(failed.errno, failed.strerror, str(file.absolute().parent)) from None
    try:
        write(aside)
        _sync(aside)
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)
    _sync(file.parent)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


AT_ONCE = 500
"""Rows of one kind that are forgotten in one transaction: letters wait for it at the door."""

WRONG_PASSWORDS_KEPT = timedelta(days=1)
SET_ASIDE = "letters_set_aside"
"""Letters that nobody has looked after."""
UNREAD_KEPT = timedelta(days=14)
"""The time for which unreadable letters are kept."""
CORRESPONDENTS_KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One kind of what is forgotten: whole rows, or some of their values."""

    name: str
    row: Any
    key: Any
    which: ColumnElement[bool]
    values: Mapping[str, Any] | None = None
    """The values afterwards; None: the rows go."""
    is_told: bool = False
    """The operator is told which they were."""


def forgettable(now: datetime, keep_mail: timedelta, keep_traces: timedelta) -> tuple[Forgotten, ...]:
    """The rows that may be forgotten by now.

    Args:
        now: the moment.
        keep_mail: the time for which the bytes of a mail are kept after it was sent or given up.
        keep_traces: the time for which the traffic of letters and mails is kept, with its addresses.
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
    has_bytes = or_(MailRow.raw.is_not(None), MailRow.packed.is_not(None))
    with_bytes = and_(has_gone, has_bytes, over < bytes_before)
    yield Forgotten("mail_bytes", MailRow, MailRow.id, with_bytes, {"raw": None, "packed": None})
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
    has_expired = row.expires_at <= now  # until then a second answer is told that it was answered before
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
            if what.row is MailRow and connection.dialect.name == "sqlite":
                connection.execute(update(MailRow).where(MailRow.id.in_(gone)).values(ELSEWHERE))
                connection.execute(COME_BACK)
        if gone and tell is not None:
            tell(connection, gone)
        return len(gone)
