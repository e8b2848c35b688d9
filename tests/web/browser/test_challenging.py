"""A board that begins on the web, without any command."""

from __future__ import annotations

import contextlib

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
    page = visitor.page
    page.locator("#to").press_sequentially(other[:-1])
    expect(page.locator(f"#names option[value='{other}']")).to_be_attached()
    visitor.writes(to=other)
    page.get_by_role("radio", name="I do").check(force=True)
    expect(page.locator("#go")).to_have_text(f"Challenge {other}")
    page.locator("#go").click()
    mail = zed.hears()
    assert mail.subject.startswith("New superbo Board ")
    visitor.goes(f"/boards/{mail.subject.split()[3]}")
    visitor.has_turn()


def test_another_game_brings_its_options_at_once(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yves")
    server.player(userid)
    visitor = come()
    visitor.signs_in(userid, then="/challenge")
    page = visitor.page
    options, line = page.locator("#options-of-game"), page.locator("#line code")
    expect(page.get_by_role("button", name="Show the options")).to_be_hidden()
    page.locator("#more > summary").click()
    page.locator("#words").fill("A secret word")
    expect(options.get_by_label("Close a group of your own")).to_be_visible()
    page.get_by_role("radio", name="Lambo").check(force=True)
    expect(options.get_by_label("Containing", exact=True)).to_have_count(0)
    expect(options.get_by_label("Size of eaten groups")).to_be_visible()
    expect(line).to_have_text("lambo seek 1")
    page.get_by_label("Variant").select_option("Containing")
    expect(line).to_have_text("lambo seek 1 -must_contain")
    page.get_by_role("radio", name="Mambo").check(force=True)
    expect(line).to_have_text("mambo seek 1")
    page.get_by_role("radio", name="Lambo").check(force=True)
    page.locator("#to").fill("zoe")
    page.locator("#to").blur()
    expect(line).to_have_text("lambo challenge -random zoe")
    expect(page.locator("#words")).to_have_value("A secret word")
    assert page.url.endswith("/challenge")


def test_what_is_impossible_is_grey_and_says_why(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yann")
    server.player(userid)
    visitor = come()
    visitor.signs_in(userid, then="/challenge?game=mambo")
    page = visitor.page
    expect(page.locator("#begins")).to_be_hidden()
    page.locator("#to").fill("zoe")
    expect(page.get_by_role("radio", name="Anyone")).not_to_be_checked()
    expect(page.get_by_role("radio", name="I do")).to_be_enabled()
    page.locator("#more > summary").click()
    expect(page.get_by_label("Rated", exact=True)).to_be_disabled()
    page.get_by_label("Two boards").check()
    expect(page.get_by_role("radio", name="I do")).to_be_disabled()
    page.get_by_label("Killing wins", exact=True).check()
    expect(page.get_by_label("Killing does not win")).to_be_disabled()
    expect(page.get_by_text("-no_kill and -kill do not go together")).to_be_visible()
    page.get_by_label("Killing wins", exact=True).uncheck()
    expect(page.get_by_label("Killing does not win")).to_be_enabled()


def test_an_answer_that_comes_late_puts_nothing_back(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yvette")
    server.player(userid)
    visitor = come()
    visitor.signs_in(userid, then="/challenge")
    page = visitor.page
    late = HeldRequests(page, r"/challenge\?.*game=superbo")
    page.locator("#to").fill("zoe")
    page.locator("#to").blur()
    late.come()
    page.get_by_role("radio", name="Lambo").check(force=True)
    line = page.locator("#line code")
    expect(line).to_have_text("lambo challenge -random zoe")
    for route in late.routes:
        with contextlib.suppress(PlaywrightError):  # nobody waits for it any more
            route.fulfill(response=page.request.get(route.request.url))
    page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))")
    expect(line).to_have_text("lambo challenge -random zoe")


def test_without_a_script_a_button_brings_them(server: RunningServer, come: Come) -> None:
    (userid,) = fresh("yara")
    server.player(userid)
    visitor = come(**NO_SCRIPT)
    visitor.signs_in(userid, then="/challenge")
    visitor.page.get_by_role("radio", name="Mambo").check(force=True)
    visitor.presses("Show the options of the chosen game")
    expect(visitor.page.locator("#options-of-game")).to_contain_text("Territory")
