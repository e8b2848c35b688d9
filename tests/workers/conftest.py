from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.workers.search_processes import SearchProcess
from tests.support.mail import Postbox
from tests.support.stepped_robots import SteppedRobots
from tests.support.stepped_server import SteppedServer
from tests.workers.outboxes import OutboxFixture


@pytest.fixture
def stepped(database_url: str, tmp_path: Path) -> Iterator[SteppedServer]:
    stepped = SteppedServer(database_url, tmp_path)
    yield stepped
    stepped.server.close()


@pytest.fixture(scope="module")
def mind() -> Iterator[SearchProcess]:
    """A child that thinks for all robots of a file."""
    mind = SearchProcess(())
    yield mind
    mind.close()


@pytest.fixture
def robots(sqlite_url: str, tmp_path: Path, mind: SearchProcess) -> Iterator[SteppedRobots]:
    stepped = SteppedServer(sqlite_url, tmp_path, PBEM_MAX_PLAYOUTS="3", PBEM_TRUST_FROM="true")
    yield SteppedRobots(stepped, mind)
    stepped.server.close()


@pytest.fixture
def post(database_url: str) -> Iterator[OutboxFixture]:
    with Postbox() as postbox:
        post = OutboxFixture(database_url, postbox)
        yield post
        post.relay.close()
        post.engine.dispose()
