"""What the command line opens beside whatever server is running on the same database."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.bootstrap.database import engine_of, kept_key, key_file, sqlite_path, using_database
from pbem.bootstrap.parts import find_games, make_composer, make_wording, policy
from pbem.config import BadSetting
from pbem.domain.replies import Signer
from pbem.mail_in.addresses import OwnAddress
from pbem.storage import schema
from pbem.storage.bulletins import BulletinBoard
from pbem.storage.inbox import Inbox
from pbem.storage.outbox import Outbox
from pbem.storage.passwords import Argon2Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.storage.upkeep import Database
from pbem.usecases.context import Context
from pbem.usecases.courses import Courses
from pbem.workers.archive import Archive
from pbem.workers.desk import Desk
from pbem.workers.intake import Intake

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pbem.config import Settings
    from pbem.domain.letters import Evidence


def open_archive(settings: Settings, *, make: bool) -> Archive:
    """The games of the database as records; a server may be running on it all the while.

    Args:
        settings: say where the database is, and what the usual clock is.
        make: whether to make it if there is none.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    path = sqlite_path(settings)
    if path is not None and not make and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    engine = engine_of(settings)
    with using_database():
        schema.upgrade(engine)
    return Archive(engine, find_games(), policy(settings).clock)


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """The database to be looked after, whether or not a server is running on it.

    Raises:
        BadSetting: the database is not there.
    """
    path = sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    engine = engine_of(settings)
    try:
        yield Database(engine, path, None if settings.secret_key or path is None else key_file(path))
    finally:
        engine.dispose()


def open_desk(settings: Settings, operator: str) -> Desk:
    """The operator's way to the database, beside whatever server is running on it.

    Args:
        settings: say where the database is.
        operator: the account on the machine.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    path = sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    engine, games = engine_of(settings), find_games()
    with using_database():
        schema.upgrade(engine)
    signer, courses = Signer(settings.secret_key or kept_key(settings)), Courses(games)
    passwords = Argon2Passwords(settings.password_memory_kib, settings.password_rounds)

    def context(uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
        return Context(uow, now, games, courses, passwords, policy(settings), evidence, signer.draw_lots, signer.tag)

    return Desk(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine, courses.of),
        make_context=context,
        composer=make_composer(settings, make_wording(settings), signer, BulletinBoard(engine)),
        outbox=Outbox(engine, timedelta()),
        ours=OwnAddress(settings.address),
        operator=operator,
    )


@contextmanager
def open_intake(settings: Settings) -> Iterator[Intake]:
    """The way into the inbox, beside whatever server is running on the same database.

    Raises:
        BadSetting: the database has not been made yet.
    """
    path = sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    if path is not None and settings.secret_key is None and not key_file(path).exists():
        raise BadSetting("PBEM_SECRET_KEY", f"there is no key {key_file(path).absolute()}")
    engine = engine_of(settings)
    try:
        signer = Signer(settings.secret_key or kept_key(settings))
        yield Intake(Inbox(engine, "", timedelta()), signer, settings.max_waiting_letters)
    finally:
        engine.dispose()
