"""The operator's desk, beside whatever server is running on the same database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.bootstrap.database import engine_of, existing_path, kept_key, using_database
from pbem.bootstrap.games import find_games
from pbem.bootstrap.parts import make_composer, make_contexts
from pbem.bootstrap.wording import make_wording
from pbem.domain.replies import Signer
from pbem.mail_in.addresses import OwnAddress
from pbem.storage import schema
from pbem.storage.bulletins import BulletinBoard
from pbem.storage.outbox import Outbox
from pbem.storage.passwords import Argon2Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.courses import Courses
from pbem.workers.desk import Desk

if TYPE_CHECKING:
    from pbem.config import Settings


def open_desk(settings: Settings, operator: str) -> Desk:
    """The operator's way to the database, beside whatever server is running on it.

    Args:
        settings: say where the database is.
        operator: the account on the machine.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    existing_path(settings)
    engine, games = engine_of(settings), find_games()
    with using_database():
        schema.upgrade(engine)
    signer, courses = Signer(settings.secret_key or kept_key(settings)), Courses(games)
    passwords = Argon2Passwords(settings.password_memory_kib, settings.password_rounds)
    return Desk(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine, courses.of, most_playouts=settings.max_playouts),
        make_context=make_contexts(settings, games, courses, passwords, signer),
        composer=make_composer(settings, make_wording(settings), signer, BulletinBoard(engine)),
        outbox=Outbox(engine, timedelta()),
        ours=OwnAddress(settings.address),
        operator=operator,
    )
