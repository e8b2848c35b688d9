"""The opening explorer on the web, and for programs."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from pbem.web.boards import page as board_page
from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.storage.stock import WON
from tests.support.web_site import WebPage, WebSite
from tests.web.boards.drafting import begun


def rows(page: WebPage) -> list[list[str]]:
    return [[cell.text_content().strip() for cell in row] for row in page.find("//table[@class='list']/tbody/tr")]


def test_a_game_is_stepped_through_by_links(site: WebSite) -> None:
    number, _ = begun(site)
    guest = site.guest()
    assert "No turn has been played here in a finished game yet." in guest.opens("/games/superbo/explorer").text
    site.moves(number, *WON)
    assert "/games/superbo/explorer" in guest.opens("/games/superbo").links
    page = guest.opens("/games/superbo/explorer")
    for place, turn in enumerate(WON):
        ((said, games, points, rating, computers, points_there),) = rows(page)
        assert (said, games, computers, points_there) == (turn, "1", "", "")
        assert points == ("100" if place % 2 == 0 else "0")
        assert int(rating) > 1000
        (link,) = page.all("//table[@class='list']//th/a/@href")
        page = guest.opens(f"/games/superbo/explorer{link}")
        assert page.all("//p[@id='path']/*[@aria-current]") == [f"{place + 1}. {turn}"]
        assert len(page.all("//p[@id='path']/a")) == place + 1, "each step back is a link"
    assert "The game is over here." in page.text
    single = guest.opens("/games/superbo/explorer?options=-single").text
    assert "No turn has been played here" in single
    assert "Options: -single" in single
    assert "Options:" not in page.text


def test_games_with_computer_opponents_show_how_they_went(site: WebSite) -> None:
    site.joins("alice", "robot1")
    site.moves(site.begins("superbo", "alice", "robot1"), *WON)
    assert rows(site.guest().opens("/games/superbo/explorer")) == [[WON[0], "", "", "", "1", "100"]]


@pytest.mark.parametrize(("options", "turns"), [("", ("b3", "c4,k5")), ("-single", ("b3",))])
def test_the_page_of_a_board_leads_to_its_position_with_its_options(
    site: WebSite, options: str, turns: tuple[str, ...]
) -> None:
    number, _ = begun(site, options=options)
    site.moves(number, *turns)
    for address in (f"/boards/{number}", f"/boards/{number}?move=0"):
        (way,) = site.guest().opens(address).all("//section//a[text()='Openings']/@href")
        page = site.guest().opens(way)
        assert len(page.all("//p[@id='path']/*")) == 1 + (0 if "move" in address else len(turns))
        assert bool(options) == ("options=-single" in way)


def test_no_way_leads_there_from_behind_the_opening(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_page, "MOST_TURNS", 1)
    number, _ = begun(site)
    site.moves(number, "b3", "c4,k5")
    openings = "//a[text()='Openings']"
    assert not site.guest().opens(f"/boards/{number}").find(openings)
    assert site.guest().opens(f"/boards/{number}?move=1").find(openings)


@pytest.mark.parametrize(("language", "head"), [("en", "Games"), ("de", "Partien"), ("fr", "Parties")])
def test_the_column_of_finished_games_is_not_called_like_kinds_of_game(site: WebSite, language: str, head: str) -> None:
    number, _ = begun(site)
    site.moves(number, *WON)
    page = WebPage(site.guest().asks("/games/superbo/explorer", headers={"accept-language": language}))
    assert page.all("//table[@class='list']/thead//th")[1] == head
    assert page.all("//aside//p")[0].startswith(head), "it is explained"


def test_what_cannot_be_explored_is_refused(site: WebSite) -> None:
    for address, said, status in (
        ("/games/superbo/explorer?turns=B3/ZZ9", "ZZ", 400),
        ("/games/superbo/explorer?turns=B3/B3", "B3", 400),
        ("/games/superbo/explorer?options=-nonsense", "-nonsense", 400),
        ("/games/mamba/explorer?players=9", "9", 400),
        ("/games/mamba/explorer?players=x", "x", 400),
        ("/games/superbo/explorer?turns=B3/C4", "C4 is only part of a turn", 400),
        ("/games/chess2/explorer", "chess2", 404),
    ):
        answer = site.guest().asks(address)
        assert answer.status_code == status
        assert said in answer.text
        ways = WebPage(answer).all("//main//a/@href")
        assert (address.partition("?")[0] in ways) == (status == 400)


def test_programs_read_the_same(site: WebSite) -> None:
    number, _ = begun(site)
    site.moves(number, *WON)
    found = site.guest().asks("/explorer/superbo.json?turns=B3").json()
    assert (found["game"], found["turns"]) == ("superbo", ["B3"])
    assert found["people"] == {"games": 1, "won": 0, "tied": 0, "rating": found["people"]["rating"]}
    assert found["robots"] == {"games": 0, "won": 0, "tied": 0, "rating": None}
    (played,) = found["played"]
    assert played["inputs"] == ["C4,K5"]
    assert played["people"] == found["people"]


@pytest.mark.parametrize("typed", ["B3 -> C4,K5", "B3=>C4,K5", "B3 \u2192 C4,K5", "B3>C4,K5", "B3 / C4,K5"])
def test_arrows_may_stand_between_turns(site: WebSite, typed: str) -> None:
    params = {"turns": typed}
    assert site.guest().asks(f"/explorer/superbo.json?{urlencode(params)}").json()["turns"] == ["B3", "C4,K5"]


def test_a_turn_behind_the_end_of_the_game_is_named(site: WebSite) -> None:
    turns = "/".join((*WON, "C1", "D1"))
    said = "Turn 6, C1, comes too late: the game is over after turn 5."
    for address, status in (("/games/superbo/explorer", 400), ("/explorer/superbo.json", 403)):
        answer = site.guest().asks(f"{address}?turns={turns}")
        assert answer.status_code == status
        assert said in answer.text


def test_a_decision_within_a_turn_is_asked_for(site: WebSite) -> None:
    (*before, last), (answer, *_) = OPENINGS[2], ANSWERS[2]
    asks = "/games/mamba/explorer?turns="
    assert "another player has to decide" in site.guest().asks(asks + "/".join((*before, f"{last} pass"))).text
    assert site.guest().asks(asks + "/".join((*before, last, answer))).status_code == 200
