from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.storage.engine import make_engine
from tests.usecases.house import House

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def house(chosen_url: str) -> Iterator[House]:
    engine = make_engine(chosen_url)
    yield House(engine)
    engine.dispose()
