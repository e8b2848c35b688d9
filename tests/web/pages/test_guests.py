"""Guests: they play at once and without an account, and may keep their boards with one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.bootstrap import find_games
from pbem.domain.credentials import hashed
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import is_guest
from pbem.usecases.challenging import play_now
from pbem.usecases.context import Context
from pbem.usecases.guests import BOARDS_PER_DAY, TooManyGuests
from pbem.workers.openings import count_anew
from pbem.workers.retention import Retention
from tests.support.web_site import WebClient, WebSite
from tests.web.visiting import answers, fills, newest_link, presses, rows, secret_of, sends, shown, with_robots

ZOE = "zoe@example.org"
DAY = timedelta(days=1)
NETWORKS = ("192.0.2.1", "192.0.2.2"), ("2001:db8:0:1::", "2001:db8:0:2::")


def plays(site: WebSite, **fields: str) -> tuple[WebClient, int]:
    """A new guest, and the number of their board."""
    browser = site.guest()
    return browser, begins(browser, **fields)


def who(site: WebSite, browser: WebClient) -> str | None:
    """The userid of whoever is signed in there."""
    query = "SELECT userid FROM players JOIN sessions ON player_id = id WHERE secret_hash = "
    found = rows(site, f"{query}'{hashed(secret_of(browser))}'")
    return str(found[0][0]) if found else None


def token_of(browser: WebClient) -> str:
    """The token of this browser's forms."""
    return browser.opens("/sign-up").all('//input[@name="token"]/@value')[0]


def begins(browser: WebClient, **fields: str) -> int:
    answer = sends(browser, "/play", {"token": token_of(browser), **fields})
    assert answer.status_code == 303, answer.text
    return int(answer.headers["location"].removeprefix("/boards/").partition("?")[0])


def moves(browser: WebClient, number: int, turn: str) -> None:
    event = browser.opens(f"/boards/{number}").all('//input[@name="event"]/@value')[0]
    fields = {"token": token_of(browser), "event": event, "turn": turn}
    answer = sends(browser, f"/boards/{number}/move", {**fields, "comment": "Hello, everybody!"})
    assert answer.status_code == 303, answer.text


def robot_moves(site: WebSite, number: int, move: str) -> None:
    """Have the robot do what its task asks, without a search."""
    ((event, robot),) = rows(site, f"SELECT event, player_id FROM tasks WHERE board_number = {number}")  # noqa: S608
    assert (event, robot) == (len(site.board(number).events), site.board(number).seats[1].player)
    site.says("robot1", f"move {number} {move}")


def keeps(site: WebSite, browser: WebClient, userid: str = "Zoe", address: str = ZOE) -> None:
    site.now += timedelta(minutes=1)
    shown(fills(browser, "/keep", "/keep", userid=userid, address=address))


def test_one_press_opens_a_board_and_looking_opens_none(site: WebSite) -> None:
    with_robots(site)
    looking = site.guest().asks("/play")
    assert (looking.status_code, looking.headers["location"]) == (303, "/")
    assert rows(site, "SELECT id FROM players WHERE guest_until IS NOT NULL") == []
    browser, number = plays(site)
    page = browser.opens(f"/boards/{number}")
    assert "You play as a guest. Keep this game" in page.text
    assert "If you do not keep this game, it is deleted on Sun 8 Mar 2026" in page.text
    for untrue in ("declined", "reminder", "closed"):
        assert untrue not in page.text
    assert page.text.count("This game is not rated.") == 1
    board = site.board(number)
    assert (board.game, board.of_guest, board.rated, board.first) == ("superbo", True, False, 0)
    first, second = (holder.userid for holder in board.seats)
    assert (first, second) == (who(site, browser), "robot1")
    assert is_guest(first)
    others = site.guest().opens(f"/boards/{number}").text
    assert "Players and clock" in others
    for own in ("You play as a guest", "keep this game", "declined", "reminder"):
        assert own not in others


