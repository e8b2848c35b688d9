"""Any command typed on a page."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from pbem.web.pages.commands import LONGEST_LINE, LONGEST_WORDS
from tests.support.web_site import WebClient, WebSite
from tests.web.visiting import fills, has_password, mails, rows, sends, shown, token, types, who

ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob", "carol")
    return site.browser("alice")


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
    assert "I have sent a question" in shown(types(alice, "signoff")).text
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


def test_a_page_leads_back_where_its_button_was_and_nowhere_else(alice: WebClient) -> None:
    mine = token(alice)
    for back, way in (("/boards/101?large=yes", True), ("//evil.example", False), ("https://evil.example", False)):
        page = shown(sends(alice, "/command", {"token": mine, "line": "who bob", "back": back}))
        assert (back in page.all("//main//a/@href")) is way
        assert (back in alice.opens(f"/command?line=who&back={quote(back)}").all("//main//a/@href")) is way
        assert bool(page.find("//input[@name='back']")) is way
