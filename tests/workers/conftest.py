from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.workers.search_processes import SearchProcess
from tests.workers.office import Office
from tests.workers.table import Table


@pytest.fixture
def office(database_url: str, tmp_path: Path) -> Iterator[Office]:
    office = Office(database_url, tmp_path)
    yield office
    office.server.close()


@pytest.fixture(scope="module")
def mind() -> Iterator[SearchProcess]:
    """A child that thinks for all robots of a file."""
    mind = SearchProcess(())
    yield mind
    mind.close()


@pytest.fixture
def table(sqlite_url: str, tmp_path: Path, mind: SearchProcess) -> Iterator[Table]:
    office = Office(sqlite_url, tmp_path, PBEM_MAX_PLAYOUTS="3", PBEM_TRUST_FROM="true")
    yield Table(office, mind)
    office.server.close()
