"""Brings a database to the present schema; `serve` does so at every start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from pbem.resources import folder
from pbem.storage.engine import reading, writing

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_LOCK = 0x7062656D
"""Number of the advisory lock on PostgreSQL: the letters "pbem"."""


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that are missing; of several processes one does and the others wait for it."""
    with writing(engine) as connection:
        _lock(connection)
        command.upgrade(_config(connection), revision)


def revisions(engine: Engine) -> tuple[str | None, str | None]:
    """The revision of the database, None if it is empty, and the newest that we know."""
    with reading(engine) as connection:
        newest = ScriptDirectory.from_config(_config(connection)).get_current_head()
        return MigrationContext.configure(connection).get_current_revision(), newest


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
