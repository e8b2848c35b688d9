"""The words that a player writes below a command reach the opponent; nothing else of the letter does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.conversations.playing import MailBoard, begin, seat
from tests.support.mail import Mail
from tests.support.server import GameServer

_DRAWING = re.compile(r"\n {4,}[A-Z]+(?: +[A-Z]+)*\n")
"""The first line of a drawing, which follows: the names of spaces, far to the right."""


@pytest.fixture(scope="module")
def players(shared: GameServer) -> MailBoard:
    return begin(shared, "alice", "bob")


@pytest.fixture
def table(shared: GameServer, players: MailBoard) -> Iterator[MailBoard]:
    """A board of the test's own between the same two players."""
    yield seat(shared, players.one, players.other)
    assert not any(shared.postbox.unread_for(f"{userid}@example.org") for userid in ("alice", "bob"))


def comment(mail: Mail) -> str | None:
    """The words of a comment behind the line that names its writer; None if there is none."""
    found = re.search(r"\n((?:\S+ writes|You wrote):)\n\n((?:(?: {2}.*)?\n)+)", _DRAWING.split(mail.text)[0] + "\n")
    if found is None:
        return None
    lines = [line.removeprefix("  ") for line in found[2].rstrip("\n").split("\n")]
    return "\n".join([found[1], "", *lines])


