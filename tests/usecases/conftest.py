from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.databases import engine_at
from tests.support.handlers import HandlerFixture


@pytest.fixture
def handlers(chosen_url: str) -> Iterator[HandlerFixture]:
    with engine_at(chosen_url) as engine:
        yield HandlerFixture(engine)
