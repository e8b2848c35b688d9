"""Rules put together in a browser, shared, tried out, and challenged with."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import fresh


def test_rules_are_put_together_shared_and_played_by(server: RunningServer, come: Come) -> None:
    userids = fresh("ulla", "uwe")
    ulla, uwe = map(server.player, userids)
    author, reader = come(), come()
    author.goes("/games/lambo/variant")
    author.page.get_by_label("Swapping sides").check(force=True)
    author.page.get_by_label("Eating", exact=True).fill("3")
    author.page.get_by_label("Eating", exact=True).press("Tab")
    expect(author.page.locator("#share-mail")).to_have_value("lambo challenge -eat_enemy=3 -swap <userid>")
    shared = author.page.locator("#share-rules").input_value()
    assert shared == author.page.url
    assert shared.startswith(server.web)
    reader.goes(shared)
    expect(reader.page.get_by_label("Swapping sides")).to_be_checked()
    expect(reader.page.get_by_label("Eating", exact=True)).to_have_value("3")
    command = reader.page.locator("#share-mail").input_value()
    assert command == "lambo challenge -eat_enemy=3 -swap <userid>"
    ulla.says(command.replace("<userid>", userids[1]))
    assert ulla.hears().subject.startswith("New lambo Board ")
    number = uwe.hears().subject.split()[3]
    reader.goes(f"/boards/{number}")
    for option in ("-eat_enemy=3", "-swap"):
        expect(reader.page.locator("#board")).to_contain_text(option)


def test_a_variant_is_tried_out_by_keys(come: Come) -> None:
    """As on the page of a board: from space to space by arrows, then from tile to tile, and Enter."""
    visitor = come()
    visitor.goes("/games/superbo/variant/try?options=-single")
    page = visitor.page
    places = page.locator("#board svg a.place")
    places.first.focus()
    first = page.evaluate("document.activeElement.getAttribute('href')")
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('href')") != first
    page.keyboard.press("Enter")
    laid = page.locator("#place")
    expect(laid).to_be_visible()
    before = laid.inner_text()
    page.keyboard.press("ArrowRight")
    expect(laid).not_to_have_text(before)
    chosen = laid.inner_text().split()[-1]
    page.keyboard.press("Enter")
    expect(page.locator("ol.tried li")).to_contain_text(chosen.upper().split(",")[0])
    assert "turn=" in page.url