def test_it_stands_above_the_board_with_its_writer_named(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret b3", "Hello Bob!\n\nHow are you?\n")
    table.hear()
    for mail, writer in ((table.one_mail, "You wrote"), (table.other_mail, "alice writes")):
        assert mail.subject == f"superbo Board {table.number} bob **"
        assert comment(mail) == f"{writer}:\n\nHello Bob!\n\nHow are you?"


def test_in_the_classic_layout_it_stands_under_a_line_of_asterisks(shared: GameServer) -> None:
    table = begin(shared, "anne9", "bobb9")
    table.other.says("set bobb9 secret layout=classic")
    table.other.hears()
    table.one.says(f"move {table.number} anne9 secret b3", "Hello Bob!\n\nHow are you?\n")
    table.hear()
    below = table.other_mail.text.partition("\n" + "*" * 78 + "\n")[2]
    assert below.startswith("anne9 writes:\n\nHello Bob!\n\nHow are you?\n")


def test_a_command_that_stands_in_the_subject_and_in_the_body_shows_nobody_its_password(table: MailBoard) -> None:
    line = f"superbo move {table.number} alice secret b3"
    table.one.says(line, f"{line}\n\nThere!")
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nThere!"
    assert "secret" not in table.other_mail.raw.decode() + table.one_mail.raw.decode()


@pytest.mark.parametrize("said", ["secret,", "password:secret", "<secret>", '"secret"', "secret."])
def test_a_password_just_used_is_shown_to_nobody_whatever_stands_around_it(table: MailBoard, said: str) -> None:
    table.one.says(f"move {table.number} alice secret b3", f"Hello!\n\n{said}\nit is {said}")
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nHello!"
    assert "secret" not in table.other_mail.raw.decode() + table.one_mail.raw.decode()


def test_without_one_there_are_neither_words_nor_mark(table: MailBoard) -> None:
    table.play("b3")
    assert table.other_mail.subject == f"superbo Board {table.number} bob"
    assert comment(table.other_mail) is None


def test_a_challenge_carries_none_if_anybody_could_have_written_it(table: MailBoard) -> None:
    table.one.says("superbo challenge bob", "Good luck!")
    table.hear()
    assert table.other_mail.subject.startswith("New superbo Board")
    assert table.other_mail.subject.endswith(" alice")
    assert comment(table.other_mail) is None
    told, _, board = table.one_mail.words.partition("Your move, alice.")
    assert "What you wrote below the command was not passed on" in told
    assert board
    assert "not passed on" not in table.other_mail.words
    table.one.answers(table.one_mail, "chat\n\nGood luck!")
    for person in (table.one, table.other):
        assert "\nGood luck!\n" in person.hears().text


@pytest.mark.parametrize(
    "below",
    [
        "On Friday, pbem <{reply}> wrote:\n> Summary of superbo\n> more",
        "Am 20.11.2026 um 21:00 schrieb pbem\n<{reply}>:\n\n> Summary",
        "-- \nAlice Smith\n+44 1234 5678",
        "--\nAlice Smith",
        "-----Original Message-----\nFrom: pbem <{reply}>\nSubject: superbo",
        "________________________________\nFrom: pbem\nSummary",
        "From: pbem <{reply}>\nSent: Friday\nSummary",
        "Sent from my iPhone",
        "CONFIDENTIALITY NOTICE: this is secret",
    ],
)
def test_quotes_signatures_and_footers_stay_out(table: MailBoard, below: str) -> None:
    mail = table.one_mail
    body = f"b3\n\nYour move.\n\n{below.format(reply=mail.reply_to)}\n"
    table.one.says(f"Re: {mail.subject}", body, to=mail.reply_to)
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nYour move."
    assert "pbem+" not in table.other_mail.text


def test_a_move_below_the_quotes_is_read_too(table: MailBoard) -> None:
    mail = table.one_mail
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    table.one.says(f"Re: {mail.subject}", f"On Friday, pbem wrote:\n{quoted}\n\nb3\nThere!", to=mail.reply_to)
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nThere!"


def test_the_writers_own_reply_address_and_message_ids_are_taken_out(table: MailBoard) -> None:
    mail = table.one_mail
    token, message_id = mail.reply_to, str(mail.parsed["Message-ID"])
    body = f"b3\nI answer <{token}> and {token.upper()},\nyour {message_id} of today."
    table.one.says(f"Re: {mail.subject}", body, to=token)
    table.hear()
    said = comment(table.other_mail)
    assert said is not None
    assert " ".join(said.split()) == "alice writes: I answer and , your of today."
    assert token.partition("+")[2].partition("@")[0] not in table.other_mail.raw.decode().lower()


def test_letters_of_all_languages_arrive(table: MailBoard) -> None:
    text = "Gr\u00fc\u00dfe! \u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439. \u4f60\u597d \U0001f642"
    table.one.answers(table.one_mail, f"b3\n\n{text}")
    table.hear()
    assert comment(table.other_mail) == f"alice writes:\n\n{text}"
    assert table.other_mail.raw.isascii()


def test_no_line_is_mistaken_for_something_else(table: MailBoard) -> None:
    table.one.says(
        f"move {table.number} alice secret b3", "From here on\n  it ends in blanks   \n" + "long words " * 20
    )
    table.hear()
    said = comment(table.other_mail)
    assert said is not None
    lines = table.other_mail.text.splitlines()
    assert "  From here on" in lines
    assert not [line for line in lines if line.startswith("From ") or line != line.rstrip() or len(line) > 78]
    assert "From here on" in said


def test_control_characters_do_not_reach_the_opponent(table: MailBoard) -> None:
    raw = (
        f"From: {table.one.address}\r\nSubject: move {table.number} alice secret b3\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        "red \x1b[31m bell \x07 back \x08 turned \u202e end\r\n"
    )
    table.one.mails(raw.encode())
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nred [31m bell  back  turned  end"


def test_a_template_in_it_is_only_text(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret b3", "{{ 7*7 }} {% include 'help.txt' %} {{ config }}")
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\n{{ 7*7 }} {% include 'help.txt' %} {{ config }}"


def test_on_a_refusal_nobody_else_reads_it(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret zz9", "Take that!")
    assert "Take that!" not in table.one.hears().text
    assert table.other.hears_nothing()


def test_a_line_with_the_password_just_used_is_not_shown(shared: GameServer) -> None:
    table = begin(shared, "anne8", "bobb8")
    table.one.says(
        f"move {table.number} anne8 secret b3", "anne8 secret b3\nHello there!\nSubject: move 101 anne8 secret"
    )
    table.hear()
    assert "anne8 writes:\n\n  Hello there!\n" in table.other_mail.text
    assert "secret" not in table.other_mail.text


def test_a_letter_that_is_too_long_is_cut_and_says_so(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret b3", "\n".join(f"line {n}" for n in range(1, 3001)))
    table.hear()
    for mail in (table.one_mail, table.other_mail):
        said = comment(mail) or ""
        assert said.endswith("\nline 2000")
        assert "\n  line 2000\n\n(The letter was too long; the rest of it is left out.)\n" in mail.text
        assert mail.raw.isascii()
        assert b"\x04" not in mail.raw


def test_a_line_that_is_left_out_is_told_to_its_writer_alone(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret b3", "Hello!\nIt is no secret that you are good.\nBye!")
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nHello!\nBye!"
    assert "I have left out a line of your text, since your password seems to be in it." in table.one_mail.words
    assert "left out a line" not in table.other_mail.words
    assert "secret" not in table.other_mail.raw.decode() + table.one_mail.raw.decode()


def test_a_name_is_no_password_unless_it_is_one(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret b3")
    table.hear()
    table.other.answers(table.other_mail, "c4,k5\n\nYour turn!\nBob Miller\nBob Secret\nbob secrte")
    table.hear()
    assert comment(table.one_mail) == "bob writes:\n\nYour turn!\nBob Miller"
    assert "I have left out 2 lines of your text" in table.other_mail.words


def test_a_word_that_only_holds_the_letters_of_the_password_is_passed_on(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret b3", "My secretary says hello.\nSecretly, I am glad.")
    table.hear()
    assert comment(table.other_mail) == "alice writes:\n\nMy secretary says hello.\nSecretly, I am glad."
    assert "of your text" not in table.one_mail.words


@pytest.mark.parametrize("subject", ["", "hello", "superbo", "move"])
def test_a_second_command_is_never_dropped_in_silence(table: MailBoard, subject: str) -> None:
    table.one.says(
        subject, f"move {table.number} alice secret b3\nmove 999 alice secret c3\nsuperbo challenge bob\nHi!"
    )
    table.hear()
    assert "I read only one command of a letter, so nothing has been done about: move 999 and superbo challenge." in (
        table.one_mail.words
    )
    assert comment(table.other_mail) == "alice writes:\n\nHi!"
    assert "carried out only" not in table.other_mail.words
    assert "secret" not in table.other_mail.raw.decode() + table.one_mail.raw.decode()


def test_a_second_command_below_one_that_is_refused_is_told_of_too(table: MailBoard) -> None:
    table.one.says(f"move {table.number} alice secret zz9", "superbo 999 move b2")
    refusal = table.one.hears()
    assert "no space ZZ" in refusal.words
    assert "about: superbo move 999." in refusal.words


def test_sentences_that_begin_like_commands_are_comments(table: MailBoard) -> None:
    words = "resign is not an option\nMove 12 was great\nHelp me next time\nSuperbo is fun\nShow must go on"
    table.one.says(f"move {table.number} alice secret b3", words)
    table.hear()
    assert comment(table.other_mail) == f"alice writes:\n\n{words}"
    assert "carried out only" not in table.one_mail.words
