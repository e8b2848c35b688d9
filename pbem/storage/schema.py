"""Brings a database to the present schema; `serve` does so at every start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from pbem.resources import folder
from pbem.storage.engine import writing

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_LOCK = 0x7062656D
"""Number of the advisory lock on PostgreSQL: the letters "pbem"."""


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that are missing; of several processes one does and the others wait for it."""
    with writing(engine) as connection:
        _lock(connection)
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take migrations back, down to ``revision`` (``base``: all)."""
    with writing(engine) as connection:
        _lock(connection)
        command.downgrade(_config(connection), revision)


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")))
    config.attributes["connection"] = connection
    return config
