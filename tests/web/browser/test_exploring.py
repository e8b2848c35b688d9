"""Looking at the past of a game, and trying moves there that nobody else sees."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.browser import NO_SCRIPT
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import BrowserBoard, seat

TURNS = ("B3", "C4,K5", "G2,H7")


def played(server: RunningServer, come: Come, *names: str) -> BrowserBoard:
    """A board on which some turns have been played."""
    table = seat(server, come, "superbo", *names)
    table.goes_on(*TURNS)
    return table


def shows(page: Page, move: int) -> None:
    """Wait until the page shows the board after a move."""
    expect(page.locator(".steps > span")).to_have_text(f"{move} of {len(TURNS)}")


def test_arrow_keys_step_through_the_game(server: RunningServer, come: Come) -> None:
    table = played(server, come, "ivo", "ina")
    page = table.visitors[0].page
    for key, move in (("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3)):
        page.keyboard.press(key)
        shows(page, move)
    expect(page).to_have_url(re.compile(rf"{table.path}$"))


def test_arrow_keys_lead_from_space_to_space_on_the_board(server: RunningServer, come: Come) -> None:
    page = played(server, come, "ira", "ian").visitors[0].page
    page.locator("#board svg a.place").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    shows(page, len(TURNS))
    expect(page.locator("#board svg :focus")).to_have_count(1)


def test_moves_are_played_one_after_the_other_until_something_is_done(server: RunningServer, come: Come) -> None:
    table = played(server, come, "ole", "ona")
    page = table.visitors[0].page
    page.locator("#play").click()
    for move in range(len(TURNS) + 1):
        shows(page, move)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    expect(page).to_have_url(re.compile(rf"{table.path}$"))
    page.locator("#play").focus()
    page.keyboard.press("Enter")
    shows(page, 1)
    page.keyboard.press("ArrowLeft")
    shows(page, 0)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(1500)
    shows(page, 0)


def test_lines_that_were_tried_are_kept_in_the_browser(server: RunningServer, come: Come) -> None:
    table = played(server, come, "uwe", "udo")
    guest = come()
    page = guest.page
    guest.goes(f"{table.path}?move=1")
    expect(page.locator("#lines")).to_be_hidden()
    for turn in ("C4 K5", "C4 K5/G2 H7", "C4 K1"):
        guest.goes(f"{table.path}?move=1&turn={turn}")
    guest.goes(f"{table.path}?move=0&turn=B2")
    lines = page.locator("#lines > ul > li")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_have_text("After move 0:B2")
    expect(lines.nth(1).locator("a")).to_have_text(["C4,K5", "G2,H7", "C4,K1"])
    lines.nth(1).get_by_text("G2,H7").click()
    shows(page, 1)
    expect(page.locator("#lines a[aria-current]")).to_have_text(["G2,H7"])
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("G2$"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#lines a[aria-current]")).to_have_text(["C4,K5"])
    page.locator("#forget").click()
    expect(page.locator("#lines")).to_be_hidden()
    guest.goes(f"{table.path}?move=1")
    expect(page.locator("#lines")).to_be_hidden()


def test_a_line_is_tried_without_a_script(server: RunningServer, come: Come) -> None:
    table = played(server, come, "pia", "pit")
    guest = come(**NO_SCRIPT)
    guest.goes(f"{table.path}?move=0")
    guest.place("B").click()
    guest.page.locator(".choices a[data-step='B2']").click()
    guest.sees("Nothing of this is sent.")
    expect(guest.page).to_have_url(re.compile(r"move=0&turn=B2$"))


def test_lines_that_were_tried_on_a_finished_game_are_saved_as_a_study(server: RunningServer, come: Come) -> None:
    table = played(server, come, "uta", "ute")
    visitor = table.visitors[0]
    page = visitor.page
    visitor.goes(f"{table.path}?move=1&turn=C4 K1/D1")
    expect(page.locator("#studied")).to_have_count(0)
    table.people[1].answers(table.mails[1], "resign")
    table.people[1].hears()
    for turn in ("E4 M8", "E4 M8/K2 Q5", "G8 F10/P1"):
        visitor.goes(f"{table.path}?move=1&turn={turn}")
    page.locator("#study-title").fill("What else there was")
    page.get_by_role("button", name="Save them as a study").click()
    expect(page).to_have_url(re.compile(rf"{table.path}/study$"))
    expect(page.locator("h1")).to_have_text("What else there was")
    expect(page.locator("#study-text")).to_have_value("#2 C4,K1\n#2 E4,M8 / K2,Q5\n#2 G8,F10")
    page.get_by_role("link", name="3. K2,Q5").click()
    shows(page, 1)
    expect(page.locator("#lines a[aria-current]")).to_have_text(["K2,Q5"])


def test_the_keyboard_goes_on_with_the_reply_where_the_opponents_turn_is_tried_to_its_end(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo", "lena", "leon")
    planner, page = table.visitors[0], table.visitors[0].page
    planner.lays("B3")
    planner.plays()
    page.locator("#board svg a.place").first.focus()
    for moves in (1, 2):
        page.keyboard.press("Enter")
        expect(page.locator("#board .turning")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator("#board .turning")).to_have_count(0)
        expect(page.locator("#board :focus")).to_have_count(1)
        expect(page.locator(".drafted")).to_contain_text(re.compile(rf"(\w\d+\W+){{{moves}}}"))
    expect(page.locator(":focus")).to_have_text("Try what you could play then")
    page.keyboard.press("Enter")
    expect(page.locator(".draft")).to_contain_text("What could you play then?")
