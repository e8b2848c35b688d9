from __future__ import annotations

from pathlib import Path

import pytest

from tests.matches.openings import table as table_of_openings
from tests.matches.tables import tables

PAGE = Path(__file__).parents[2] / "docs" / "robots.md"
TABLES = tables() | {"openings": table_of_openings()}


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_what_was_played(name: str) -> None:
    assert TABLES[name] in PAGE.read_text()
