"""A board that is open while the game goes on, and what the keyboard and the pointer do there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.web.browser.playing import seat

if TYPE_CHECKING:
    from tests.support.server import RunningServer
    from tests.web.browser.conftest import Come


def test_who_tries_out_moves_is_told_that_the_game_has_gone_on_and_keeps_them(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo challenge nina nick", "nina", "nick")
    nick = table.visitors[1].page
    nick.goto(f"{table.visitors[1].page.url.partition('/boards')[0]}{table.path}?turn=c4/")
    expect(nick.locator(".news")).to_be_hidden()
    table.people[0].answers(table.mails[0], "B3")
    expect(nick.locator(".news")).to_contain_text("The game has gone on. Last: move 1 of nina, B3.")
    assert "turn=" in nick.url
    expect(nick.locator("#draft-title")).to_have_text("Try a move")
    nick.locator(".news a").click()
    expect(nick.locator("#draft-title")).to_have_text("Your move")


def test_a_chat_is_seen_at_once_by_who_plays_there_and_what_is_drafted_stays(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo challenge carla cora", "carla", "cora")
    carla, cora = (visitor.page for visitor in table.visitors)
    watcher = come().page
    watcher.goto(f"{server.web}{table.path}")
    cora.goto(f"{server.web}{table.path}?turn=c4/")
    cora.locator("#chat").fill("half a")
    for words in ("Good luck, Cora!", "And have fun."):
        carla.locator("#chat").fill(words)
        carla.get_by_role("button", name="Send it").click()
        expect(cora.locator(".said")).to_contain_text(words)
    assert "turn=" in cora.url
    expect(cora.locator("#chat")).to_have_value("half a")
    expect(watcher.get_by_text("Good luck, Cora!")).to_have_count(0)
    assert "Good luck" not in watcher.content()


def test_a_page_for_which_there_is_no_place_says_so_and_looks_for_moves_itself(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo challenge vito viktor", "vito", "viktor")
    viktor = table.visitors[1]
    viktor.expected += ["503"]
    viktor.page.clock.install()
    viktor.page.route("**/live", lambda route: route.fulfill(status=503, headers={"retry-after": "60"}))
    viktor.page.reload()
    told = viktor.page.locator(".by-hand")
    expect(told).to_contain_text("looks for them every now and then")
    table.people[0].answers(table.mails[0], "B3")
    table.people[1].hears()
    viktor.page.clock.run_for(6_000)
    viktor.has_turn()
    expect(told).to_be_visible()
    viktor.page.unroute("**/live")
    viktor.page.clock.run_for(11_000)
    expect(told).to_be_hidden()


def test_a_browser_opens_more_boards_than_it_has_connections(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo challenge nelly norman", "nelly", "norman")
    norman = table.visitors[1]
    pages = [norman.page, *(norman.context.new_page() for _ in range(7))]
    for page in pages[1:]:
        page.goto(f"{server.web}{table.path}")
    table.people[0].answers(table.mails[0], "B3")
    expect(norman.page.locator("#draft-title")).to_have_text("Your move")
    told = [page.locator(".by-hand").is_visible() for page in pages]
    assert told == [False] * 4 + [True] * 4
    pages[0].close()
    norman.page = pages[-1]
    expect(pages[-1].locator("#draft-title")).to_have_text("Your move")


def test_words_that_are_not_sent_yet_outlive_a_move(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo challenge olga omar", "olga", "omar")
    omar = table.visitors[1].page
    omar.locator("#chat").fill("Well, I think")
    table.people[0].answers(table.mails[0], "B3")
    table.visitors[1].has_turn()
    expect(omar.locator("#chat")).to_have_value("Well, I think")
    expect(omar.locator("#chat")).to_be_focused()


def test_arrow_keys_lead_from_space_to_space_and_back(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo challenge paul pia", "paul", "pia")
    page = table.visitors[0].page
    page.locator('svg a.place:has([data-label="A"])').focus()
    held = "document.activeElement.querySelector('[data-label]').dataset.label"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(held) != "A"
    page.keyboard.press("Enter")
    expect(page.locator(".turning a:not(.hidden)")).to_be_focused()
    picked = page.locator("svg .picked").get_attribute("data-label")
    page.keyboard.press("Escape")
    expect(page.locator(".turning")).to_have_count(0)
    assert page.evaluate(held) == picked


def test_a_group_lights_up_under_the_pointer_and_is_told_of(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo challenge rosa ron", "rosa", "ron")
    page = table.visitors[0].page
    page.locator("svg.hextile use[href^='#b'][data-group]").first.hover()
    expect(page.locator(".of-group")).to_have_text(re.compile(r"^O: 1 bridge, 4 ways out"))
    expect(page.locator("svg.hextile")).to_have_class(re.compile("lit"))
    page.locator("#title").hover()
    expect(page.locator(".of-group")).to_have_text("")
