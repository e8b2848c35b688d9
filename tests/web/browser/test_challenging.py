"""A board that begins on the web, without any command."""

from __future__ import annotations

import contextlib
import re

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.support.browser import NO_SCRIPT
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import HeldRequests, fresh


def test_a_challenge_by_the_form_begins_a_board_that_the_other_is_mailed(server: RunningServer, come: Come) -> None:
    zoe, other = fresh("zoe", "zed")
    server.player(zoe)
    zed = server.player(other)
    visitor = come()
    visitor.signs_in(zoe)
    visitor.goes("/challenge?game=superbo")
    visitor.writes(to=other)
    visitor.page.locator("main").get_by_role("button", name="Challenge", exact=True).click()
    mail = zed.hears()
    assert mail.subject.startswith("New superbo Board ")
    visitor.goes(f"/boards/{mail.subject.split()[3]}")
    visitor.has_turn()


def test_another_game_brings_its_options_at_once(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yves")
    server.player(userid)
    visitor = come()
    visitor.signs_in(userid, then="/challenge")
    options, line = visitor.page.locator("#options-of-game"), visitor.page.locator("#line")
    expect(options).to_contain_text("Options of Superbo")
    expect(visitor.page.get_by_role("button", name="Show its options")).to_be_hidden()
    visitor.page.locator("#words").fill("A secret word")
    options.locator("summary").click()
    visitor.page.locator("#game").select_option("lambo")
    expect(options).to_contain_text("Options of Lambo")
    expect(options.get_by_text("-eat_enemy", exact=False).first).to_be_visible()
    expect(line).to_contain_text("lambo seek")
    visitor.page.locator("#game").select_option("mamba")
    expect(visitor.page.locator("#order")).to_contain_text("The first player is drawn at random")
    expect(visitor.page.get_by_label("Options of the game")).to_have_accessible_name(re.compile("such as -inorder"))
    visitor.page.locator("#game").select_option("lambo")
    expect(visitor.page.locator("#order")).to_contain_text("The player named first moves first")
    visitor.page.locator("#to").fill("zoe")
    visitor.page.locator("#to").blur()
    expect(line).to_contain_text("lambo challenge zoe")
    expect(visitor.page.locator("#words")).to_have_value("A secret word")
    assert visitor.page.url.endswith("/challenge")


def test_an_answer_that_comes_late_puts_nothing_back(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yvette")
    server.player(userid)
    visitor = come()
    visitor.signs_in(userid, then="/challenge")
    late = HeldRequests(visitor.page, r"/challenge\?.*game=superbo")
    visitor.page.locator("#to").fill("zoe")
    visitor.page.locator("#to").blur()
    late.come()
    visitor.page.locator("#game").select_option("lambo")
    options = visitor.page.locator("#options-of-game")
    expect(options).to_contain_text("Options of Lambo")
    for route in late.routes:
        with contextlib.suppress(PlaywrightError):  # nobody waits for it any more
            route.fulfill(response=visitor.page.request.get(route.request.url))
    visitor.page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))")
    expect(options).to_contain_text("Options of Lambo")


def test_without_a_script_a_button_brings_them(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yara")
    server.player(userid)
    visitor = come(**NO_SCRIPT)
    visitor.signs_in(userid, then="/challenge")
    visitor.page.locator("#game").select_option("mambo")
    visitor.presses("Show its options")
    expect(visitor.page.locator("#options-of-game")).to_contain_text("Options of Mambo")
