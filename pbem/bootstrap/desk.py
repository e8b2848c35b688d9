"""The operator's desk, beside whatever server is running on the same database."""

from __future__ import annotations

from pbem.bootstrap.database import engine_of, existing_path, signer_of, using_database
from pbem.bootstrap.parts import Parts, make_passwords
from pbem.config import Settings
from pbem.storage import schema
from pbem.storage.unit_of_work import UnitOfWork
from pbem.workers.desk import Desk


def open_desk(settings: Settings, operator: str) -> Desk:
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
    return Desk(
        engine=engine,
        unit_of_work=lambda: UnitOfWork(engine, parts.courses.of, most_playouts=settings.max_playouts),
        make_context=parts.make_context,
        composer=parts.composer,
        outbox=parts.outbox,
        ours=parts.ours,
        operator=operator,
    )
