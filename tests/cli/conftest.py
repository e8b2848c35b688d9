from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.in_process import in_process_server
from tests.support.server import GameServer


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server for all tests of a file, which use different userids."""
    with in_process_server(tmp_path_factory.mktemp("server"), operator="boss@example.org") as server:
        yield server
