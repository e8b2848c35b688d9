from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.server import RunningServer, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all tests of a file, which use different userids."""
    with running_server(tmp_path_factory.mktemp("server"), operator="boss@example.org") as server:
        yield server
