"""A board that is open while the game goes on, and what the keyboard and the pointer do there."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import UTC, datetime

from playwright.sync_api import Page, expect
from sqlalchemy import insert

from pbem.bots.analysis import Look
from pbem.games.game import Candidate
from pbem.storage.engine import make_engine, writing
from pbem.storage.models import BoardAnalysisRow
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import HeldRequests, seat, waits_until


def test_who_tries_out_moves_is_told_that_the_game_has_gone_on_and_keeps_them(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo", "nina", "nick")
    nick = table.visitors[1].page
    nick.goto(f"{table.visitors[1].page.url.partition('/boards')[0]}{table.path}?turn=c4/")
    expect(nick.locator(".news")).to_be_hidden()
    table.people[0].answers(table.mails[0], "B3")
    expect(nick.locator(".news")).to_contain_text(f"The game has gone on. Last: move 1 by {table.userids[0]}, B3.")
    expect(nick.locator("#announced")).to_contain_text(f"The game has gone on. Last: move 1 by {table.userids[0]}, B3.")
    assert "turn=" in nick.url
    expect(nick.locator("#draft-title")).to_have_text("Try a move")
    nick.locator(".news a").click()
    expect(nick.locator("#draft-title")).to_have_text("Your move")


def test_a_chat_is_seen_at_once_by_who_plays_there_and_what_is_drafted_stays(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "carla", "cora")
    carla, cora = (visitor.page for visitor in table.visitors)
    watcher = come().page
    watcher.goto(f"{server.web}{table.path}")
    cora.goto(f"{server.web}{table.path}?turn=c4/")
    cora.locator("#chat").fill("half a")
    for words in ("Good luck, Cora!", "And have fun."):
        carla.locator("#chat").fill(words)
        carla.get_by_role("button", name="Send").click()
        expect(cora.locator(".said")).to_contain_text(words)
        expect(cora.locator("#announced")).to_contain_text(words)
    assert "turn=" in cora.url
    expect(cora.locator("#chat")).to_have_value("half a")
    expect(watcher.get_by_text("Good luck, Cora!")).to_have_count(0)
    assert "Good luck" not in watcher.content()


def places_are_held(page: Page, count: int) -> None:
    """Wait until pages of this browser hold so many of the places for those who follow boards."""
    held = "navigator.locks.query().then(({ held }) => held.length)"
    waits_until(page, lambda: page.evaluate(held) == count)


def test_a_page_for_which_there_is_no_place_says_so_and_looks_for_moves_itself(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo", "vito", "viktor")
    viktor = table.visitors[1]
    viktor.expected += ["503"]
    viktor.page.clock.install()
    viktor.page.route("**/live", lambda route: route.fulfill(status=503, headers={"retry-after": "60"}))
    viktor.page.reload()
    told = viktor.page.locator(".by-hand")
    expect(told).to_contain_text("checks for new moves every now and then")
    expect(viktor.page.locator("#announced")).to_contain_text("checks for new moves every now and then")
    places_are_held(viktor.page, 0)
    table.people[0].answers(table.mails[0], "B3")
    table.people[1].hears()
    viktor.page.clock.run_for(6_000)
    viktor.has_turn()
    expect(told).to_be_visible()
    viktor.page.unroute("**/live")
    viktor.page.clock.run_for(11_000)
    expect(told).to_be_hidden()


def test_a_browser_opens_more_boards_than_it_has_connections(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "nelly", "norman")
    norman = table.visitors[1]
    pages = [norman.page, *(norman.context.new_page() for _ in range(7))]
    pages[-1].clock.install()
    for count, page in enumerate(pages, 1):
        page.goto(f"{server.web}{table.path}")
        places_are_held(page, min(count, 4))
    table.people[0].answers(table.mails[0], "B3")
    expect(norman.page.locator("#draft-title")).to_have_text("Your move")
    for page in pages[:4]:
        expect(page.locator(".by-hand")).to_be_hidden()
    for page in pages[4:]:
        expect(page.locator(".by-hand")).to_be_visible()
    pages[0].close()
    norman.page = pages[-1]
    norman.page.clock.run_for(6_000)
    norman.has_turn()


def test_words_that_are_not_sent_yet_outlive_a_move(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "olga", "omar")
    omar = table.visitors[1].page
    omar.locator("#chat").fill("Well, I think")
    table.people[0].answers(table.mails[0], "B3")
    table.visitors[1].has_turn()
    expect(omar.locator("#chat")).to_have_value("Well, I think")
    expect(omar.locator("#chat")).to_be_focused()


def test_arrow_keys_lead_from_space_to_space_and_back(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "paul", "pia")
    page = table.visitors[0].page
    page.locator('svg a.place:has([data-label="A"])').focus()
    held = "document.activeElement.querySelector('[data-label]').dataset.label"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(held) != "A"
    page.keyboard.press("Enter")
    expect(page.locator(".turning a:not(.hidden)")).to_be_focused()
    picked = page.locator("svg .picked").get_attribute("data-label")
    page.keyboard.press("Escape")
    expect(page.locator(".turning")).to_have_count(0)
    assert page.evaluate(held) == picked


def test_a_group_lights_up_under_the_pointer_and_is_told_of(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "rosa", "ron")
    page = table.visitors[0].page
    page.locator("svg.hextile use[href^='#b'][data-group]").first.hover()
    expect(page.locator(".of-group")).to_have_text(re.compile(r"^O: 1 bridge, 4 ways out"))
    expect(page.locator("svg.hextile")).to_have_class(re.compile("lit"))
    page.locator("#title").hover()
    expect(page.locator(".of-group")).to_have_text("")


def test_a_click_whose_page_is_slow_is_not_overtaken_by_a_move(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "hana", "hugo")
    hugo = table.visitors[1].page
    held = HeldRequests(hugo, r"pick=A\b")
    hugo.evaluate("document.getElementById('board').dataset.mark = 'old'")
    hugo.locator('svg a.place:has([data-label="A"])').click()
    held.come()
    table.people[0].answers(table.mails[0], "B3")
    expect(hugo.locator("#announced")).to_contain_text(f"The game has gone on. Last: move 1 by {table.userids[0]}, B3.")
    expect(hugo.locator("#board")).to_have_attribute("data-mark", "old")
    held.routes[0].continue_()
    expect(hugo).to_have_url(re.compile("pick=A"))
    expect(hugo.locator("#draft-title")).to_have_text("Your move")
    hugo.evaluate("fetch(location.pathname).then((response) => response.text())")  # what was asked for before has come
    expect(hugo).to_have_url(re.compile("pick=A"))


def test_a_page_that_was_made_before_a_move_and_comes_after_it_tells_of_the_move(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo", "irma", "ivor")
    ivor = table.visitors[1].page
    held = HeldRequests(ivor, r"pick=A\b")
    ivor.locator('svg a.place:has([data-label="A"])').click()
    held.come()
    before = held.routes[0].fetch()
    table.people[0].answers(table.mails[0], "B3")
    expect(ivor.locator(".news")).to_be_visible()
    held.routes[0].fulfill(response=before)
    expect(ivor).to_have_url(re.compile("pick=A"))
    expect(ivor.locator(".news")).to_contain_text(f"Last: move 1 by {table.userids[0]}, B3.")


def test_of_two_clicks_the_later_one_is_shown_whichever_page_comes_first(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "jana", "jack")
    jana = table.visitors[0].page
    held = HeldRequests(jana, r"pick=A\b")
    jana.locator('svg a.place:has([data-label="A"])').click()
    held.come()
    table.visitors[0].clicks(table.visitors[0].place("B"))
    with jana.expect_response(re.compile(r"pick=A\b")) as late:
        held.routes[0].continue_()
    late.value.finished()
    jana.evaluate("() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))")
    expect(jana).to_have_url(re.compile("pick=B"))
    expect(jana.locator("#place")).to_contain_text("Play B")


def test_a_move_whose_page_does_not_come_leaves_the_board_and_what_was_written(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo", "lena", "luis")
    luis = table.visitors[1]
    luis.expected += ["500"]
    luis.page.clock.install()
    luis.goes(f"{table.path}?all=yes")
    luis.page.locator("#chat").fill("Well, I think")
    luis.page.route(f"**{table.path}?*", lambda route: route.fulfill(status=500, body="no page"))
    table.people[0].answers(table.mails[0], "B3")
    expect(luis.page.locator(".by-hand")).to_be_visible()
    expect(luis.page.locator("#chat")).to_have_value("Well, I think")
    expect(luis.page.locator("#draft-title")).to_have_text("Try a move")
    luis.page.unroute(f"**{table.path}?*")
    luis.page.clock.run_for(6_000)
    luis.has_turn()
    luis.is_at(f"{table.path}")
    assert luis.page.url.endswith("?all=yes"), "the list of moves is shown as it was"
    expect(luis.page.locator("#chat")).to_have_value("Well, I think")
    expect(luis.page.locator("#announced")).to_contain_text("B3")


def is_hidden(page: Page, *, hidden: bool) -> None:
    """Let a page be behind another one, or not any more: a browser without a screen knows of no such thing."""
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_a_page_that_nobody_sees_holds_no_place_and_follows_again_once_it_is_seen(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "superbo", "mona", "marc")
    mona, marc = table.visitors
    places_are_held(marc.page, 1)
    is_hidden(marc.page, hidden=True)
    places_are_held(marc.page, 0)
    table.people[0].answers(table.mails[0], "B3")
    mona.sees("1. B3")
    assert marc.page.locator("#draft-title").inner_text() == "Try a move"
    is_hidden(marc.page, hidden=False)
    marc.has_turn()


def is_in_its_frame(page: Page) -> bool:
    """Return True if the move that is shown is visible in the list of moves."""
    present, frame = page.locator(".moves a[aria-current]"), page.locator(".scroll:has(.moves)")
    inside, around = present.bounding_box(), frame.bounding_box()
    assert inside is not None
    assert around is not None
    return around["y"] <= inside["y"] and inside["y"] + inside["height"] <= around["y"] + around["height"]


def test_the_list_of_moves_scrolls_to_the_one_that_is_shown(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "lola", "luca")
    table.goes_on("B3", "C4,K5", "G2,H7", "D8,R10")
    page = table.visitors[0].page
    page.evaluate("document.styleSheets[0].insertRule('.scroll { max-height: 5rem !important }', 0)")
    for move in (4, 3):
        page.locator(f'.moves a[href$="move={move}"]').evaluate("link => link.click()")
        expect(page).to_have_url(re.compile(rf"move={move}$"))
        assert is_in_its_frame(page), move
        assert page.evaluate("scrollY") == 0, "the page itself stays where it is"


AWAITED = """() => {
  window.wasHere = true;
  document.querySelector(".analysis form").outerHTML = "<p class=awaited>";
}"""
"""Puts the words on the page that stand there where a computer opponent is at work: on this server none is."""


def test_an_analysis_appears_by_itself_and_an_address_is_copied(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "anke", "arno")
    table.goes_on("B3", "C4,K5", "G2,H7")
    table.people[1].says(f"resign {table.number} {table.userids[1]} secret")
    page = table.visitors[0].page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.visitors[0].sees("Rematch")
    table.visitors[0].unfolds(page.locator("[data-copies=share-game]")).click()
    expect(page.locator("[data-copies=share-game]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.web}{table.path}"
    page.evaluate(AWAITED)
    looks = [
        asdict(Look(at, at + 1, at % 2, turn, (Candidate((turn,), 0.6, 9, proven=False),), 0.5, 0.6, is_best=True))
        for at, turn in enumerate(("B3", "C4,K5", "G2,H7"))
    ]
    values = {"board_number": int(table.number), "playouts": 100, "made_at": datetime.now(UTC)}
    with writing(make_engine(server.database.url)) as connection:
        connection.execute(insert(BoardAnalysisRow).values(**values, looks=looks))
    expect(page.locator(".analysis .chances")).to_be_visible()
    assert page.evaluate("window.wasHere")