def test_a_form_of_another_site_makes_no_guest(site: WebSite) -> None:
    with_robots(site)
    answer = site.guest().asks("/play", "POST", data={}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert rows(site, "SELECT id FROM players WHERE guest_until IS NOT NULL") == []


@pytest.mark.parametrize("game", ["superbo", "mambo", "lambo", "palago", "mamba"])
def test_a_guest_moves_first_in_every_game(site: WebSite, game: str) -> None:
    with_robots(site)
    _, number = plays(site, game=game)
    board = site.board(number)
    assert board.game == game
    assert site.course(board).to_act == 0


def test_an_unknown_game_is_refused(site: WebSite) -> None:
    with_robots(site)
    assert sends(site.guest(), "/play", {"game": "chess"}).status_code == 404


def test_the_robot_answers_and_words_are_dropped_and_nothing_is_mailed(site: WebSite) -> None:
    with_robots(site)
    site.joins("alice")
    site.says("alice", "superbo subscribe all")
    browser, number = plays(site)
    moves(browser, number, "B3")
    assert rows(site, "SELECT kind, of_guest FROM tasks") == [("act", True)]
    robot_moves(site, number, "C4,K5")
    moves(browser, number, "G2,H7")
    assert len(site.board(number).events) == 3
    assert rows(site, "SELECT text FROM remarks") == []
    assert rows(site, "SELECT recipient FROM outbox") == []
    assert "Hello" not in browser.opens(f"/boards/{number}").text
    fields = {"token": token_of(browser), "verb": "resign", "event": "3"}
    assert sends(browser, f"/boards/{number}/act", fields).status_code == 303
    robot_moves(site, number, "D8,R10")
    assert site.course(site.board(number)).result is not None
    assert "Play again" in browser.opens(f"/boards/{number}").text
    assert begins(browser) == number + 1
    assert rows(site, "SELECT recipient FROM outbox") == []


@pytest.mark.parametrize(
    "line",
    [
        "chat 101",
        "message to alice",
        "superbo challenge alice",
        "superbo challenge robot2",
        "superbo seek",
        "superbo tournament create cup",
        "subscribe 101",
        "set mail=text",
        "report alice",
        "analyse 101",
        "block alice",
        "data",
    ],
)
def test_what_is_for_players_is_refused_kindly(site: WebSite, line: str) -> None:
    with_robots(site)
    site.joins("alice")
    browser, _ = plays(site)
    before = rows(site, "SELECT recipient FROM outbox")
    page = shown(fills(browser, "/command", "/command", line=line, words="Hello!"), 409)
    assert "You are playing as a guest. Keep your game with a userid and an address" in page.text
    assert rows(site, "SELECT recipient FROM outbox") == before == []


def test_pages_of_accounts_lead_a_guest_to_one(site: WebSite) -> None:
    with_robots(site)
    browser, _ = plays(site)
    for address in ("/settings", "/settings/tokens"):
        assert "/keep" in browser.opens(address, 403).all("//main//a/@href")
    browser.opens("/")
    browser.opens(f"/players/{who(site, browser)}")


def test_a_guest_is_offered_no_study(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    moves(browser, number, "B3")
    fields = {"token": token_of(browser), "verb": "resign", "event": "1"}
    assert sends(browser, f"/boards/{number}/act", fields).status_code == 303
    assert f"/boards/{number}/study" not in browser.opens(f"/boards/{number}").links
    for path in (f"/boards/{number}/study", "/studies"):
        page = browser.opens(path, 403)
        assert "You are playing as a guest." in page.text
        assert not page.find("//textarea")


def test_a_guest_may_choose_a_language(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    fills(browser, f"/boards/{number}", "/language", language="de")
    assert browser.opens(f"/boards/{number}").find('/html[@lang="de"]')


def test_guests_and_their_boards_are_on_no_list(site: WebSite) -> None:
    with_robots(site)
    site.joins("alice")
    browser, number = plays(site)
    _, over = plays(site)
    userids = [holder.userid for at in (number, over) for holder in site.board(at).seats[:1]]
    site.says(userids[1], f"move {over} B3")
    site.says("robot1", f"move {over} C4,K5")
    site.says(userids[1], f"resign {over}")
    assert site.course(site.board(over)).result is not None
    pages = ("/", "/boards", "/boards?which=inactive", "/boards?which=all", "/boards?player=robot1", "/players")
    more = ("/history", "/history?player=robot1", "/standings", "/players/robot1", "/games", "/games/superbo")
    for address in (*pages, *more):
        page = site.browser("alice").opens(address)
        for hidden in (*userids, f"/boards/{number}", f"/boards/{over}"):
            assert hidden not in page.source, (address, hidden)
    for address in (f"/players/{userids[0]}", f"/boards?player={userids[0]}"):
        site.browser("alice").opens(address, 404)
    assert f"/boards/{number}" in browser.opens("/").source
    assert rows(site, "SELECT * FROM tallies") == rows(site, "SELECT * FROM played") == []
    told = [notice for line in ("who", "games", "games superbo", "history") for notice in site.says("alice", line)]
    assert not any(userid in repr(notice) for notice in told for userid in userids)


def test_nobody_signs_up_as_a_guest(site: WebSite) -> None:
    answer = fills(site.guest(), "/sign-up", "/sign-up", userid="guest-7k3q", address=ZOE, password="")
    assert shown(answer, 409).all('//*[@role="alert"]')


def test_a_guest_begins_a_few_boards_a_day(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    for more in range(1, BOARDS_PER_DAY):
        assert begins(browser) == number + more
    assert len(rows(site, "SELECT id FROM players WHERE guest_until IS NOT NULL")) == 1
    page = shown(sends(browser, "/play", {"token": token_of(browser)}), 429)
    assert f"begin {BOARDS_PER_DAY} boards a day" in page.text


@pytest.mark.parametrize("settings", [{"guests_per_host_and_day": "2"}, {"guests_per_day": "2"}])
def test_so_many_guests_come_in_a_day(chosen_url: str, tmp_path: Path, settings: dict[str, str]) -> None:
    with WebSite(chosen_url, tmp_path, **settings) as site:
        with_robots(site)
        plays(site)
        plays(site)
        page = shown(sends(site.guest(), "/play", {}), 429)
        assert "no more can play without an account" in page.text
        assert "set-cookie" not in page.answer.headers
        site.now += DAY
        plays(site)


@pytest.mark.parametrize(("same", "other"), NETWORKS)
def test_guests_are_counted_by_address_or_network(chosen_url: str, tmp_path: Path, same: str, other: str) -> None:
    with WebSite(chosen_url, tmp_path, guests_per_host_and_day="1") as site:
        with_robots(site)
        assert comes(site, same)
        assert not comes(site, f"{same}7" if ":" in same else same)
        assert comes(site, other)


def comes(site: WebSite, host: str) -> bool:
    """Return True if a guest from a host is let in."""

    def decide(context: Context) -> dict[str, list[Notice]]:
        play_now("superbo", context)
        return {}

    evidence = Evidence(answer_to=f"@{host}")
    try:
        site.server.executor.retry_on_conflict(decide, clock=lambda: site.now, evidence=evidence)
    except TooManyGuests:
        return False
    return True


def test_the_operator_may_want_no_guests(chosen_url: str, tmp_path: Path) -> None:
    with WebSite(chosen_url, tmp_path, guests="off") as site:
        with_robots(site)
        assert "without an account" in shown(sends(site.guest(), "/play", {}), 403).text


def test_a_player_gets_an_unrated_board_of_their_own(site: WebSite) -> None:
    with_robots(site)
    site.joins("alice")
    number = begins(site.browser("alice"), game="mambo")
    board = site.board(number)
    assert (board.game, board.of_guest, board.rated) == ("mambo", False, False)
    assert [holder.userid for holder in board.seats] == ["alice", "robot1"]


def test_once_the_address_is_confirmed_the_boards_are_the_players_own(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    moves(browser, number, "B3")
    keeps(site, browser)
    assert who(site, browser) != "Zoe"
    assert site.board(number).of_guest, "until the address has answered"
    robot_moves(site, number, "C4,K5")
    then = presses(browser, newest_link(site, ZOE)).headers["location"]
    assert who(site, browser) == "Zoe"
    assert then == f"/boards/{number}?kept=yes"
    assert "Welcome, Zoe! This game is yours now." in browser.opens(then).text
    assert "This game is yours" not in site.guest().opens(then).text
    board = site.board(number)
    assert [holder.userid for holder in board.seats] == ["Zoe", "robot1"]
    assert not board.of_guest
    assert f"/boards/{number}" in site.guest().opens("/boards").source
    assert "Zoe" in site.guest().opens("/players").text
    moves(browser, number, "G2,H7")
    assert len(site.board(number).events) == 3
    assert rows(site, "SELECT sum(active) FROM tallies") == [(1,)]


def test_games_of_guests_count_as_openings_once_an_account_keeps_them(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    moves(browser, number, "B3")
    robot_moves(site, number, "C4,K5")
    fields = {"token": token_of(browser), "verb": "resign", "event": "2"}
    assert sends(browser, f"/boards/{number}/act", fields).status_code == 303
    keeps(site, browser)
    assert rows(site, "SELECT * FROM opening_games") == []
    presses(browser, newest_link(site, ZOE))
    counted = "SELECT board_number, with_robots FROM opening_games"
    kept, turns = rows(site, counted), rows(site, "SELECT count(*), sum(games) FROM opening_turns")
    assert (kept, turns) == ([(number, True)], [(2, 2)])
    assert count_anew(site.server.engine, find_games(), lambda _done, _all: None) == 1
    assert rows(site, counted) == kept


def test_who_has_kept_several_boards_sees_the_one_that_was_played_last(site: WebSite) -> None:
    with_robots(site)
    browser, first = plays(site)
    begins(browser)
    site.now += timedelta(minutes=1)
    moves(browser, first, "B3")
    keeps(site, browser)
    assert presses(browser, newest_link(site, ZOE)).headers["location"] == f"/boards/{first}?kept=yes"


def test_a_guest_is_told_once_to_keep_a_finished_game_and_what_the_computer_can_say_then(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    moves(browser, number, "B3")
    robot_moves(site, number, "C4,K5")
    resigns = {"token": token_of(browser), "verb": "resign", "event": "2"}
    sends(browser, f"/boards/{number}/act", resigns)
    assert site.course(site.board(number)).result is not None
    page = browser.opens(f"/boards/{number}")
    assert page.all("//main//a[@href='/keep']") == ["Keep this game"]
    assert "Once you have kept this game, the computer can tell you where it turned." in page.text


def test_an_answer_by_mail_does_the_same_and_signs_the_guest_out(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    keeps(site, browser)
    answers(site, ZOE, "yes")
    assert [holder.userid for holder in site.board(number).seats] == ["Zoe", "robot1"]
    assert who(site, browser) is None


def test_the_signup_that_is_confirmed_first_gets_the_boards(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    keeps(site, browser)
    keeps(site, browser, "Zora", "zora@example.org")
    answers(site, "zora@example.org", "yes")
    answers(site, ZOE, "yes")
    assert [holder.userid for holder in site.board(number).seats] == ["Zora", "robot1"]


def test_where_no_address_is_asked_the_boards_come_along_at_once(chosen_url: str, tmp_path: Path) -> None:
    with WebSite(chosen_url, tmp_path, confirm_signup="false") as site:
        with_robots(site)
        browser, number = plays(site)
        site.now += timedelta(minutes=1)
        went = fills(browser, "/keep", "/keep", userid="Zoe", address=ZOE)
        assert went.headers["location"] == f"/boards/{number}?kept=yes"
        assert [holder.userid for holder in site.board(number).seats] == ["Zoe", "robot1"]
        assert browser.opens("/").all("//h1") == ["Your boards"], "they are signed in"
        assert "Zoe" in browser.opens(f"/boards/{number}").all("//header//summary")


def test_what_is_wrong_about_the_userid_is_said_and_the_guest_plays_on(site: WebSite) -> None:
    with_robots(site)
    site.joins("alice")
    browser, number = plays(site)
    page = shown(fills(browser, "/keep", "/keep", userid="alice", address=ZOE), 409)
    assert page.all("//h1") == ["Keep this game"]
    assert page.all('//*[@role="alert"]')
    moves(browser, number, "B3")


def test_only_guests_are_asked_to_keep_a_game(site: WebSite) -> None:
    site.joins("alice")
    assert site.guest().asks("/keep").headers["location"] == "/sign-up"
    assert site.browser("alice").asks("/keep").headers["location"] == "/"


def tidied(site: WebSite) -> dict[str, int]:
    return Retention(site.server.engine, 30 * DAY, 180 * DAY, clock=lambda: site.now).tidy()


def test_guests_who_keep_nothing_go_with_their_boards(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    moves(browser, number, "B3")
    late, kept = plays(site)
    keeps(site, late)
    site.joins("alice")
    site.begins("superbo", "alice", "robot1")
    site.now += 6 * DAY
    begins(late)
    assert not tidied(site)["guests"]
    site.now += 2 * DAY
    assert tidied(site)["guests"] == 1
    assert number not in site.numbers
    assert kept in site.numbers
    assert rows(site, f"SELECT number FROM events WHERE board_number = {number}") == []  # noqa: S608
    assert who(site, browser) is None
    shown(site.guest().asks(f"/boards/{number}"), 404)
    site.now += 7 * DAY
    assert rows(site, "SELECT count(*) FROM players WHERE guest_until IS NOT NULL") == [(1,)]
    assert not tidied(site)["guests"], "nobody else is ever to have the number of the newest board"
    site.says("alice", "superbo challenge robot2")
    assert tidied(site)["guests"] == 1


def test_a_question_of_a_guest_who_has_gone_opens_an_account_without_boards(site: WebSite) -> None:
    with_robots(site)
    browser, _ = plays(site)
    site.now += 6 * DAY
    keeps(site, browser)
    site.joins("alice")
    site.begins("superbo", "alice", "robot1")
    site.now += 2 * DAY
    assert tidied(site)["guests"] == 1
    answers(site, ZOE, "yes")
    assert "Zoe" in site.guest().opens("/players").text


def test_the_board_of_a_guest_who_has_gone_takes_the_notes_and_studies_of_others_along(site: WebSite) -> None:
    with_robots(site)
    browser, number = plays(site)
    page = browser.opens(f"/boards/{number}")
    assert not page.find("//textarea[@name='note']"), "a guest has no notes"
    site.joins("alice")
    site.says("alice", f"note {number}", "what a fine opening")
    site.begins("superbo", "alice", "robot1")
    assert rows(site, "SELECT text FROM notes") == [("what a fine opening",)]
    site.now += 8 * DAY
    assert tidied(site)["guests"] == 1
    assert rows(site, "SELECT text FROM notes") == []


def test_a_newcomer_sees_a_tile_that_can_be_played_at_once(site: WebSite) -> None:
    with_robots(site)
    browser = site.guest()
    answer = sends(browser, "/play", {"token": token_of(browser), "game": "superbo"})
    page = browser.opens(answer.headers["location"])
    assert page.all('//ul[@class="choices"]//a/@data-step') == ["A1", "A2", "A6"]
