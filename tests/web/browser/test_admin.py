"""The operator's page in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.browser import DARK, NO_SCRIPT, PHONE, barriers
from tests.support.operators import link_to_admin
from tests.support.server import RunningServer
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
