"""Tournaments on pages."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.storage.stock import WON
from tests.support.web_site import WebSite
from tests.web.visiting import fills, sends, shown, token

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
    assert board[0] == "101 A1"
    assert board[3] == "in play"
    assert [each for each in page.all("//main//p") if "bye" in each]
    assert sorted(row[1] for row in page.table("Standings")) == list(ENTRANTS)


def test_a_round_that_is_over_stays_on_the_page(running: WebSite) -> None:
    running.moves(101, *WON)
    running.advances("superbo", "spring")
    page = running.guest().opens("/tournaments/superbo/spring")
    assert page.all("//main//h2") == ["Standings", "Round 2", "Round 1", "How it is played"]
    first = running.board(101).seats[0].userid
    assert page.table("Boards of round 1, with the first player named first")[0][3] == f"won by {first}"
    assert page.table("Boards of round 2, with the first player named first")[0][0].startswith("102")


def test_a_tournament_that_is_not_there_names_the_nearest(running: WebSite) -> None:
    page = running.guest().opens("/tournaments/superbo/sprin", status=404)
    assert '"sprin" is not a tournament of superbo. Did you mean spring?' in page.text


SPRING = "/tournaments/superbo/spring"


def test_a_player_joins_and_withdraws_by_a_button(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo tournament create spring")
    ben = site.browser("ben")
    for button, deed, entrants in (("Take part", "join", ["ben"]), ("Withdraw", "withdraw", [])):
        assert ben.opens(SPRING).all("//main//button") == [button]
        assert fills(ben, SPRING, SPRING, deed=deed).headers["location"] == SPRING
        assert ben.opens(SPRING).all("//main//li") == entrants


def test_an_open_tournament_is_joined_from_the_list(site: WebSite) -> None:
    site.joins("ann", "ben")
    site.says("ann", "superbo tournament create spring")
    assert "open: you can join" in site.guest().opens("/tournaments").text
    ben = site.browser("ben")
    assert ben.opens("/tournaments").all("//td/form/@action") == [SPRING]
    assert fills(ben, "/tournaments", SPRING, deed="join").headers["location"] == SPRING
    assert "open: you take part" in ben.opens("/tournaments").text


def test_buttons_stand_where_they_do_something(site: WebSite) -> None:
    site.joins("ann", "ben", "cat")
    site.says("ann", "superbo tournament create spring")
    ann = site.browser("ann")
    assert ann.opens(SPRING).all("//main//button") == ["Take part", "Call it off"]
    for userid in ("ann", "ben"):
        site.says(userid, "superbo tournament join spring")
    assert ann.opens(SPRING).all("//main//button") == ["Start it", "Withdraw"]
    assert site.browser("cat").opens(SPRING).all("//main//button") == ["Take part"]
    assert site.guest().opens(SPRING).all("//main//button") == []
    assert fills(ann, SPRING, SPRING, deed="start").status_code == 303
    assert site.browser("cat").opens(SPRING).all("//main//button") == []
    assert ann.opens(SPRING).all("//main//button") == ["Withdraw for good"]
    refused = shown(sends(ann, SPRING, {"token": token(ann), "deed": "start"}), 409)
    assert refused.all("//*[@role='alert']")


def test_a_tournament_is_created_by_a_form(site: WebSite) -> None:
    site.joins("ann")
    ann = site.browser("ann")
    fields = {"game": "mambo", "name": "autumn", "kind": "swiss", "rounds": "4", "clock": "3", "options": "-size=40"}
    answer = fills(ann, "/tournaments", "/tournaments", **fields)
    assert answer.headers["location"] == "/tournaments/mambo/autumn"
    with site.server.unit_of_work() as uow:
        made = uow.tournaments.find("mambo", "autumn")
    assert made is not None
    assert (made.kind, made.rounds, made.options) == ("swiss", 4, {"size": 40})
    assert made.clock is not None
    assert made.clock.forfeit == timedelta(days=3)
    here = "/tournaments/mambo"
    fields = {"name": "winter", "kind": "roundrobin", "variant": "mambogo", "o.swap": "1", "clock": ""}
    assert fills(ann, here, here, **fields).headers["location"] == "/tournaments/mambo/winter"
    with site.server.unit_of_work() as uow:
        made = uow.tournaments.find("mambo", "winter")
    assert made is not None
    assert (made.kind, made.options, made.clock) == ("roundrobin", {"mambogo": True, "swap": True}, None)


def test_a_tournament_that_cannot_be_says_why_and_keeps_its_fields(site: WebSite) -> None:
    site.joins("ann")
    ann = site.browser("ann")
    fields = {"name": "autumn", "kind": "roundrobin", "rounds": "4", "o.kill": "1", "o.no_kill": "1"}
    page = shown(fills(ann, "/tournaments/mambo", "/tournaments/mambo", **fields), 409)
    (said,) = page.all("//*[@role='alert']")
    assert "-kill and -no_kill do not go together" in said
    assert page.all("//input[@name='name']/@value") == ["autumn"]
    assert page.all("//input[@name='kind' and @checked]/@value") == ["roundrobin"]
    assert not site.guest().opens("/tournaments").find("//main//form")
