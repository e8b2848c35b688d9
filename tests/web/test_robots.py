"""Computer opponents on the web."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete

from pbem.bots.analysis import Look
from pbem.domain.mails import Notice
from pbem.domain.players import ROBOTS, Standing
from pbem.games.game import Candidate
from pbem.storage.engine import writing
from pbem.storage.models import TaskRow
from pbem.usecases.analyses import tell_analysis
from pbem.usecases.context import Context
from pbem.usecases.opponents import open_robots
from tests.storage.stock import MINUTE, WON
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
    assert board.all("//p[@class='thinking']") == [
        "robot5 is thinking. 1 other board is before yours; the answer comes soon."
    ]
    assert mails(site, "alice@example.org") == []
    refused = shown(fills(alice, "/challenge", "/challenge", game="lambo", to="robot2", options="-size=97"), 409)
    (said,) = refused.all("//*[@role='alert']/p[1]")
    assert said.startswith("robot2 plays Lambo with at most 96 tiles in all")


def test_nobody_is_asked_for_a_move_while_a_robot_thinks_about_its_own(site: WebSite) -> None:
    with_robots(site)
    number = site.begins("mambo", "alice", "robot1")
    alice = site.browser("alice")
    board = site.board(number)
    if board.seats[site.course(board).to_act].userid == "alice":
        site.moves(number, "a2")
    page = alice.opens(f"/boards/{number}")
    assert page.all("//p[@class='thinking']") == ["robot1 is thinking."]
    assert not page.find("//section[contains(@class, 'draft')]")
    assert not page.find("//div[contains(@class, 'frame')]//svg//a")
    assert page.find("//h2[text()='Moves']"), "all else is there"
    assert alice.opens(f"/boards/{number}?move=0").find("//h2[text()='Try a move']"), "the past can be tried out"


def test_who_has_offered_a_robot_a_draw_may_still_move_instead(site: WebSite) -> None:
    with_robots(site)
    number = site.begins("superbo", "alice", "robot1")
    site.moves(number, "b3", "c4,k5")
    board = site.board(number)
    if board.seats[site.course(board).to_act or 0].userid != "alice":
        site.moves(number, "g2,h7")
    alice = site.browser("alice")
    fills(alice, f"/boards/{number}", f"/boards/{number}/act", verb="propose")
    page = alice.opens(f"/boards/{number}")
    assert page.all("//p[@class='thinking']") == ["robot1 is thinking."]
    assert page.find("//section[contains(@class, 'draft')]")


def test_a_button_asks_for_a_hint_where_only_robots_are_against_it(site: WebSite) -> None:
    with_robots(site)
    site.joins("ben")
    number, other = site.begins("superbo", "alice", "robot1"), site.begins("superbo", "alice", "ben")
    alice, button = site.browser("alice"), "//button[@value='hint']"
    board = site.board(number)
    if board.seats[site.course(board).to_act or 0].userid != "alice":
        site.moves(number, "b3")
    assert alice.opens(f"/boards/{number}").find(button)
    assert not alice.opens(f"/boards/{other}").find(button)
    assert fills(alice, f"/boards/{number}", f"/boards/{number}/act", verb="hint").status_code == 303
    page = alice.opens(f"/boards/{number}")
    assert not page.find(button), "one at a time"
    assert "A hint is on its way to you by mail." in page.text
    assert "A hint is on its way" not in alice.opens(f"/boards/{other}").text
    turns = ("b3", "c4,k5", "g2,h7")
    ply = site.course(site.board(number)).ply
    site.moves(number, *turns[ply : ply + 2])
    page = alice.opens(f"/boards/{number}")
    assert "A hint is on its way" not in page.text, "it was for another position"


def answered(site: WebSite, number: int) -> list[str]:
    """The sentence about an answer on the page that Alice sees of a board."""
    return site.browser("alice").opens(f"/boards/{number}").all("//*[@id='answered']")


def test_the_page_says_what_a_robot_has_answered_to_an_offer_and_a_request(site: WebSite) -> None:
    with_robots(site)
    number = site.begins("superbo", "alice", "robot1")
    site.moves(number, "b3", "c4,k5", "g2,h7")
    alice = site.browser("alice")
    assert answered(site, number) == []
    fills(alice, f"/boards/{number}", f"/boards/{number}/act", verb="propose")
    assert "You offer a draw. robot1 still has to answer." in alice.opens(f"/boards/{number}").text
    assert answered(site, number) == []
    site.says("robot1", f"reject {number}")
    assert answered(site, number) == ["robot1 refused your offer of a draw. The game goes on."]
    assert not site.browser("alice").opens(f"/boards/{number}?move=1").find("//*[@id='answered']")
    site.moves(number, "d8,r10")
    assert answered(site, number) == ["robot1 refused your offer of a draw."]
    fills(alice, f"/boards/{number}", f"/boards/{number}/act", verb="undo")
    assert "You ask to take back G2,H7 (move 3)" in alice.opens(f"/boards/{number}").text
    site.says("robot1", f"accept {number}")
    assert answered(site, number) == ["robot1 agreed. The move has been taken back: it's move 3 again."]
    site.says("alice", "set language=de")
    assert answered(site, number) == [
        "robot1 ist einverstanden. Der Zug ist zurückgenommen, jetzt ist wieder Zug 3 an der Reihe."
    ]
    site.says("alice", "set language=fr")
    assert answered(site, number) == ["robot1 a accepté. Le coup est repris : c'est de nouveau le coup 3."]
    site.moves(number, "g2,h7")
    assert answered(site, number) == []


def test_the_front_page_offers_one_to_who_has_signed_in(site: WebSite) -> None:
    with_robots(site)
    offer = "//form[@action='/play']/button[text()='Play the computer']"
    assert site.browser("alice").opens("/").find(offer)
    assert not site.guest().opens("/").find(offer)


def test_the_page_of_a_board_that_is_over_offers_an_analysis_where_there_are_robots(site: WebSite) -> None:
    with_robots(site)
    number = site.begins("superbo", "alice", "robot1")
    site.moves(number, *WON)
    asked = f"//form[@action='/boards/{number}/act']/button[@value='analyse']"
    assert site.browser("alice").opens(f"/boards/{number}").find(asked)
    with site.server.unit_of_work() as uow:
        robot = uow.players.by_userid("robot5")
        assert robot is not None
        uow.players.save(replace(robot, standing=Standing.BANNED))
        uow.commit()
    assert not site.browser("alice").opens(f"/boards/{number}").find(asked)


def looked_at(site: WebSite, number: int) -> tuple[Look, ...]:
    """Looks at a game that its third input has turned."""
    return tuple(
        Look(
            *(index, each.moveno, each.seat, each.text.move, (Candidate((each.text.move,), 0.6, 9, proven=False),)),
            worth=0.59 if index < 2 else 0.38,
            could=0.59,
            is_best=index < 2,
            is_turning_point=index == 2,
        )
        for index, each in enumerate(site.course(site.board(number)).inputs)
    )


def analysed(site: WebSite, number: int, userid: str) -> None:
    """Have the analysis end for which a player waits."""

    def tell(context: Context) -> list[Notice]:
        asker = context.uow.players.by_userid(userid)
        assert asker is not None
        task = context.uow.analyses.find(asker.id)
        assert task is not None
        assert task.board == number
        return tell_analysis(task, looked_at(site, number), context) or []

    (notice,) = site.does(None, tell)
    assert notice.name == "analysis"
    with writing(site.server.engine) as connection:
        connection.execute(delete(TaskRow))


def test_the_analysis_of_a_game_that_is_over_is_asked_for_and_shown_on_its_page(site: WebSite) -> None:
    with_robots(site)
    number, panel = site.begins("superbo", "alice", "robot1"), "//section[@aria-labelledby='analysis-title']"
    address, alice = f"/boards/{number}", site.browser("alice")
    site.moves(number, *WON[:-1])
    assert not alice.opens(address).find(panel)
    refused = shown(fills(alice, address, f"{address}/act", verb="analyse"), 409)
    assert refused.find("//*[@role='alert']")
    site.moves(number, WON[-1])
    assert not alice.opens(address).find(f"{panel}//table")
    assert fills(alice, address, f"{address}/act", verb="analyse").status_code == 303
    (waiting,) = alice.opens(address).all(panel)
    assert "is looking at this game" in waiting
    assert "Analyse this game" not in waiting
    analysed(site, number, "alice")
    for page in (alice.opens(address), site.guest().opens(f"{address}?move=1")):
        (told,) = page.all(f"{panel}//li")
        third = site.course(site.board(number)).inputs[2]
        name = site.board(number).seats[third.seat].userid
        assert told.startswith(f"Move {third.moveno}: {name} (")
        assert f"played {third.text.move}, which dropped their chances from 59 % to 38 %." in told
        assert f"Better: {third.text.move}." in told
        assert page.all(f"{panel}//li//a/@href") == [f"{address}?move={third.moveno}"]
        assert len(page.find(f"{panel}//tbody/tr")) == len(WON)
        (points,) = page.all(f"{panel}//*[name()='polyline']/@points")
        assert len(points.split()) == len(WON) + 1
        assert len(page.find(f"{panel}//*[name()='circle']")) == 1
        assert "Analyse this game" not in page.text


def test_no_analysis_is_shown_that_would_help_at_a_board_in_play_or_is_of_another_game(site: WebSite) -> None:
    with_robots(site)
    site.joins("ben")
    number, panel = site.begins("superbo", "alice", "ben"), "//section[@aria-labelledby='analysis-title']"
    site.moves(number, *WON)
    fills(site.browser("alice"), f"/boards/{number}", f"/boards/{number}/act", verb="analyse")
    analysed(site, number, "alice")
    assert site.guest().opens(f"/boards/{number}").find(f"{panel}//table")
    other = site.begins("superbo", "alice", "ben")
    site.moves(other, *WON[:-1])
    site.waits(MINUTE)
    page = site.guest().opens(f"/boards/{number}")
    assert not page.find(f"{panel}//table")
    assert str(other) in page.all(panel)[0]
    site.moves(other, WON[-1])
    site.waits(MINUTE)
    assert site.guest().opens(f"/boards/{number}").find(f"{panel}//table")
    assert not site.guest().opens(f"/boards/{other}").find(f"{panel}//table")


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
