"""The archive of games, beside whatever server is running on the same database."""

from __future__ import annotations

from pbem.bootstrap.database import engine_of, existing_path, using_database
from pbem.bootstrap.games import find_games
from pbem.bootstrap.parts import policy
from pbem.bootstrap.upkeep import make_where_none_is
from pbem.config import Settings
from pbem.storage import schema
from pbem.workers.archive import Archive


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
