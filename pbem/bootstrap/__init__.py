"""The only place where the parts meet: settings in, a server out."""

from pbem.bootstrap.database import using_database
from pbem.bootstrap.parts import find_games, make_retention, make_wording
from pbem.bootstrap.server import Server
from pbem.bootstrap.tools import open_archive, open_database, open_desk, open_intake

__all__ = [
    "Server",
    "find_games",
    "make_retention",
    "make_wording",
    "open_archive",
    "open_database",
    "open_desk",
    "open_intake",
    "using_database",
]
