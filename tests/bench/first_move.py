"""The way of a newcomer from the home page to their first move, in a real browser: how many clicks, how many seconds.

The newcomer presses the button that begins a game at once, and the sign at the tile that is there to be played.
Time to read and think is left out. The floor is the home page alone, from its address to the moment when it is loaded.
Without Chromium there is no figure.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, expect

from tests.bench.figures import Extent, Figure
from tests.support.browser import Visitor, running_chromium
from tests.support.ports import free_port
from tests.support.server import running_server

TARGET = 10
"""Seconds."""


def measure(extent: Extent) -> Iterator[Figure]:
    """One figure, or none where there is no Chromium."""
    if shutil.which("chromium") is None:
        print("first_move: skipped, there is no Chromium here", file=sys.stderr)
        return
    folder = extent.folder / "first_move"
    folder.mkdir()
    extent.check(folder)
    with running_chromium() as chromium, running_server(folder, web_listen=f"127.0.0.1:{free_port()}") as server:
        ways = [_way(chromium, server.web) for _ in range(extent.pick(1, 5))]
    whole, home, clicks = zip(*ways, strict=True)
    name = "home page to a newcomer's first move"
    yield Figure(name, "", "s", [*whole], [*home], TARGET, at_most=True, of_ratio=False, facts={"clicks": max(clicks)})


def _way(chromium: Browser, url: str) -> tuple[float, float, int]:
    """The seconds of the whole way, those until the home page is loaded, and the clicks."""
    visitor = Visitor.come(chromium, url)
    page, start, clicks = visitor.page, time.perf_counter(), 0
    visitor.goes("/")
    home = time.perf_counter() - start
    for target in (".hero button.main", ".confirm .sends"):
        page.locator(target).click()
        clicks += 1
    _is_sent(page)
    whole = time.perf_counter() - start
    visitor.leave()
    return whole, home, clicks


def _is_sent(page: Page) -> None:
    expect(page.locator("table.moves a")).not_to_have_count(0)
