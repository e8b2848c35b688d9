"""Brings a database to the present schema; `serve` does so at every start.

Alembic takes longer to load than most commands take in all, so it is loaded only where it has something to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import OperationalError

from pbem import folder
from pbem.errors import PbemError
from pbem.storage.engine import reading, writing

if TYPE_CHECKING:  # loaded where it has something to do
    from alembic.config import Config

_HEAD = "head"
_LOCK = 0x7062656D
"""Number of the advisory lock on PostgreSQL: the letters "pbem"."""
_DEADLOCK = "40P01"
"""PostgreSQL's deadlock_detected."""
_ATTEMPTS = 20
"""Each takes a second, after which PostgreSQL looks whether some wait for each other."""


class NewerSchema(PbemError):
    """The database has been brought further than this version of the program knows; ``str`` says so."""

    difference: str

    def __str__(self) -> str:
        return f"its schema {self.facts['difference']}"


def upgrade(engine: Engine, revision: str = _HEAD) -> None:
    """Run the migrations that are missing; of several processes one does and the others wait for it.

    Other processes may go on with letters meanwhile. PostgreSQL may then take the migrations back, all of them, because
    they and a letter wait for each other; they are run again.

    Raises:
        NewerSchema: there are migrations in it that we do not know.
    """
    further = _ATTEMPTS
    while True:
        try:
            _upgrade(engine, revision)
        except OperationalError as failed:
            further -= 1
            if not further or getattr(failed.orig, "sqlstate", None) != _DEADLOCK:
                raise
        else:
            return


def _upgrade(engine: Engine, revision: str) -> None:
    with writing(engine) as connection:
        lock(connection)
        present = revision_of(connection)
        if _is_newer(present):
            raise NewerSchema(difference(present))
        if revision == _HEAD and present == newest():
            return
        from alembic import command

        command.upgrade(alembic_config(connection), revision)


def revisions(engine: Engine) -> tuple[str | None, str]:
    """The revision of the database, None if it is empty, and the newest that we know."""
    with reading(engine) as connection:
        return revision_of(connection), newest()


def has_anybody(engine: Engine) -> bool:
    """Return True if a database has anyone to whom a mail may have gone."""
    with reading(engine) as connection:
        if not inspect(connection).has_table("addresses"):
            return False
        return connection.scalar(text("SELECT 1 FROM addresses LIMIT 1")) is not None


def newest() -> str:
    """The newest revision that we know: the files of the migrations begin with their numbers."""
    return max(path.name.partition("_")[0] for path in (folder("migrations") / "versions").glob("[0-9]*_*.py"))


def difference(present: str | None) -> str:
    """The reason why a database with this revision cannot be used, and the remedy; nothing if it is the newest."""
    if _is_newer(present):
        return f"is {present}, of a newer pbem than this one, which knows none beyond {newest()}"
    return "" if present == newest() else f"is {present or 'empty'}, not {newest()}: pbem db upgrade"


def _is_newer(present: str | None) -> bool:
    return present is not None and present > newest()


def revision_of(connection: Connection) -> str | None:
    """The revision of the database, None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def downgrade(engine: Engine, revision: str) -> None:
    """Take migrations back, down to ``revision`` (``base``: all)."""
    with writing(engine) as connection:
        lock(connection)
        from alembic import command

        command.downgrade(alembic_config(connection), revision)


def lock(connection: Connection) -> None:
    """On PostgreSQL, have other processes that start wait until this transaction has ended."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def try_lock(connection: Connection) -> bool:
    """The same, if no other process is starting just now."""
    return connection.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": _LOCK}) is True


def alembic_config(connection: Connection) -> Config:
    """The settings of migrations on this connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder("migrations")))
    config.attributes["connection"] = connection
    return config
