"""A token made in a browser, used by a program, and revoked."""

from __future__ import annotations

import httpx
from playwright.sync_api import expect

from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import fresh


def test_a_token_is_made_used_and_revoked(server: RunningServer, come: Come) -> None:
    def sends(command: str) -> httpx.Response:
        return httpx.post(f"{server.web}/commands", content=command, headers={"Authorization": f"Bearer {secret}"})

    (vera,) = fresh("vera")
    server.player(vera)
    visitor = come()
    visitor.signs_in(vera, then="/settings/tokens")
    visitor.writes(name="my robot")
    visitor.presses("Make a token")
    secret = visitor.page.locator("section[aria-labelledby=new-title] code").inner_text()
    assert "boards" in sends(f"games {vera}").json()["answers"][0]["name"]
    visitor.goes("/settings/tokens")
    expect(visitor.page.locator("body")).not_to_contain_text(secret)
    row = visitor.page.locator("table tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("my robot")
    expect(row).not_to_contain_text("never")
    visitor.presses("Revoke my robot")
    expect(row).to_have_count(0)
    assert sends(f"games {vera}").status_code == 401
