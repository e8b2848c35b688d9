"""Parts of the command line that changes things: desk and archive."""

from __future__ import annotations

from pbem.bootstrap.database import engine_of, existing_path, signer_of, using_database
from pbem.bootstrap.games import find_games
from pbem.bootstrap.parts import Parts, make_passwords, policy
from pbem.bootstrap.upkeep import make_where_none_is
from pbem.config import Settings
from pbem.storage import schema
from pbem.storage.unit_of_work import UnitOfWork
from pbem.workers.admin_session import AdminSession, Archive


def open_desk(settings: Settings, operator: str) -> AdminSession:
    """The operator's way to the database, beside whatever server is running on it.

    Args:
        settings: say where the database is.
        operator: the account on the machine.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    existing_path(settings)
    engine = engine_of(settings)
    with using_database():
        schema.upgrade(engine)
    parts = Parts(settings, engine, "", signer_of(settings), make_passwords(settings))
    return AdminSession(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine, parts.courses.of, most_playouts=settings.max_playouts),
        make_context=parts.make_context,
        composer=parts.composer,
        outbox=parts.outbox,
        ours=parts.ours,
        operator=operator,
    )


def open_archive(settings: Settings, *, make: bool) -> Archive:
    """The games of the database as records; a server may be running on it all the while.

    Args:
        settings: say where the database is, and what is usual of clocks.
        make: whether to make it if there is none.

    Raises:
        BadSetting: the database is not there, or cannot be used.
    """
    if make:
        make_where_none_is(settings)
    else:
        existing_path(settings)
    engine = engine_of(settings)
    with using_database():
        schema.upgrade(engine)
    return Archive(engine, find_games(), policy(settings))
