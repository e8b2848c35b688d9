from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.club import Club

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def club(chosen_url: str, tmp_path: Path) -> Iterator[Club]:
    """A server with nobody."""
    with Club(chosen_url, tmp_path) as club:
        yield club
