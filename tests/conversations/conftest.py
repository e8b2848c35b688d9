from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.in_process import in_process_server
from tests.support.server import GameServer, RunningServer, running_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    """A server of the test's own, with the default settings."""
    with in_process_server(tmp_path) as server:
        yield server


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """A server of the test's own in a process of its own, which is written to by SMTP."""
    with running_server(tmp_path) as server:
        yield server


@pytest.fixture(params=["shared", pytest.param("running", marks=pytest.mark.system)])
def by_either_way(request: pytest.FixtureRequest) -> GameServer:
    """A server that works in the thread of the test, and one that is written to by SMTP."""
    found: GameServer = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server for all tests of a file, which use different userids, with the default settings."""
    with in_process_server(tmp_path_factory.mktemp("server")) as server:
        yield server
