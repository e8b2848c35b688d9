"""The form of a challenge: its fields, the command that they make, and what it refuses."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.players import ROBOTS
from pbem.domain.ratings import NEW
from pbem.usecases.opponents import open_robots
from tests.storage.stock import WON
from tests.support.web_site import WebClient, WebPage, WebSite
from tests.web.visiting import fills, mails, rows, sends, shown, token, types

HERE = "/challenge"
BOB = "bob@example.org"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob", "carol", "dave")
    with site.server.unit_of_work() as uow:
        open_robots(uow, site.now)
        uow.commit()
    return site.browser("alice")


def newest(site: WebSite) -> int:
    ((number,),) = rows(site, "SELECT max(number) FROM boards")
    return int(number)


def line(page: WebPage) -> str:
    """The command of the form, as it would be mailed."""
    (said,) = page.all("//details[@id='line']/code")
    return str(said)


def checked(page: WebPage, name: str) -> list[str]:
    return page.all(f"//input[@name='{name}' and @checked]/@value")


def test_one_form_has_games_as_cards_and_opponents_as_chips(site: WebSite, alice: WebClient) -> None:
    site.begins("superbo", "alice", "carol")
    site.begins("mambo", "dave", "alice")
    page = alice.opens(HERE)
    assert page.all("//label[contains(@class, 'card')]//b") == ["Superbo", "Lambo", "Mamba", "Mambo", "Palago"]
    assert page.all("//input[@name='who']/@value") == [*ROBOTS, "dave", "carol", "anyone"]
    assert checked(page, "game") == ["superbo"]
    assert checked(page, "who") == ["anyone"]
    assert checked(page, "begins") == ["lot"]
    assert checked(page, "clock") == [""]
    assert page.find("//details[@id='more' and not(@open)]")


@pytest.mark.parametrize(
    ("query", "who", "typed", "mailed"),
    [
        ("to=anyone", ["anyone"], [""], "superbo seek 1"),
        ("to=robot1", ["robot1"], [""], "superbo challenge -random robot1"),
        ("to=Robot1&game=mambo&begins=me", ["robot1"], [""], "mambo challenge Robot1"),
        ("to=bob", [], ["bob"], "superbo challenge -random bob"),
        ("who=robot2&to=bob", [], ["bob"], "superbo challenge -random bob"),
    ],
)
def test_an_address_chooses_game_and_opponent(
    alice: WebClient, query: str, who: list[str], typed: list[str], mailed: str
) -> None:
    page = alice.opens(f"{HERE}?{query}")
    assert checked(page, "who") == who
    assert page.all("//input[@name='to']/@value") == typed
    assert line(page) == mailed


@pytest.mark.parametrize(
    ("fields", "mailed"),
    [
        ({"clock": ""}, "superbo challenge bob"),
        ({"clock": "1"}, "superbo challenge -forfeittime=1 bob"),
        ({"clock": "3"}, "superbo challenge -forfeittime=3 bob"),
        ({"clock": "7"}, "superbo challenge -forfeittime=7 bob"),
        ({"clock": "own", "nagtime": "2", "forfeittime": " 36 h"}, "superbo challenge -nagtime=2 -forfeittime=36h bob"),
        ({"clock": "3", "forfeittime": "9"}, "superbo challenge -forfeittime=3 bob"),
        ({"totaltime": "30"}, "superbo challenge -totaltime=30 bob"),
        ({"begins": "lot"}, "superbo challenge -random bob"),
        ({"begins": "me"}, "superbo challenge bob"),
        ({"begins": "them"}, "superbo challenge bob alice"),
        ({"begins": "them", "pair": "1"}, "superbo challenge -pair bob"),
        ({"game": "mamba", "begins": "lot"}, "mamba challenge bob"),
        ({"game": "mamba", "begins": "me"}, "mamba challenge -inorder bob"),
        ({"game": "mamba", "begins": "them", "to": "bob carol"}, "mamba challenge -inorder bob carol alice"),
        ({"begins": "lot", "to": "alice alice"}, "superbo challenge alice alice"),
        ({"unrated": "1", "rated": "1"}, "superbo challenge -unrated bob"),
        ({"to": "robot1", "rated": "1", "unrated": "1"}, "superbo challenge -rated robot1"),
        ({"to": "robot"}, "superbo challenge robot"),
        ({"to": "", "who": "anyone", "pair": "1", "unrated": "1"}, "superbo seek 1 -unrated"),
        ({"to": "", "who": "anyone", "game": "mamba", "players": "3"}, "mamba seek 1 -players=3"),
        ({"game": "mambo", "variant": "mambogo"}, "mambo challenge -mambogo bob"),
        ({"game": "lambo", "variant": "eat_enemy"}, "lambo challenge -eat_enemy=2 bob"),
        ({"game": "lambo", "variant": "eat_enemy", "o.eat_enemy": "4"}, "lambo challenge -eat_enemy=4 bob"),
        ({"game": "mambo", "o.size": "40", "o.swap": "1"}, "mambo challenge -size=40 -swap bob"),
        ({"game": "mambo", "options": "-size=40 nag=2", "o.swap": "1"}, "mambo challenge -size=40 -swap -nag=2 bob"),
        ({"game": "lambo", "of": "mambo", "o.size": "40", "variant": "mambogo"}, "lambo challenge bob"),
    ],
)
def test_each_choice_makes_its_part_of_the_command(alice: WebClient, fields: dict[str, str], mailed: str) -> None:
    query = {"game": "superbo", "to": "bob", "begins": "", **fields}
    page = shown(alice.asks(HERE, params=query))
    assert line(page) == mailed


def test_a_clock_that_is_chosen_is_that_of_the_board(site: WebSite, alice: WebClient) -> None:
    fills(alice, HERE, HERE, game="superbo", to="bob", clock="3", begins="them")
    board = site.board(newest(site))
    assert board.clock.forfeit == timedelta(days=3)
    assert [seat.userid for seat in board.seats] == ["bob", "alice"]


def test_a_challenge_begins_a_board_and_leads_there(site: WebSite, alice: WebClient) -> None:
    answer = fills(alice, HERE, HERE, game="superbo", to="bob", options="-single unrated", nagtime="3", words="Hi!")
    number = newest(site)
    assert answer.headers["location"] == f"/boards/{number}?begun=yes"
    board = site.board(number)
    assert board.options == {"single": True}
    assert not board.rated
    assert [seat.userid for seat in board.seats] == ["alice", "bob"]
    assert "Hi!" in mails(site, BOB)[-1][1]


def test_games_against_computer_opponents_are_unrated_unless_asked_for(site: WebSite, alice: WebClient) -> None:
    for robot, fields, is_rated in (("robot1", {}, False), ("robot2", {"rated": "1"}, True), ("bob", {}, True)):
        assert fills(alice, HERE, HERE, game="superbo", who=robot, to="", **fields).status_code == 303
        assert site.board(newest(site)).rated is is_rated
    shown(types(alice, "mamba challenge bob robot4"))
    assert not site.board(newest(site)).rated


def test_a_first_loss_to_a_computer_opponent_is_no_rating(site: WebSite, alice: WebClient) -> None:
    number = site.begins("superbo", "robot1", "alice", options="-rated")
    site.moves(number, *WON)
    assert site.course(site.board(number)).result
    with site.server.unit_of_work() as uow:
        lost = uow.players.by_userid("alice")
        assert lost is not None
        rating = uow.ratings.of(lost.id, "superbo")
    assert (rating.value, rating.games) == (NEW, 0)
    assert "1400" not in alice.opens("/standings/superbo").text


def test_rated_and_unrated_contradict(alice: WebClient) -> None:
    refused = shown(types(alice, "superbo challenge -rated -unrated bob"), 409)
    assert "-rated and -unrated do not go together" in refused.text


def test_anyone_means_a_seek(site: WebSite, alice: WebClient) -> None:
    for fields in ({"who": "anyone", "to": ""}, {"to": ""}, {"to": "anyone"}):
        shown(fills(alice, HERE, HERE, game="superbo", **fields))
        assert rows(site, "SELECT count(*) FROM seeks") == [(1,)]


def test_impossible_combinations_are_refused_with_the_reason(site: WebSite, alice: WebClient) -> None:
    fields = {"game": "mambo", "to": "bob", "of": "mambo", "o.kill": "1", "o.no_kill": "1"}
    page = shown(fills(alice, HERE, HERE, **fields), 409)
    (refusal,) = page.all('//*[@role="alert"]')
    assert "-kill and -no_kill do not go together" in refusal
    assert page.find("//details[@id='more' and @open]")
    assert len(page.find("//input[@name='o.kill' or @name='o.no_kill'][@checked]")) == 2
    assert rows(site, "SELECT count(*) FROM boards") == [(0,)]


def test_switches_know_what_excludes_them(alice: WebClient) -> None:
    page = alice.opens(f"{HERE}?game=lambo&to=bob")
    why = page.find("//small[@data-for='o.no_contain']")
    assert {each.get("data-when") for each in why} == {
        *("variant=must_contain", "o.eat_enemy", "variant=eat_enemy", "o.eat_size")
    }
    assert all("hidden" in each.attrib for each in why)
    assert page.all("//select[@name='variant']/option") == ["Standard", "Eating", "Containing"]


def test_options_have_their_sentence_in_the_language_of_the_reader(site: WebSite, alice: WebClient) -> None:
    says = {}
    for language in ("en", "de"):
        shown(types(alice, f"set language={language}"))
        (says[language],) = alice.opens(f"{HERE}?game=mambo").all("//p[@id='about-o.kill']")
    assert says["en"].startswith("Killing an enemy group wins")
    assert says["de"]
    assert says["de"][:20] != says["en"][:20]


def test_another_game_shows_its_options_without_a_script_and_begins_nothing(site: WebSite, alice: WebClient) -> None:
    fields = {"game": "lambo", "to": "bob", "words": "Hi!", "begins": "lot", "show": "options", "o.single": "1"}
    page = shown(fills(alice, HERE, HERE, **fields))
    assert page.find("//details[@id='more' and @open]//select[@name='o.eat_enemy'] | //input[@name='o.eat_enemy']")
    assert page.all('//input[@name="to"]/@value') == ["bob"]
    assert page.all('//textarea[@name="words"]') == ["Hi!"]
    assert line(page) == "lambo challenge -random bob"
    assert not rows(site, "SELECT number FROM boards")


def test_names_are_completed_for_those_who_have_signed_in(site: WebSite, alice: WebClient) -> None:
    assert alice.asks(f"{HERE}/names?begin=CA").json() == ["carol"]
    assert alice.asks(f"{HERE}/names?begin=robot").json() == [*ROBOTS]
    assert alice.asks(f"{HERE}/names?begin=%25").json() == []
    assert alice.asks(f"{HERE}/names").json() == []
    assert site.guest().asks(f"{HERE}/names?begin=c").status_code == 303


def test_a_pair_of_boards_is_shown_with_both(alice: WebClient) -> None:
    page = shown(fills(alice, HERE, HERE, game="superbo", to="bob", pair="1"))
    assert len(page.all('//main//a[starts-with(@href, "/boards/")]')) == 2
    assert page.all("//h1") == ["Your boards are open"]
    assert "You have challenged bob to Superbo, and they got a mail about it." in page.all("//div[@role='status']")[0]


def test_the_page_of_a_new_board_says_what_was_sent_and_what_comes_next(site: WebSite, alice: WebClient) -> None:
    told = "//p[@class='toast']"
    mine = fills(alice, HERE, HERE, game="superbo", to="bob", begins="me").headers["location"]
    (said,) = alice.opens(mine).all(told)
    assert said == "The board is open, and bob got a mail about it. Make your first move when you like."
    site.moves(newest(site), "B3")
    assert alice.opens(mine).all(told) == [], "it is no longer new"
    theirs = fills(alice, HERE, HERE, game="superbo", to="bob", begins="them").headers["location"]
    (said,) = alice.opens(theirs).all(told)
    assert said == "The board is open, and bob got a mail about it. You get one as soon as it is your turn."
    assert site.browser("bob").opens(theirs.partition("?")[0]).all(told) == []


def test_an_address_fills_in_no_words_of_a_challenge(alice: WebClient) -> None:
    page = alice.opens(f"{HERE}?game=superbo&to=bob&options=-single&words=You+have+won%3A+spam.example")
    assert checked(page, "o.single") == ["1"]
    assert page.all("//textarea[@id='words']") == [""]


def test_so_many_boards_are_begun_in_a_day_and_no_more(site: WebSite, alice: WebClient) -> None:
    mine = token(alice)
    answers = [sends(alice, HERE, {"token": mine, "game": "superbo", "to": "bob"}) for _ in range(101)]
    assert [each.status_code for each in answers] == [303] * 100 + [409]
    assert "start at most 100 boards within a day" in shown(answers[-1], 409).text
    assert "start at most 100 boards within a day" in shown(types(alice, "superbo challenge bob"), 409).text
    assert rows(site, "SELECT count(*) FROM boards") == [(100,)]
    site.waits(timedelta(days=1))
    assert sends(alice, HERE, {"token": mine, "game": "superbo", "to": "bob"}).status_code == 303


def test_a_challenge_that_cannot_be_says_every_reason_and_keeps_its_fields(site: WebSite, alice: WebClient) -> None:
    answer = fills(
        alice, HERE, HERE, game="superbo", to="nobody nemo", options="-sise=40", begins="lot", clock="3", words="Hi!"
    )
    page = shown(answer, 409)
    (refusal,) = page.all('//*[@role="alert"]')
    for each in ("nobody", "nemo", "sise"):
        assert each in refusal
    assert page.all('//input[@name="options"]/@value') == ["sise=40"]
    assert checked(page, "begins") == ["lot"]
    assert checked(page, "clock") == ["3"]
    assert page.all('//textarea[@name="words"]') == ["Hi!"]
    assert rows(site, "SELECT count(*) FROM boards") == [(0,)]


@pytest.mark.parametrize("query", ["game=chess", "game=%3Cscript%3E&to=%22%3E%3Cscript%3E&options=%3Cb%3E", ""])
def test_the_form_bears_whatever_stands_in_its_address(alice: WebClient, query: str) -> None:
    page = alice.opens(f"{HERE}?{query}")
    assert not page.find("//main//script")
    assert checked(page, "game") == ["superbo"]


def test_a_game_that_there_is_none_of_is_refused(alice: WebClient) -> None:
    assert shown(sends(alice, HERE, {"token": token(alice), "game": "chess", "to": "bob"}), 409)


def test_a_seek_that_was_made_can_be_ended_where_it_is_told(site: WebSite, alice: WebClient) -> None:
    page = shown(fills(alice, HERE, HERE, game="mambo", to=""))
    assert page.all("//h1") == ["You are looking for an opponent"]
    assert "As soon as somebody joins, a board opens" in page.all("//div[@role='status']")[0]
    assert page.find("//main//pre") == []
    assert "/games/mambo" in page.all("//main//a/@href")
    hidden = page.find("//main//form[@action='/settings']//input[@type='hidden']")
    shown(sends(alice, "/settings", {each.get("name"): each.get("value") for each in hidden}))
    assert rows(site, "SELECT count(*) FROM seeks") == [(0,)]


def test_commas_may_stand_between_userids(site: WebSite, alice: WebClient) -> None:
    assert fills(alice, HERE, HERE, game="mamba", to="bob, carol,").status_code == 303
    assert [seat.userid for seat in site.board(newest(site)).seats] == ["alice", "bob", "carol"]
