from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pseudo_language import write_templates


@pytest.fixture(scope="session")
def nonsense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The templates, with nonsense in place of German."""
    place = tmp_path_factory.mktemp("templates")
    write_templates(place)
    return place
