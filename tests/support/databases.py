"""Databases with their tables, as quickly as a copy is made: the migrations run once in a test process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.storage import schema
from pbem.storage.engine import make_engine

if TYPE_CHECKING:
    from tests.support.postgresql import Server

_MODEL = "migrated"


def migrate(url: str) -> None:
    """Give an empty database its tables."""
    engine = make_engine(url)
    try:
        schema.upgrade(engine)
    finally:
        engine.dispose()


@cache
def _model() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pbem-model-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(f"sqlite:///{folder / 'pbem.db'}")
    return folder / "pbem.db"


def put_sqlite(path: Path) -> str:
    """Put a database with its tables where there is none; return its URL."""
    shutil.copyfile(_model(), path)
    return f"sqlite:///{path}"


def model_on(server: Server) -> str:
    """The name of a database with its tables that others on this server can be copied from."""
    if _MODEL not in server.models:
        server.create(_MODEL)
        migrate(server.url(_MODEL))
        server.models.add(_MODEL)
    return _MODEL
