"""Puzzles on the web."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from pbem.bootstrap.parts import stored_puzzles
from pbem.bots.puzzles import Goal
from tests.support.web_site import WebSite
from tests.web.api.requests import read
from tests.web.visiting import fills, sends, shown

LATER = next(each for each in stored_puzzles().values() if each.wins_in == 2 and each.game == "mambo")
"""A puzzle that takes two turns."""
WRONG, SAVES = next(iter(LATER.refutations.items()))


def test_the_list_marks_what_the_visitor_has_solved(site: WebSite) -> None:
    site.joins("alice")
    alice, guest = site.browser("alice"), site.guest()
    address = f"/puzzles/{LATER.number}"
    solved = shown(fills(alice, address, address, turn=LATER.lines[0][0].lower()))
    assert solved.all("//h2[@id='draft-title']") == ["Solved"]
    assert [each.split(": ")[1] for each in solved.all("//ol[@class='tried']/li")] == [*LATER.lines[0]]
    assert solved.all("//a[@class='button main']/@href")[0].startswith("/puzzles/")
    marked = "//li[span[@title='solved']]/a/@href"
    assert alice.opens("/puzzles").all(marked) == [address]
    assert guest.opens("/puzzles").all(marked) == []
    assert len(guest.opens("/puzzles").all("//ul[@class='columns']//a")) == len(stored_puzzles())


def test_puzzles_to_survive_are_listed_apart_and_ask_for_a_move_that_saves(site: WebSite) -> None:
    guest = site.guest()
    assert "Can you survive?" in guest.opens("/puzzles").all("//h3")
    puzzle = next(each for each in stored_puzzles().values() if each.goal is Goal.SURVIVE)
    address = f"/puzzles/{puzzle.number}"
    assert guest.opens(address).all("//h2[@id='draft-title']") == ["Find a move that saves you"]
    assert shown(fills(guest, address, address, turn=puzzle.lines[0][0])).all("//h2[@id='draft-title']") == ["Solved"]
    told = read(guest, f"{address}.json")["puzzle"]
    assert (told["goal"], told["wins_in"]) == ("survive", None)


def test_a_guest_is_shown_what_refutes_his_move_and_may_try_again(site: WebSite) -> None:
    guest, address = site.guest(), f"/puzzles/{LATER.number}"
    page = shown(fills(guest, address, address, turn=WRONG))
    assert page.all("//h2[@id='draft-title']") == ["Not yet"]
    assert [each.split(": ")[1] for each in page.all("//ol[@class='tried']/li")] == [WRONG, SAVES]
    assert page.all("//a[@class='button main']/@href") == [address]


def test_the_move_is_made_on_the_board(site: WebSite) -> None:
    guest, address = site.guest(), f"/puzzles/{LATER.number}"
    spaces = guest.opens(address).all("//figure//a/@href")
    states = guest.opens(spaces[0]).all("//ul[starts-with(@class,'choices')]//a/@href")
    drafted = guest.opens(states[0])
    assert drafted.all("//input[@id='turn']/@value") == [states[0].partition("turn=")[2]]
    assert drafted.all("//p[@class='back']/a")


@pytest.mark.parametrize("move", ["zz99", "steak", "", "A1/A2", "x" * 5000, "<b>"])
def test_what_cannot_be_played_is_refused_on_the_page(site: WebSite, move: str) -> None:
    guest, address = site.guest(), f"/puzzles/{LATER.number}"
    page = shown(fills(guest, address, address, turn=move), 409)
    assert page.find("//div[@role='alert']")
    assert guest.asks(f"{address}?turn={quote(move)}").status_code in (200, 409)


def test_there_is_no_other_puzzle_and_no_form_from_elsewhere(site: WebSite) -> None:
    guest = site.guest()
    assert guest.asks("/puzzles/99999").status_code == 404
    assert sends(guest, f"/puzzles/{LATER.number}", {"turn": "a1"}, origin="https://example.net").status_code == 403


def test_programs_are_told_all_but_what_solves_a_puzzle(site: WebSite) -> None:
    tool, asked = site.guest(), next(each for each in stored_puzzles().values() if each.options and each.refutations)
    listed = {each["number"]: each for each in read(tool, "/puzzles.json")["puzzles"]}
    assert listed.keys() == stored_puzzles().keys()
    assert {each["game"] for each in read(tool, "/puzzles.json?game=Lambo")["puzzles"]} == {"lambo"}
    told = read(tool, f"/puzzles/{asked.number}.json")
    assert told["puzzle"] == listed[asked.number]
    assert told["puzzle"]["options"] == [f"-{name}" for name in asked.options]
    assert told["record"]["format"] == "pbem-game/1"
    assert [each["text"] for each in told["turns"]] == [*asked.turns]
    step = told["state"]["legal"][0]
    assert read(tool, f"/puzzles/{asked.number}.json?turn={step}")["state"]["turn"] == step
    assert not {"lines", "refutations"} & {*told, *told["puzzle"]}
    assert read(tool, "/puzzles/99999.json", 404)["code"] == "no_such_puzzle"
    assert read(tool, "/puzzles.json?game=chess", 404)["code"] == "no_such_game"
