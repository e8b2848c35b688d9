from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from tests.storage.boxes import Boxes
from tests.support.databases import engine_at


@pytest.fixture
def bare_engine(empty_database_url: str) -> Iterator[Engine]:
    """An empty database, on SQLite and on PostgreSQL."""
    with engine_at(empty_database_url) as engine:
        yield engine


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """A database with its tables, on SQLite and on PostgreSQL."""
    with engine_at(database_url) as engine:
        yield engine


@pytest.fixture
def boxes(engine: Engine) -> Boxes:
    return Boxes(engine)
