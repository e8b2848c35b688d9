from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.databases import engine_at
from tests.usecases.house import House


@pytest.fixture
def house(chosen_url: str) -> Iterator[House]:
    with engine_at(chosen_url) as engine:
        yield House(engine)
