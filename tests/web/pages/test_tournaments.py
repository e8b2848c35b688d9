"""Tournaments on pages."""

from __future__ import annotations

import pytest

from tests.storage.stock import WON
from tests.support.web_site import WebSite
from tests.web.visiting import fills, sends, shown

ENTRANTS = ("ann", "ben", "cat")


@pytest.fixture
def running(site: WebSite) -> WebSite:
    """The tournament spring: two have a board, the third a bye."""
    site.joins(*ENTRANTS)
    site.says("ann", "superbo tournament create spring -swiss")
    for userid in ENTRANTS:
        site.says(userid, "superbo tournament join spring")
    site.says("ann", "superbo tournament start spring")
    return site


def test_tournaments_of_all_games_and_of_one_are_listed(running: WebSite) -> None:
    row = ["spring", "Swiss", "ann", "3", "round 1 of 2"]
    for address in ("/tournaments", "/tournaments/superbo"):
        assert running.guest().opens(address).table("Tournaments of Superbo") == [row]
    assert "There are none yet." in running.guest().opens("/tournaments/mamba").text


def test_a_server_without_tournaments_says_so(site: WebSite) -> None:
    assert "There are none yet." in site.guest().opens("/tournaments").text


def test_a_tournament_that_is_open_has_its_entrants(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo tournament create spring")
    assert "nobody has joined it yet" in site.guest().opens("/tournaments/superbo/spring").text
    site.says("ben", "superbo tournament join spring")
    assert site.guest().opens("/tournaments/superbo/spring").all("//main//li") == ["ben"]


def test_a_tournament_has_standings_and_rounds_with_boards_and_byes(running: WebSite) -> None:
    page = running.guest().opens("/tournaments/superbo/SPRING")
    (board,) = page.table("Boards of round 1, with the first player named first")
    assert board[:2] == ["A1", "101"]
    assert board[3] == "in play"
    assert [each for each in page.all("//main//li") if "bye" in each]
    assert sorted(row[1] for row in page.table("Standings")) == list(ENTRANTS)


def test_a_round_that_is_over_stays_on_the_page(running: WebSite) -> None:
    running.moves(101, *WON)
    running.advances("superbo", "spring")
    page = running.guest().opens("/tournaments/superbo/spring")
    assert page.all("//main//h2") == ["Standings", "Round 2", "Round 1"]
    first = running.board(101).seats[0].userid
    assert page.table("Boards of round 1, with the first player named first")[0][3] == f"won by {first}"
    assert page.table("Boards of round 2, with the first player named first")[0][1] == "102"


def test_a_tournament_that_is_not_there_names_the_nearest(running: WebSite) -> None:
    page = running.guest().opens("/tournaments/superbo/sprin", status=404)
    assert '"sprin" is not a tournament of superbo. Did you mean spring?' in page.text


def test_a_player_joins_and_withdraws_by_a_button(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo tournament create spring")
    ben = site.browser("ben")
    for button, entrants in (("Take part", ["ben"]), ("Withdraw", [])):
        assert ben.opens("/tournaments/superbo/spring").all("//main//button") == [button]
        assert fills(ben, "/tournaments/superbo/spring", "/command").status_code == 200
        assert ben.opens("/tournaments/superbo/spring").all("//main//li") == entrants


def test_a_button_leads_back_to_the_tournament(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo tournament create spring")
    ben, here = site.browser("ben"), "/tournaments/superbo/spring"
    hidden = ben.opens(here).find("//main//form[@action='/command']//input")
    page = shown(sends(ben, "/command", {each.get("name"): each.get("value") for each in hidden}))
    assert here in page.all("//main//a/@href")
    assert "Withdraw" in ben.opens(here).text
