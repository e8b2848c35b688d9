"""Words written at a board and not sent yet, while the drafted turn changes."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser import Visitor
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


def test_a_note_half_written_outlives_the_opponents_move_and_nothing_else_unfolds(
    server: RunningServer, come: Come
) -> None:
    table = seat(server, come, "mambo", "anna", "anton")
    first, second = table.visitors
    second.unfolds(second.page.locator("#plan"))
    second.unfolds(second.page.locator("#note"))
    second.page.locator("#note").fill("The corner at")
    first.lays("A1")
    first.plays()
    second.has_turn()
    expect(second.page.locator("#note")).to_have_value("The corner at")
    expect(second.page.locator("#note")).to_be_visible()
    expect(second.page.locator("#more-panel")).not_to_have_attribute("open", "")
    second.lays("B1")
    expect(second.page.locator("#note")).to_have_value("The corner at")


def test_the_field_of_a_plan_shows_what_is_left_of_it_after_a_reply(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "mambo", "astrid", "arno")
    planner = table.visitors[0]
    _plans(planner, "if B1 then E3 (if C2 then G4)\nif B2 then C2")
    table.visitors[1].lays("B1")
    table.visitors[1].plays()
    planner.sees("your plan replied with E3")
    expect(planner.page.locator("#plan")).to_have_value("if C2 then G4")


def test_an_edited_plan_does_not_replace_what_is_left_of_another_unseen(server: RunningServer, come: Come) -> None:
    table = seat(server, come, "mambo", "ines", "igor")
    planner = table.visitors[0]
    field = planner.page.locator("#plan")
    _plans(planner, "if B1 then E3 (if C2 then G4)")
    planner.expected.append("409 .Conflict")
    field.fill("if Q5 then C2")
    table.visitors[1].lays("B1")
    table.visitors[1].plays()
    planner.sees("your plan replied with E3")
    expect(field).to_have_value("if Q5 then C2")
    planner.presses("Keep this plan")
    planner.sees("Your plan or queued move on board")
    expect(field).to_have_value("if Q5 then C2")
    planner.presses("Keep this plan")
    planner.sees("Your plan is kept.")


def _plans(planner: Visitor, plan: str) -> None:
    """Open a board of Mambo with A1, and plan the replies to what may come."""
    planner.lays("A1")
    planner.plays()
    planner.unfolds(planner.page.locator("#plan"))
    planner.page.locator("#plan").fill(plan)
    planner.presses("Keep this plan")
    planner.sees("Your plan is kept.")
