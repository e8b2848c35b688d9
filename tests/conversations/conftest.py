from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import RunningServer, running_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    """A server of the test's own, with the default settings."""
    with running_server(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all tests of a file, which use different userids, with the default settings."""
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server
