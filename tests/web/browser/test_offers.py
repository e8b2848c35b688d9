"""Agreements of two players beside their moves: queued moves, draws and moves that are taken back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.support.browser import Visitor
from tests.support.ports import free_port
from tests.support.server import RunningServer, running_server
from tests.web.browser.conftest import Come
from tests.web.browser.playing import BrowserBoard, seat


def after_the_first_turns(server: RunningServer, come: Come, *names: str) -> BrowserBoard:
    """A board where each has moved once, and the first is to act again."""
    table = seat(server, come, "superbo", *names)
    table.goes_on("B3", "C4,K5")
    return table


def button(visitor: Visitor, name: str) -> None:
    """Wait for a button, and press it."""
    visitor.presses(name)


def test_a_move_is_queued_and_played_as_soon_as_its_turn_comes(server: RunningServer, come: Come) -> None:
    first, second = seat(server, come, "superbo", "flo", "finn").visitors
    second.writes(queue="C4,K6")
    button(second, "Queue it")
    second.sees("Queued for your turn, and seen by nobody else: C4,K6")
    button(second, "Cancel it")
    expect(second.page.locator(".queued")).to_have_count(0)
    second.lays("B3")
    second.follows("Try what you could play then")
    second.lays("C4")
    second.lays("K5")
    button(second, "Queue C4,K5 whatever is played")
    second.sees("Queued for your turn, and seen by nobody else: C4,K5")
    expect(first.page.locator("main")).not_to_contain_text("K5")
    first.lays("B3")
    first.plays()
    for visitor in (first, second):
        visitor.sees("2. C4,K5")
    first.has_turn()
    expect(second.page.locator(".queued")).to_have_count(0)


def test_a_draw_is_offered_and_agreed_to(server: RunningServer, come: Come) -> None:
    first, second = after_the_first_turns(server, come, "dora", "dirk").visitors
    button(first, "Offer a draw")
    button(second, "Agree to the draw")
    for visitor in (first, second):
        visitor.sees("The game is a draw: the players agreed on it.")
        expect(visitor.page.locator("#draft-title")).to_have_text("Try a move")


def test_an_offer_that_is_refused_or_withdrawn_leaves_both_pages(server: RunningServer, come: Come) -> None:
    first, second = after_the_first_turns(server, come, "wilma", "wolf").visitors
    withdraw = first.page.get_by_role("button", name="Withdraw the offer")
    button(first, "Offer a draw")
    expect(withdraw).to_be_visible()
    button(second, "Refuse")
    expect(withdraw).to_have_count(0)
    first.lays("G2")
    first.lays("H7")
    first.plays()
    second.has_turn()
    agree = first.page.get_by_role("button", name="Agree to the draw")
    button(second, "Offer a draw")
    expect(agree).to_be_visible()
    button(second, "Withdraw the offer")
    expect(agree).to_have_count(0)
    second.has_turn()


def test_a_move_is_taken_back_if_the_other_lets_it_be(server: RunningServer, come: Come) -> None:
    first, second = after_the_first_turns(server, come, "uta", "udo").visitors
    button(second, "Ask to take your last move back")
    button(first, "Let them take it back")
    second.has_turn()
    for visitor in (first, second):
        expect(visitor.page.locator("table.moves")).not_to_contain_text("C4,K5")
        visitor.sees("1. B3")


def test_a_robot_answers_an_offer_and_a_request_on_the_page(tmp_path: Path, come: Come) -> None:
    with running_server(tmp_path, web_listen=f"127.0.0.1:{free_port()}", thinkers="1", max_playouts="2") as server:
        person, visitor = server.player("rita"), come(server.web)
        person.says("superbo challenge -unrated rita robot1")
        (number,) = re.findall(r"Board (\d+)", person.hears().subject)
        visitor.signs_in("rita", then=f"/boards/{number}")
        answer = visitor.page.locator("#answered")

        def plays() -> None:
            visitor.lays("B3")
            visitor.plays()
            visitor.has_turn()
            expect(answer).to_have_count(0)

        plays()
        button(visitor, "Ask to take your last move back")
        expect(answer).to_have_text("robot1 agreed. The move has been taken back: it's move 1 again.")
        plays()
        button(visitor, "Offer a draw")
        now = visitor.page.get_by_role("complementary")
        agreed = now.get_by_text("The game is a draw: the players agreed on it.")  # it plays by chance
        refused = answer.filter(has_text=re.compile("^robot1 refused your offer of a draw"))
        expect(refused.or_(agreed)).to_be_visible()
        visitor.page.goto("about:blank")  # a page would complain that its server has gone


def drafting(visitor: Visitor, table: BrowserBoard, draft: str) -> Locator:
    """Let somebody draft a turn; the place where the page tells of news is still hidden."""
    visitor.goes(f"{table.path}?{draft}")
    news = visitor.page.locator(".news")
    expect(news).to_be_hidden()
    return news


def test_who_drafts_is_told_of_what_is_asked_for_before_a_move_withdraws_it(server: RunningServer, come: Come) -> None:
    table = after_the_first_turns(server, come, "vera", "vito")
    first, second = table.visitors
    news = drafting(first, table, "turn=G2")
    button(second, "Ask to take your last move back")
    asked = (
        f"The game has gone on. {table.userids[1]} asks to take back C4,K5 (move 2). Please answer. "
        "If you make a move instead, you refuse the request. See the current position"
    )
    expect(news).to_have_text(asked)
    expect(first.page.locator("#announced")).to_have_text(asked)
    button(second, "Withdraw the request")
    expect(news).to_contain_text(f"The game has gone on. Your move, {table.userids[0]}.")
    button(second, "Offer a draw")
    expect(news).to_contain_text(f"The game has gone on. {table.userids[1]} offers a draw.")


def test_who_looks_at_the_past_is_told_of_a_move_and_of_the_draw_that_is_offered_with_it(
    server: RunningServer, come: Come
) -> None:
    table = after_the_first_turns(server, come, "wanda", "wim")
    first, second = table.visitors
    news = drafting(second, table, "move=1")
    first.lays("G2")
    first.lays("H7")
    first.plays()
    told = f"The game has gone on. Last: move 3 by {table.userids[0]}, G2,H7, then automatically J1."
    expect(news).to_contain_text(told)
    button(first, "Offer a draw")
    expect(news).to_contain_text(f"{told} {table.userids[0]} offers a draw.")


def test_who_drafts_is_told_that_the_game_is_over(server: RunningServer, come: Come) -> None:
    table = after_the_first_turns(server, come, "xena", "xaver")
    first, second = table.visitors
    news = drafting(second, table, "turn=G2")
    first.follows("Resign …")
    first.presses("Resign")
    loser = table.userids[0]
    expect(news).to_have_text(re.compile(rf"The game is over. You won! {loser} resigned\.\s+See the current position"))
