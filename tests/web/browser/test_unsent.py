"""Words written at a board and not sent yet, while the drafted turn changes."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.server import RunningServer
from tests.web.browser.conftest import Come
from tests.web.browser.playing import seat


def test_words_to_go_with_a_move_outlive_steps_back_and_other_tiles(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "abby", "adam")
    mover, page = table.visitors[0], table.visitors[0].page
    words = page.locator("#comment")
    mover.lays("B3")
    words.fill("Good luck!")
    mover.follows("Take one step back")
    expect(words).to_have_count(0)
    mover.lays("A1")
    expect(words).to_have_value("Good luck!")
    page.go_back()
    expect(words).to_have_count(0)
    page.go_forward()
    expect(words).to_have_value("Good luck!")
    words.fill("")
    mover.follows("Take one step back")
    mover.lays("B3")
    expect(words).to_have_value("")
    words.fill("Have fun!")
    mover.plays()
    table.visitors[1].sees("Have fun!")
    expect(page.locator("#chat")).to_have_value("")


def test_words_outlive_a_turn_that_is_typed(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "superbo", "alma", "alec")
    mover, page = table.visitors[0], table.visitors[0].page
    typed, words = page.locator("#turn"), page.locator("#comment")
    page.locator("#chat").fill("Well, I")
    mover.writes(turn="B3")
    mover.presses("Show it")
    expect(page).to_have_url(re.compile(r"\?turn=B3$"))
    expect(page.locator(".drafted")).to_contain_text("The whole turn: B3.")
    words.fill("Good luck!")
    mover.writes(turn="A1")
    typed.press("Enter")
    expect(page.locator(".drafted")).to_contain_text("The whole turn: A1.")
    expect(words).to_have_value("Good luck!")
    expect(page.locator("#chat")).to_have_value("Well, I")
    mover.follows("Take one step back")
    expect(typed).to_have_value("")


def test_a_typed_turn_that_is_refused_stays_in_its_field_and_is_told_of(server: RunningServer, come: Come) -> None:
    mover = seat(server, come, "superbo", "aron", "asta", viewport={"width": 400, "height": 500}).visitors[0]
    page = mover.page
    page.locator("#chat").fill("Well, I")
    mover.writes(turn="zz9")
    page.locator("#turn").press("Enter")
    expect(page.locator(".refusal")).to_be_in_viewport()
    expect(page.locator("#turn")).to_have_value("zz9")
    expect(page.locator("#chat")).to_have_value("Well, I")
