from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.workers.office import Office

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def office(database_url: str, tmp_path: Path) -> Iterator[Office]:
    office = Office(database_url, tmp_path)
    yield office
    office.server.close()
