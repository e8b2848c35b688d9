from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.databases import engine_at
from tests.usecases.house import House

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def house(chosen_url: str) -> Iterator[House]:
    with engine_at(chosen_url) as engine:
        yield House(engine)
