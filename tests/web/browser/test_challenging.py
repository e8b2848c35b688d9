"""A board that begins on the web, without any command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.server import RunningServer
    from tests.web.browser.conftest import Come


def test_a_challenge_by_the_form_begins_a_board_that_the_other_is_mailed(server: RunningServer, come: Come) -> None:
    server.player("zoe")
    zed = server.player("zed")
    visitor = come()
    visitor.signs_in("zoe")
    visitor.goes("/challenge?game=superbo")
    visitor.writes(to="zed")
    visitor.page.locator("main").get_by_role("button", name="Challenge", exact=True).click()
    mail = zed.hears()
    assert mail.subject.startswith("New superbo Board ")
    visitor.goes(f"/boards/{mail.subject.split()[3]}")
    visitor.has_turn()
