from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.storage.engine import make_engine
from tests.storage.boxes import Boxes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine


@pytest.fixture
def bare_engine(empty_database_url: str) -> Iterator[Engine]:
    """An empty database, on SQLite and on PostgreSQL."""
    engine = make_engine(empty_database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """A database with its tables, on SQLite and on PostgreSQL."""
    engine = make_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def boxes(engine: Engine) -> Boxes:
    return Boxes(engine)
