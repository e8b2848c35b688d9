"""The operator's page in a browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.browser import DARK, NO_SCRIPT, PHONE, Visitor, barriers
from tests.support.operators import link_to_admin
from tests.support.ports import free_port
from tests.support.server import RunningServer, running_server
from tests.web.browser.conftest import Come


def test_an_operator_signs_in_looks_and_signs_out(server: RunningServer, come: Come) -> None:
    visitor = come(**PHONE, **DARK)
    visitor.goes(f"/admin/sign-in/{link_to_admin(server)}")
    visitor.presses("Sign in")
    expect(visitor.page.locator("h1")).to_have_text("Status")
    assert barriers(visitor) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.expected.append("403")
    visitor.presses("Sign out")
    expect(visitor.page.locator("h1")).to_have_text("For the operator")


def test_no_script_is_needed_there(server: RunningServer, come: Come) -> None:
    visitor = come(**NO_SCRIPT)
    visitor.goes(f"/admin/sign-in/{link_to_admin(server)}")
    visitor.presses("Sign in")
    expect(visitor.page.locator("h1")).to_have_text("Status")


def test_an_operator_freezes_a_player_after_a_question(tmp_path: Path, chromium: Browser) -> None:
    with running_server(tmp_path, web_listen=f"127.0.0.1:{free_port()}", admin_commands="true") as server:
        server.player("mel")
        visitor = Visitor.come(chromium, server.web, **PHONE)
        visitor.goes(f"/admin/sign-in/{link_to_admin(server)}")
        visitor.presses("Sign in")
        visitor.follows("Commands")
        visitor.follows("players freeze")
        visitor.page.get_by_label("USERID").fill("mel")
        visitor.page.get_by_label("--reason").fill("a pause")
        assert barriers(visitor) == []
        visitor.presses("Run")
        visitor.sees("pbem admin players freeze '--reason=a pause' -- mel")
        visitor.presses("Yes, run it")
        visitor.sees("mel is frozen; 1 mail is on the way")
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        visitor.leave()
