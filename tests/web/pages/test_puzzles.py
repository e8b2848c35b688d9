"""Puzzles on the web."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from pbem.bootstrap.parts import stored_puzzles
from pbem.bots.puzzles import Goal
from tests.support.web_site import WebClient, WebPage, WebSite
from tests.web.api.requests import read
from tests.web.visiting import fills, sends, shown

LATER = next(each for each in stored_puzzles().values() if each.wins_in == 2 and each.game == "mambo")
"""A puzzle that takes two turns."""
WRONG, SAVES = next(iter(LATER.refutations.items()))
TWO_TILES = next(each for each in stored_puzzles().values() if each.game == "superbo" and "," in each.lines[0][0])


MARKED = "//li[.//span[@title='solved']]//h2/a/@href"
"""Links of the cards that are marked as solved."""

BACK = "//p[@class='send buttons']/a/@href"
"""Links that take a tile back, or all."""


def cards(page: WebPage) -> list[str]:
    return page.all("//ul[@class='cards']//h2/a/@href")


def every_card(browser: WebClient, address: str) -> list[str]:
    """The cards of all pages of a list."""
    page = browser.opens(address)
    found, count = cards(page), page.all("//nav[@class='leaves']/span")
    while following := page.all("//nav[@class='leaves']/a[@rel='next']/@href"):
        assert len(cards(page)) == 20
        page = browser.opens(following[0])
        found += cards(page)
    assert count in ([], [f"Page 1 of {-(-len(found) // 20)}"])
    return found


def chosen(page: WebPage) -> list[str]:
    return page.all("//nav[@class='filters']//a[@aria-current]")


def test_the_list_marks_what_the_visitor_has_solved(site: WebSite) -> None:
    site.joins("alice")
    alice, guest = site.browser("alice"), site.guest()
    address = f"/puzzles/{LATER.number}"
    solved = shown(fills(alice, address, address, turn=LATER.lines[0][0].lower()))
    assert solved.all("//h2[@id='draft-title']") == ["Solved"]
    assert [each.split(": ")[1] for each in solved.all("//ol[@class='tried']/li")] == [*LATER.lines[0]]
    listed = f"/puzzles?game=mambo&theme=two&difficulty={LATER.difficulty}"
    assert [each.partition("?")[0] for each in alice.opens(listed).all(MARKED)] == [address]
    assert guest.opens(listed).all(MARKED) == []
    unsolved = every_card(alice, f"{listed}&unsolved=yes")
    assert len(unsolved) == len(every_card(guest, listed)) - 1
    assert not [each for each in unsolved if each.startswith(f"{address}?")]


def test_all_puzzles_are_on_pages_of_few_cards_with_pictures(site: WebSite) -> None:
    guest = site.guest()
    first = guest.opens("/puzzles")
    assert len(first.source) < 60_000
    assert len(first.all("//ul[@class='cards']//img/@data-src")) == len(cards(first))
    assert guest.asks(first.all("//ul[@class='cards']//img/@data-src")[0]).status_code == 200
    assert sorted(int(each.removeprefix("/puzzles/")) for each in every_card(guest, "/puzzles")) == [*stored_puzzles()]
    assert guest.asks("/puzzles?page=99").status_code == 404


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("game=superbo", {"game": "superbo"}),
        ("theme=three", {"wins_in": 3}),
        ("theme=survive&game=lambo", {"goal": Goal.SURVIVE, "game": "lambo"}),
        ("difficulty=hard&theme=one", {"difficulty": "hard", "wins_in": 1}),
        ("game=mambo&theme=two&difficulty=medium", {"game": "mambo", "wins_in": 2, "difficulty": "medium"}),
    ],
)
def test_filters_leave_the_puzzles_they_name(site: WebSite, query: str, filters: dict[str, object]) -> None:
    expected = {
        each.number
        for each in stored_puzzles().values()
        if all(getattr(each, name) == value for name, value in filters.items())
    }
    found = every_card(site.guest(), f"/puzzles?{query}")
    assert {int(each.partition("?")[0].removeprefix("/puzzles/")) for each in found} == expected


def test_chips_change_one_field_and_lead_nowhere_empty(site: WebSite) -> None:
    page = site.guest().opens("/puzzles?game=superbo&theme=two")
    assert chosen(page) == ["Superbo", "Win in two turns", "Any difficulty"]
    links = page.all("//nav[@class='filters']//a/@href")
    assert {"/puzzles?theme=two", "/puzzles?game=superbo", "/puzzles?game=superbo&theme=survive"} <= {*links}
    assert "/puzzles?game=superbo&theme=three" not in links
    for link in links:
        assert cards(site.guest().opens(link)), link
    assert not page.all("//a[contains(@href, 'unsolved')]")
    assert site.guest().opens("/puzzles?unsolved=yes").all("//ul[@class='cards']")


@pytest.mark.parametrize("query", ["game=chess", "theme=four", "difficulty=mad", "page=0"])
def test_filters_that_are_unknown_are_not_found(site: WebSite, query: str) -> None:
    assert site.guest().asks(f"/puzzles?{query}").status_code == 404


def test_the_next_puzzle_is_the_next_unsolved_one_of_the_same_filter(site: WebSite) -> None:
    site.joins("alice")
    alice = site.browser("alice")
    first, second, third = every_card(alice, "/puzzles?game=superbo&theme=survive&difficulty=hard")[:3]
    for address, following in ((second, third), (first, third)):
        puzzle = stored_puzzles()[int(address.partition("?")[0].removeprefix("/puzzles/"))]
        page = shown(fills(alice, address, address, turn=puzzle.lines[0][0]))
        assert page.all("//a[normalize-space()='Next puzzle']/@href") == [following]


def test_the_last_puzzle_of_a_filter_leads_to_others(site: WebSite) -> None:
    site.joins("alice")
    alice, asked = site.browser("alice"), "/puzzles?game=palago&theme=two"
    (address,) = every_card(alice, asked)
    puzzle = stored_puzzles()[int(address.partition("?")[0].removeprefix("/puzzles/"))]
    page = shown(fills(alice, address, address, turn=puzzle.lines[0][0]))
    assert "You have solved all of these." in page.text
    assert "You have solved all of these." in alice.opens(f"{asked}&unsolved=yes").text


def test_puzzles_to_survive_ask_for_a_move_that_saves(site: WebSite) -> None:
    guest = site.guest()
    puzzle = next(each for each in stored_puzzles().values() if each.goal is Goal.SURVIVE)
    address = f"/puzzles/{puzzle.number}"
    page = guest.opens(address)
    assert page.all("//title") == page.all("//h1") == [f"{puzzle.game.title()}: can you survive?"]
    assert page.all("//h2[@id='draft-title']") == ["Find a move that saves you"]
    assert shown(fills(guest, address, address, turn=puzzle.lines[0][0])).all("//h2[@id='draft-title']") == ["Solved"]
    told = read(guest, f"{address}.json")["puzzle"]
    assert (told["goal"], told["wins_in"]) == ("survive", None)


def test_a_wrong_move_stays_drafted_with_the_answer_to_it(site: WebSite) -> None:
    guest, address = site.guest(), f"/puzzles/{LATER.number}"
    page = shown(fills(guest, address, address, turn=WRONG))
    assert page.all("//h2[@id='draft-title']") == ["Not yet"]
    assert [each.split(": ")[1] for each in page.all("//ol[@class='tried']/li")] == [WRONG, SAVES]
    assert page.all("//input[@id='turn']/@value") == [WRONG]
    assert page.all(BACK) == [address, address]
    assert page.all("//h2[@id='shown-title']") == ["The position after your draft"]
    (answered,) = page.all("//a[normalize-space()='Show the answer on the board']/@href")
    assert guest.opens(answered).all("//p[@class='drafted']/strong") == [WRONG, SAVES]


def test_a_turn_of_two_tiles_is_laid_tile_by_tile_and_taken_back(site: WebSite) -> None:
    guest, address = site.guest(), f"/puzzles/{TWO_TILES.number}?game=superbo"
    one, two = TWO_TILES.lines[0][0].split(",")
    half = guest.opens(f"{address}&turn={one}")
    assert half.all("//p[@class='drafted']/strong") == [one]
    assert half.all("//p[@class='send buttons']/button") == []
    assert half.all(BACK) == [address, address]
    whole = guest.opens(f"{address}&turn={one}+{two}")
    assert whole.all("//p[@class='drafted']/strong") == [TWO_TILES.lines[0][0]]
    assert whole.all(BACK) == [f"{address}&turn={one}", address]
    assert whole.all("//p[@class='send buttons']/button") == ["Check it"]
    solved = shown(fills(guest, f"{address}&turn={one}+{two}", address))
    assert solved.all("//h2[@id='draft-title']") == ["Solved"]


@pytest.mark.parametrize("said", ["zz99", ""])
def test_the_draft_is_kept_when_a_move_is_refused(site: WebSite, said: str) -> None:
    guest, address = site.guest(), f"/puzzles/{TWO_TILES.number}"
    one = TWO_TILES.lines[0][0].split(",")[0]
    page = shown(fills(guest, f"{address}?turn={one}", address, turn=said), 409)
    assert page.find("//div[@role='alert']")
    assert page.all("//p[@class='drafted']/strong") == [one]
    half = shown(fills(guest, address, address, turn=one), 409)
    assert half.all("//p[@class='drafted']/strong") == [one]


@pytest.mark.parametrize("between", [",", " ", ", "])
def test_what_can_be_played_of_a_refused_turn_stays_laid(site: WebSite, between: str) -> None:
    guest, address = site.guest(), f"/puzzles/{TWO_TILES.number}"
    one = TWO_TILES.lines[0][0].split(",")[0]
    page = shown(fills(guest, address, address, turn=f"{one}{between}zz99"), 409)
    assert page.find("//div[@role='alert']")
    assert page.all("//p[@class='drafted']/strong") == [one]
    assert page.all("//input[@id='turn']/@value") == [f"{one}{between}zz99"]


def test_the_move_is_made_on_the_board(site: WebSite) -> None:
    guest, address = site.guest(), f"/puzzles/{LATER.number}"
    spaces = guest.opens(address).all("//figure//a/@href")
    states = guest.opens(spaces[0]).all("//ul[starts-with(@class,'choices')]//a/@href")
    drafted = guest.opens(states[0])
    assert drafted.all("//input[@id='turn']/@value") == [states[0].partition("turn=")[2]]
    assert drafted.all(BACK)


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
