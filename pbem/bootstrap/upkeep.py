"""The database to be looked after, beside whatever server is running on it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.bootstrap.database import engine_of, key_file, sqlite_path
from pbem.config import BadSetting
from pbem.storage.upkeep import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Settings


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
