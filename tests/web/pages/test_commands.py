"""Any command typed on a page, and the form of a challenge."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import httpx
import pytest

from pbem.web.pages.commands import LONGEST_LINE, LONGEST_WORDS
from tests.support.web_site import WebClient, WebSite
from tests.web.visiting import fills, has_password, mails, rows, sends, shown, token, who

ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob", "carol")
    return site.browser("alice")


def types(browser: WebClient, line: str, words: str = "") -> httpx.Response:
    return fills(browser, "/command", "/command", line=line, words=words)


def newest_board(site: WebSite) -> int:
    return int(rows(site, "SELECT max(number) FROM boards")[0][0])


def test_guests_are_led_to_signing_in(site: WebSite) -> None:
    for address in ("/command?line=who", "/challenge?to=bob"):
        answer = site.guest().asks(address)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in?then=")
    assert sends(site.guest(), "/command", {"line": "who"}).status_code == 303


def test_a_command_does_what_it_does_by_mail_and_others_are_mailed(site: WebSite, alice: WebClient) -> None:
    page = shown(types(alice, "superbo challenge bob", "Have fun!"))
    assert "A new superbo board" in page.text
    assert "Have fun!" in mails(site, BOB)[-1][1]
    assert not mails(site, ALICE)
    number = newest_board(site)
    assert "It's bob's move" in shown(types(alice, f"superbo move {number} a1", "Your turn.")).text
    assert "Your turn." in mails(site, BOB)[-1][1]


def test_what_only_reads_is_answered_on_the_page(site: WebSite, alice: WebClient) -> None:
    assert "bob" in shown(types(alice, "who bob")).text
    assert "PREFERENCES" in shown(types(alice, "set")).text.upper()
    assert not mails(site, ALICE)


def test_several_commands_are_given_as_in_a_letter(site: WebSite, alice: WebClient) -> None:
    page = shown(types(alice, "multiple", "set mail=text\nblock to bob\nwho carol"))
    assert rows(site, "SELECT count(*) FROM blocks") == [(1,)]
    assert "Command 3 of 3" in page.text


def test_a_file_and_a_question_come_by_mail(site: WebSite, alice: WebClient) -> None:
    assert "comes by mail" in shown(types(alice, "data")).text
    assert "A question has gone" in shown(types(alice, "signoff")).text
    assert len(mails(site, ALICE)) == 2


@pytest.mark.parametrize("line", ["", "hello there", "superbo mvoe 101 a1", "move 999 a1", "superbo challenge nobody"])
def test_a_refusal_says_why_as_a_mail_would(alice: WebClient, line: str) -> None:
    page = shown(types(alice, line), 409)
    (refusal,) = page.all('//section[@role="alert"]')
    assert len(refusal) > 30


@pytest.mark.parametrize(
    ("line", "says"),
    [("", "Please type a command"), ("hello there", "in what you typed"), ("message to bob", "please write some")],
)
def test_a_refusal_of_what_was_typed_speaks_of_no_letter(alice: WebClient, line: str, says: str) -> None:
    (refusal,) = shown(types(alice, line, " "), 409).all('//section[@role="alert"]')
    assert says in refusal
    assert "letter" not in refusal
    assert "Subject" not in refusal


def test_a_refusal_shows_the_right_form_and_leaves_the_command_to_be_mended(alice: WebClient) -> None:
    page = shown(types(alice, "who"), 200)
    page = shown(types(alice, "block"), 409)
    assert "The right form" in page.text
    assert page.all('//input[@name="line"]/@value') == ["block"]


def test_a_password_in_a_command_is_read_and_never_shown(site: WebSite, alice: WebClient) -> None:
    has_password(site, "alice", "hunter2secret")
    for line in ("set alice hunter2secret mail=text", "superbo mvoe 101 alice hunter2secret a1", "alice hunter2secret"):
        answer = types(alice, line, "alice hunter2secret\nalice hunter2secret is mine")
        assert "hunter2secret" not in answer.text, line
    assert rows(site, "SELECT count(*) FROM wrong_passwords") == [(0,)]
    types(alice, "superbo challenge bob")
    number = newest_board(site)
    answer = types(alice, f"superbo move {number} alice hunter2secret a1", "alice hunter2secret\nHello")
    assert "It's bob's move" in shown(answer).text
    assert "hunter2secret" not in answer.text + mails(site, BOB)[-1][1]


def test_who_names_somebody_else_needs_that_ones_password(site: WebSite, alice: WebClient) -> None:
    has_password(site, "bob", "hunter2secret")
    assert shown(types(alice, "set bob guess mail=text"), 409)
    assert rows(site, "SELECT count(*) FROM wrong_passwords") == [(1,)]
    shown(types(alice, "set bob hunter2secret mail=text"))
    found = rows(site, "SELECT userid FROM players WHERE CAST(preferences AS VARCHAR(99)) LIKE '%text%'")
    assert found == [("bob",)]
    assert who(alice) == "alice"


def test_nobody_moves_for_another(site: WebSite, alice: WebClient) -> None:
    number = site.begins("superbo", "bob", "carol")
    assert shown(types(alice, f"move {number} a1"), 409)
    assert shown(types(alice, f"resign {number}"), 409)
    assert site.board(number).event_number == 0


def test_what_is_typed_is_no_markup(site: WebSite, alice: WebClient) -> None:
    line = '<script>alert(1)</script> "><img src=x>'
    page = shown(types(alice, line, "</textarea><script>alert(2)</script>"), 409)
    assert not page.find("//main//script | //main//img")
    types(alice, "superbo challenge bob", "<script>alert(3)</script>")
    answer = types(alice, f"show {newest_board(site)}")
    assert not shown(answer).find("//main//script")


def test_a_long_line_and_many_words_are_cut(alice: WebClient) -> None:
    assert types(alice, "who " + "x" * 5000).status_code == 409
    assert types(alice, "who bob", "y" * 30_000).status_code == 200


def test_a_field_takes_as_much_as_is_read_of_it(alice: WebClient) -> None:
    command, challenge = alice.opens("/command"), alice.opens("/challenge")
    assert command.all("//input[@id='line']/@maxlength") == [str(LONGEST_LINE)]
    for page in (command, challenge):
        assert page.all("//textarea[@id='words']/@maxlength") == [str(LONGEST_WORDS)]
    words = " ".join(["and"] * 1500)
    page = shown(fills(alice, "/challenge", "/challenge", game="superbo", to="nobody", words=words), 409)
    assert page.all("//textarea[@id='words']") == [words]


def test_a_challenge_of_the_form_begins_a_board_and_leads_there(site: WebSite, alice: WebClient) -> None:
    page = alice.opens("/challenge?game=superbo&to=bob")
    assert page.all('//input[@name="to"]/@value') == ["bob"]
    assert page.all('//select[@name="game"]/option[@selected]/@value') == ["superbo"]
    assert "superbo challenge bob" in page.all("//code")
    answer = fills(
        alice,
        "/challenge",
        "/challenge",
        game="superbo",
        to="bob",
        options="-single unrated",
        nagtime="3",
        words="Hi!",
    )
    number = newest_board(site)
    assert answer.headers["location"] == f"/boards/{number}"
    board = site.board(number)
    assert board.options == {"single": True}
    assert not board.rated
    assert [seat.userid for seat in board.seats] == ["alice", "bob"]
    assert "Hi!" in mails(site, BOB)[-1][1]


def test_a_pair_of_boards_is_shown_with_both(site: WebSite, alice: WebClient) -> None:
    page = shown(fills(alice, "/challenge", "/challenge", game="superbo", to="bob", pair="1"))
    assert len(page.all('//main//a[starts-with(@href, "/boards/")]')) == 2


@pytest.mark.parametrize(
    "line",
    [
        "signoff",
        "SIGN\u200bOFF",
        "  delete ",
        "change password better",
        "add evil@example.com",
        "resign 101",
        "move 101 a1",
        "queue 101 a1",
        "mamba qmove 101 d3-d5",
        "undo 101",
        "superbo tournament start spring",
        "Re: resign 101",
        "Fwd: AW: resign 101",
        "[pbem] Re: resign 101",
        "Re: Re: sign off",
        "superbo resgin 101",
        "what is that?",
        "multiple",
        "resign 101 " + "x" * 5000,
    ],
)
def test_a_link_fills_in_nothing_that_cannot_be_taken_back(site: WebSite, alice: WebClient, line: str) -> None:
    site.begins("superbo", "alice", "bob")
    page = alice.opens(f"/command?line={quote(line)}")
    assert page.all('//input[@name="line"]/@value') in ([], [""])
    assert "type it yourself" in page.text


def test_a_link_fills_other_commands_in(alice: WebClient) -> None:
    page = alice.opens("/command?line=superbo%20challenge%20bob")
    assert page.all('//input[@name="line"]/@value') == ["superbo challenge bob"]
    assert "type it yourself" not in page.text


def test_an_address_fills_in_no_words_of_a_challenge(alice: WebClient) -> None:
    page = alice.opens("/challenge?game=superbo&to=bob&options=-single&words=You+have+won%3A+spam.example")
    assert page.all("//input[@name='to' or @name='options']/@value") == ["bob", "-single"]
    assert page.all("//textarea[@id='words']") == [""]


def test_so_many_boards_are_begun_in_a_day_and_no_more(site: WebSite, alice: WebClient) -> None:
    mine = token(alice)
    answers = [sends(alice, "/challenge", {"token": mine, "game": "superbo", "to": "bob"}) for _ in range(101)]
    assert [each.status_code for each in answers] == [303] * 100 + [409]
    assert "start at most 100 boards within a day" in shown(answers[-1], 409).text
    assert "start at most 100 boards within a day" in shown(types(alice, "superbo challenge bob"), 409).text
    assert rows(site, "SELECT count(*) FROM boards") == [(100,)]
    site.waits(timedelta(days=1))
    assert sends(alice, "/challenge", {"token": mine, "game": "superbo", "to": "bob"}).status_code == 303


def test_who_names_nobody_looks_for_somebody(site: WebSite, alice: WebClient) -> None:
    shown(fills(alice, "/challenge", "/challenge", game="superbo", to=""))
    assert rows(site, "SELECT count(*) FROM seeks") == [(1,)]
    assert "superbo seek 1" in alice.opens("/challenge?game=superbo").all("//code")[0]


def test_a_challenge_that_cannot_be_says_every_reason_and_keeps_its_fields(site: WebSite, alice: WebClient) -> None:
    answer = fills(
        alice, "/challenge", "/challenge", game="superbo", to="nobody nemo", options="-sise=40", random="1", words="Hi!"
    )
    page = shown(answer, 409)
    (refusal,) = page.all('//*[@role="alert"]')
    assert "nobody" in refusal
    assert "nemo" in refusal
    assert "sise" in refusal
    assert page.all('//input[@name="options"]/@value') == ["-sise=40"]
    assert page.all('//input[@name="random"]/@checked')
    assert page.all('//textarea[@name="words"]') == ["Hi!"]
    assert rows(site, "SELECT count(*) FROM boards") == [(0,)]


@pytest.mark.parametrize("query", ["game=chess", "game=%3Cscript%3E&to=%22%3E%3Cscript%3E&options=%3Cb%3E", ""])
def test_the_form_bears_whatever_stands_in_its_address(alice: WebClient, query: str) -> None:
    page = alice.opens(f"/challenge?{query}")
    assert not page.find("//main//script | //main//b")
    assert page.all("//option[@selected]")


def test_another_game_shows_its_options_without_a_script_and_begins_nothing(site: WebSite, alice: WebClient) -> None:
    before = alice.opens("/challenge?game=superbo")
    (summary,) = before.all('//details[@id="options-of-game"]/summary')
    assert summary == "Options of Superbo"
    (button,) = before.find('//button[@name="show"]')
    assert button.get("form") == before.find('//form[@action="/challenge"]')[0].get("id")
    fields = {"game": "lambo", "to": "bob", "words": "Hi!", "random": "1", "show": "options"}
    page = shown(fills(alice, "/challenge", "/challenge", **fields))
    assert page.all('//details[@id="options-of-game" and @open]/summary') == ["Options of Lambo"]
    assert any(word.startswith("-eat_enemy") for word in page.all('//details[@id="options-of-game"]//dt'))
    assert page.all('//input[@name="to"]/@value') == ["bob"]
    assert page.all('//textarea[@name="words"]') == ["Hi!"]
    assert page.find('//input[@name="random" and @checked]')
    assert page.all('//*[@id="line"]/code') == ["lambo challenge -random bob"]
    assert not rows(site, "SELECT number FROM boards")


def test_a_game_that_there_is_none_of_is_refused(alice: WebClient) -> None:
    fields = {"token": token(alice), "game": "chess", "to": "bob"}
    assert shown(sends(alice, "/challenge", fields), 409)


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("game=superbo", "The player named first moves first. If you do not name yourself, you do."),
        ("game=mamba", "The first player is drawn at random; the turns go on in the order of the names."),
        (
            "game=mamba&options=-rounds%3D5+-inorder+-sise%3D3",
            "The player named first moves first. If you do not name yourself, you do.",
        ),
        ("game=mamba&random=1", "The order of the players is drawn at random."),
    ],
)
def test_the_form_says_who_begins_in_the_game_that_is_chosen(alice: WebClient, query: str, order: str) -> None:
    (told,) = alice.opens(f"/challenge?{query}").all("//*[@id='order']")
    assert told.startswith(order)


def test_the_form_names_an_option_of_the_game_that_is_chosen(alice: WebClient) -> None:
    labels = {}
    for game in ("mamba", "lambo", "palago"):
        (labels[game],) = alice.opens(f"/challenge?game={game}").all("//label[@for='options']")
    assert labels["mamba"] == "Options of the game, such as -inorder, with blanks between them"
    assert labels["lambo"] == "Options of the game, such as -adjacent, with blanks between them"
    assert labels["palago"] == "Options of the game, such as -swap, with blanks between them"


def test_a_page_leads_back_where_its_button_was_and_nowhere_else(alice: WebClient) -> None:
    mine = token(alice)
    for back, way in (("/boards/101?large=yes", True), ("//evil.example", False), ("https://evil.example", False)):
        page = shown(sends(alice, "/command", {"token": mine, "line": "who bob", "back": back}))
        assert (back in page.all("//main//a/@href")) is way
        assert (back in alice.opens(f"/command?line=who&back={quote(back)}").all("//main//a/@href")) is way
        assert bool(page.find("//input[@name='back']")) is way


def test_a_seek_that_was_made_can_be_ended_where_it_is_told(site: WebSite, alice: WebClient) -> None:
    page = shown(fills(alice, "/challenge", "/challenge", game="mambo", to=""))
    assert "/games/mambo" in page.all("//main//a/@href")
    hidden = page.find("//main//form[@action='/settings']//input[@type='hidden']")
    shown(sends(alice, "/settings", {each.get("name"): each.get("value") for each in hidden}))
    assert rows(site, "SELECT count(*) FROM seeks") == [(0,)]


def test_commas_may_stand_between_userids(site: WebSite, alice: WebClient) -> None:
    assert fills(alice, "/challenge", "/challenge", game="mamba", to="bob, carol,").status_code == 303
    assert [seat.userid for seat in site.board(newest_board(site)).seats] == ["alice", "bob", "carol"]
