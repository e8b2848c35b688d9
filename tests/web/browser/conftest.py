from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Visitor, running_chromium
from tests.support.ports import free_port
from tests.support.server import RunningServer, running_server


class Come(Protocol):
    """Opens a browser for one more visitor."""

    def __call__(self, url: str = ..., **profile: Any) -> Visitor: ...


# Playwright holds the event loop of its thread, so its browser ends before tests come that want one of their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all these tests, whose userids are all `fresh`."""
    with running_server(tmp_path_factory.mktemp("server"), web_listen=f"127.0.0.1:{free_port()}") as server:
        yield server


@pytest.fixture
def come(chromium: Browser, server: RunningServer) -> Iterator[Come]:
    """Opens browsers, and closes them in the end."""
    visitors: list[Visitor] = []

    def come(url: str = server.web, **profile: Any) -> Visitor:
        visitors.append(Visitor.come(chromium, url, **profile))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.leave()
