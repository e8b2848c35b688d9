from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.club import Club


@pytest.fixture
def club(chosen_url: str, tmp_path: Path) -> Iterator[Club]:
    """A server with nobody."""
    with Club(chosen_url, tmp_path) as club:
        yield club
