"""Times when the server cannot be reached: a page says so, and all is as before when it is back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.browser import Visitor
from tests.support.ports import free_port
from tests.support.server import running_server


def test_a_page_says_that_the_server_is_away_and_pages_come_again_with_it(chromium: Browser, tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen=f"127.0.0.1:{free_port()}") as server:
        visitor = Visitor.come(chromium, server.web)
        visitor.expected += ["ERR_"]
        visitor.goes("/")
        while not visitor.page.evaluate("navigator.serviceWorker.controller !== null"):
            visitor.page.wait_for_timeout(50)
        visitor.goes("/games")
        server.stop()
        visitor.goes("/boards")
        visitor.sees("Your drafts are kept")
        visitor.page.reload()
        visitor.sees("Your drafts are kept")
        visitor.page.go_back()
        visitor.sees(re.compile("Lambo|Your drafts are kept"))
        server.start()
        visitor.goes("/games")
        expect(visitor.page.locator("h1")).to_have_text("Games")
        visitor.leave()


KEPT = """async (lang) => (await (await caches.match("/offline/words"))?.json())?.language === lang"""
"""True if the page is kept in a language."""


def test_the_page_without_the_server_is_in_the_language_that_was_chosen_last(chromium: Browser, tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen=f"127.0.0.1:{free_port()}") as server:
        visitor = Visitor.come(chromium, server.web)
        visitor.expected += ["ERR_"]
        visitor.goes("/")
        visitor.page.wait_for_function(KEPT, arg="en")
        for language in ("de", "fr"):
            visitor.page.locator(f".languages button[value={language}]").click()
            expect(visitor.page.locator("html")).to_have_attribute("lang", language)
            visitor.page.wait_for_function(KEPT, arg=language)
        server.stop()
        visitor.goes("/boards")
        visitor.sees("Vos brouillons sont conservés")
        visitor.leave()
