from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.web_site import WebSite


@pytest.fixture
def site(chosen_url: str, tmp_path: Path) -> Iterator[WebSite]:
    """A server with nobody."""
    with WebSite(chosen_url, tmp_path) as site:
        yield site
