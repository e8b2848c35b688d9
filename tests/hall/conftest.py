"""Everything here needs the extra ``hall``; ``make test-hall`` has it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tests.support.in_process import in_process_server
from tests.support.server import GameServer

collect_ignore_glob = [] if find_spec("pyspiel") else ["*"]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server for all tests of a file, which use different userids."""
    with in_process_server(tmp_path_factory.mktemp("server")) as server:
        yield server
