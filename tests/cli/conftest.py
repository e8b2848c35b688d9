from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.server import RunningServer, running_server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all tests of a file, which use different userids."""
    with running_server(tmp_path_factory.mktemp("server"), operator="boss@example.org") as server:
        yield server
