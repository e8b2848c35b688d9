"""Computer opponents on the web."""

from __future__ import annotations

from dataclasses import replace

from pbem.domain.players import ROBOTS, Standing
from pbem.usecases.opponents import open_robots
from tests.storage.stock import WON
from tests.support.web_site import WebSite
from tests.web.api.requests import read
from tests.web.visiting import fills, mails, shown


def with_robots(site: WebSite) -> None:
    site.joins("alice")
    with site.server.unit_of_work() as uow:
        assert open_robots(uow, site.now) == [*ROBOTS]
        uow.commit()


def test_the_form_of_a_challenge_offers_them_and_their_boards_say_that_they_think(site: WebSite) -> None:
    with_robots(site)
    alice = site.browser("alice")
    form = shown(alice.asks("/challenge"))
    assert form.all("//input[@name='who']/@value") == [*ROBOTS, "anyone"]
    begun = fills(alice, "/challenge", "/challenge", game="palago", to="robot5 alice")
    board = shown(alice.asks(begun.headers["location"]))
    assert board.all("//p[@class='thinking']") == ["robot5 is thinking."]
    fills(alice, "/challenge", "/challenge", game="palago", to="robot1 alice")
    board = shown(site.guest().asks(begun.headers["location"]))
    assert board.all("//p[@class='thinking']") == ["robot5 is thinking. 1 other task comes first."]
    assert mails(site, "alice@example.org") == []
    refused = shown(fills(alice, "/challenge", "/challenge", game="lambo", to="robot2", options="-size=97"), 409)
    (said,) = refused.all("//*[@role='alert']/p[1]")
    assert said.startswith("robot2 plays Lambo with at most 96 tiles in all")


def test_the_front_page_offers_one_to_who_has_signed_in(site: WebSite) -> None:
    with_robots(site)
    offer = "/challenge?to=robot1"
    assert offer in site.browser("alice").opens("/").links
    assert offer not in site.guest().opens("/").links


def test_the_page_of_a_board_that_is_over_offers_an_analysis_where_there_are_robots(site: WebSite) -> None:
    with_robots(site)
    number = site.begins("superbo", "alice", "robot1")
    site.moves(number, *WON)
    asked = f"//form[@action='/command']/input[@name='line' and @value='analyse {number}']"
    assert site.browser("alice").opens(f"/boards/{number}").find(asked)
    with site.server.unit_of_work() as uow:
        robot = uow.players.by_userid("robot5")
        assert robot is not None
        uow.players.save(replace(robot, standing=Standing.BANNED))
        uow.commit()
    assert not site.browser("alice").opens(f"/boards/{number}").find(asked)


def test_their_pages_say_what_they_are(site: WebSite) -> None:
    with_robots(site)
    page = shown(site.browser("alice").asks("/players/Robot"))
    assert "A computer opponent." in page.text
    assert page.all("//a[@href='/challenge?to=robot5']")


def test_programs_are_told_who_is_one(site: WebSite) -> None:
    with_robots(site)
    number, tool = site.begins("superbo", "alice", "robot1", options="-rated"), site.guest()
    site.moves(number, *WON)
    listed = read(tool, "/boards.json?which=all")["boards"][0]
    ranked = read(tool, "/standings/superbo.json")["games"]["superbo"]["provisional"]["rows"]
    for rows in (read(tool, f"/boards/{number}.json")["players"], listed["players"], ranked):
        assert {each["userid"]: each["robot"] for each in rows} == {"alice": False, "robot1": True}
    for userid, is_robot in (("alice", False), ("robot1", True)):
        player = read(tool, f"/players/{userid}.json")
        assert (player["robot"], [each["robot"] for each in player["games"]]) == (is_robot, [is_robot])
