"""Answers whose plus address a mail system has stripped off: In-Reply-To proves the same."""

from __future__ import annotations

from email.utils import make_msgid

import pytest

from tests.conversations.playing import begin, seat
from tests.support.mail import Mail, Person
from tests.support.server import GameServer


def answers_plainly(person: Person, mail: Mail, body: str, subject: str | None = None) -> None:
    """Answer a mail at the server's plain address, as a mail program does behind a system that knows no plus."""
    message_id = str(mail.parsed["Message-ID"])
    person.says(
        f"Re: {mail.subject}" if subject is None else subject,
        f"{body}\n\nOn Friday, pbem wrote ({message_id}):\n> {message_id}",
        headers={"In-Reply-To": message_id, "References": f"{make_msgid(domain='x.org')} {message_id}"},
    )


def test_a_whole_game_is_answered_without_plus_addresses(shared: GameServer) -> None:
    table = begin(shared, "ada", "ben")
    for number, turn in enumerate(("b3", "c4,k5", "g2,h7")):
        mover, mail = (table.other, table.other_mail) if number % 2 else (table.one, table.one_mail)
        answers_plainly(mover, mail, f"{turn}\n\nYour turn: see below.")
        table.hear()
        assert table.one_mail.subject.startswith("superbo Board")
        assert "Your turn: see below." in table.other_mail.text
        assert "@localhost" not in table.other_mail.text.partition("Your turn: see below.")[2]


def test_a_question_is_answered_without_its_plus_address(shared: GameServer) -> None:
    cal = shared.person("cal")
    cal.says("signup cal secret")
    answers_plainly(cal, cal.hears(), "Yes")
    assert cal.hears().subject == "Welcome to pbem, cal"
    cal.says("signoff")
    answers_plainly(cal, cal.hears(), "no")
    assert cal.hears().subject == "As you wish: nothing has happened"


def test_an_overtaken_mail_is_recognised_and_so_is_the_present_one(shared: GameServer) -> None:
    table = begin(shared, "dan", "eli")
    first = table.one_mail
    table.play("b3", "c4,k5")
    answers_plainly(table.one, first, "g2,h7")
    refusal = table.one.hears()
    assert "Your letter answers an older mail" in refusal.text
    answers_plainly(table.one, refusal, "g2,h7")
    assert table.one.hears().subject == f"superbo Board {table.number} eli"


def test_a_message_id_is_good_for_nobody_else(shared: GameServer) -> None:
    table = begin(shared, "flo", "guy")
    answers_plainly(table.other, table.one_mail, "b3")
    assert f"It's flo's move on board {table.number}, not yours." in table.other.hears().text
    stranger = shared.person("strange")
    answers_plainly(stranger, table.one_mail, "b3")
    assert "I do not know the address" in stranger.hears().words
    assert table.one.hears_nothing()


def test_a_message_id_is_good_for_its_board_only(shared: GameServer) -> None:
    table = begin(shared, "hob", "ira")
    other = seat(shared, table.one, table.other)
    answers_plainly(table.one, table.one_mail, "", f"move {other.number} b3")
    assert table.one.hears().subject == f"Please confirm, hob: move on board {other.number}"


def test_the_reply_address_goes_before_the_message_id(shared: GameServer) -> None:
    table = begin(shared, "jay", "kit")
    other = seat(shared, table.one, table.other)
    headers = {"In-Reply-To": str(other.one_mail.parsed["Message-ID"])}
    table.one.says("", "b3", to=table.one_mail.reply_to, headers=headers)
    assert table.one.hears().subject == f"superbo Board {table.number} kit"
    token = table.one_mail.reply_to.partition("+")[2].partition("@")[0]
    forged = table.one_mail.reply_to.replace(token, token[:-2] + "aa")
    table.one.says(f"move {other.number} b3", to=forged, headers=headers)
    assert table.one.hears().subject == f"Please confirm, jay: move on board {other.number}"


@pytest.mark.parametrize("line", ["data", "who", "history", "set", "vacation", "help data", "list", "superbo limit"])
def test_thanks_for_an_answer_are_answered_kindly_and_do_nothing_again(shared: GameServer, line: str) -> None:
    tag = line.replace(" ", "-")
    dan = shared.player(f"dan-{tag}")
    dan.says(f"{line} dan-{tag} secret" if line in ("data", "set", "vacation", "superbo limit") else line)
    dan.answers(dan.hears(), "Thanks a lot!")
    answer = dan.hears()
    assert answer.subject == "pbem error"
    assert answer.text.startswith("You are welcome.")
    assert len(answer.text.splitlines()) < 10
    assert dan.hears_nothing()


def test_thanks_for_the_mail_of_a_board_are_no_move(shared: GameServer) -> None:
    table = begin(shared, "eva", "fred")
    table.other.answers(table.other_mail, "Thank you, I am glad to play.")
    assert "You are welcome." in table.other.hears().text
    assert shared.postbox.unread_for(table.one.address) == []
    table.one.says(f"export {table.number}")
    table.one.answers(table.one.hears(), "Thanks")
    assert f'put "chat {table.number}" on that line' in table.one.hears().words
