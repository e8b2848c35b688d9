"""Limits on answers to an address: loops between machines die by themselves, and people do not notice."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.conversations.playing import MailBoard, begin, played, seat
from tests.support.in_process import InProcessServer, in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer, RunningServer, running_server

LIMITS = {"max_answers_per_day": "30", "max_answers_per_hour": "20", "max_unread_in_a_row": "5"}
A_HANDFUL = 7
"""Mails to a machine that answers everything: the one of the board, five answers, and the last word."""

_numbers = count(1)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server with the limits that a server in the open has."""
    with in_process_server(tmp_path_factory.mktemp("server"), **LIMITS) as server:
        yield server


def _away(_mail: Mail) -> str:
    return "Thank you for your mail. I am away until Monday."


def _away_with_a_number(_mail: Mail) -> str:
    return f"Thank you for your mail, it has got the number {next(_numbers)}. We shall see to it."


def _echo(mail: Mail) -> str:
    return f"Your mail was read:\n\n{mail.text}"


def _nothing(_mail: Mail) -> str:
    return ""


ROBOTS = {"away": _away, "numbers": _away_with_a_number, "echo": _echo, "nothing": _nothing}


def answer_everything(server: GameServer, robot: Person, words: Callable[[Mail], str]) -> int:
    """Answer every mail to an address, and those that come because of it, until no more come; return how many came."""
    answered = 0
    while True:
        mails = server.postbox.unread_for(robot.address)
        if not mails and robot.hears_nothing():
            return answered
        robot.answers(robot.hears(), words(server.postbox.mails[-1] if not mails else mails[0]))
        answered += 1


@pytest.mark.parametrize("words", ROBOTS.values(), ids=ROBOTS)
def test_a_robot_at_a_board_costs_a_handful_of_mails(
    strict: GameServer, words: Callable[[Mail], str], request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.id
    table = begin(strict, f"anna{name}", f"machine{name}")
    table.other.answers(table.other_mail, words(table.other_mail))
    before = played(strict)
    assert answer_everything(strict, table.other, words) < A_HANDFUL
    assert played(strict) == before
    assert not strict.postbox.unread_for(table.one.address)


def test_after_its_silence_a_robots_board_goes_on(strict: GameServer) -> None:
    table = begin(strict, "otto", "roberta")
    table.other.answers(table.other_mail, "I am away.")
    answer_everything(strict, table.other, _away)
    table.one.answers(table.one_mail, "b3")
    table.hear()
    table.other.answers(table.other_mail, "I am away.")
    table.other.says(f"move {table.number} roberta secret c4,k5")
    table.hear()
    assert "Your move, otto." in table.one_mail.text


def test_two_robots_at_a_board_fall_silent(strict: GameServer) -> None:
    table = begin(strict, "robin", "ruby")
    robots = (table.one, table.other)
    for robot, mail in zip(robots, (table.one_mail, table.other_mail), strict=True):
        robot.answers(mail, _away(mail))
    assert all(answer_everything(strict, robot, _away) < A_HANDFUL for robot in robots)


def test_the_last_answer_is_followed_by_a_word_about_it(strict: GameServer) -> None:
    reader = strict.person("chatter")
    for _ in range(5):
        reader.says("hello there")
        assert reader.hears().subject == "pbem error"
    last = reader.hears()
    assert last.subject == "pbem falls silent for now"
    assert last.envelope_sender == "<>"
    assert "I still answer every move at once, and every command that you have not sent before." in last.words
    reader.says("hello there")
    assert reader.hears_nothing()
    reader.says("help")
    assert reader.hears().subject == "pbem help"


def test_a_ticket_system_whose_name_is_a_command_falls_silent_within_the_hour(strict: GameServer) -> None:
    desk = strict.person("desk")
    for number in range(20):
        desk.says(f"help desk, ticket {number}")
        desk.hears()
    assert "a great many questions" in desk.hears().text
    desk.says("help desk, ticket 20")
    assert desk.hears_nothing()


def test_the_same_question_again_and_again_falls_silent(strict: GameServer) -> None:
    table = begin(strict, "paula", "piet")
    for _ in range(6):
        table.one.says(f"show {table.number}")
        table.one.hears()
    assert table.one.hears().subject == "pbem falls silent for now"
    table.one.says(f"show {table.number}")
    assert table.one.hears_nothing()
    table.one.says("games paula")
    table.one.hears()


def _won(table: MailBoard) -> str:
    table.play("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")
    return table.one_mail.text


def test_moves_are_answered_however_many_there_are(strict: GameServer) -> None:
    one, other = strict.player("quick"), strict.player("quiet")
    for _ in range(5):
        assert "You won!" in _won(seat(strict, one, other))


def test_an_address_that_never_answers_is_asked_but_a_few_times_a_day(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_questions_per_day="3") as server:
        mallory, victim = server.person("mallory"), server.person("victim")
        for number in range(5):
            mallory.says(f"signup harmless{number} secret {victim.address}")
            mallory.hears()
        assert [victim.hears().subject for _ in range(3)] == [
            f"Please confirm your pbem account harmless{number}" for number in range(3)
        ]
        assert victim.hears_nothing()


def test_who_signs_up_too_often_is_told_that_he_is_asked_no_more(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_questions_per_day="2") as server:
        newcomer = server.person("newcomer")
        for password in ("first", "second"):
            newcomer.says(f"signup newbie {password}")
            question = newcomer.hears()
            assert question.subject == "Please confirm your pbem account newbie"
        newcomer.says("signup newbie third")
        told = newcomer.hears()
        assert told.subject == "pbem asks no more today"
        assert "You can still answer each question that you have" in " ".join(told.text.split())
        newcomer.answers(question, "yes")
        assert newcomer.hears().subject.startswith("Welcome to pbem, newbie")


def test_who_is_asked_no_more_is_not_told_that_a_question_has_gone_elsewhere(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_questions_per_day="1") as server:
        home = server.player("eager")
        away = server.person("away")
        for number in range(4):
            away.says(f"add eager secret a{number}@example.net")
            assert away.hears().subject == "Your add command"
            assert home.hears().subject.startswith("Please confirm")
        away.says("add eager secret a9@example.net")
        assert away.hears().subject == "pbem asks no more today"
        assert away.hears_nothing()
        assert home.hears_nothing()


def test_a_player_is_asked_four_times_as_often(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_questions_per_day="1", max_unproven_challenges_per_day="0") as server:
        one, _ = server.player("eager"), server.player("calm")
        for tiles in (10, 20, 30):  # the first question was if the address is theirs
            one.says(f"superbo challenge -num_tiles={tiles} calm")
            assert one.hears().subject == "Please confirm, eager: challenge"
        one.says("superbo challenge -num_tiles=40 calm")
        assert one.hears().subject == "pbem asks no more today"


def test_many_challenges_in_a_day_want_more_than_a_from_address(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_unproven_challenges_per_day="2") as server:
        one, other = server.player("eager"), server.player("calm")
        for _ in range(2):
            one.says("superbo challenge calm")
            assert one.hears().subject.startswith("New superbo Board")
            other.hears()
        before = played(server)
        one.says("superbo challenge -adjacent_pair calm")
        question = one.hears()
        assert question.subject == "Please confirm, eager: challenge"
        assert "    superbo challenge -adjacent_pair calm" in question.text
        assert other.hears_nothing()
        assert [played(server)[each] for each in ("boards", "seats", "events")] == [
            before[each] for each in ("boards", "seats", "events")
        ]
        one.answers(question, "yes")
        assert one.hears().subject == other.hears().subject == "New superbo Board 103 eager"


def test_what_others_write_in_his_name_does_not_silence_a_player(tmp_path: Path) -> None:
    with in_process_server(tmp_path, **LIMITS) as server:
        table = begin(server, "vera", "viktor")
        for number in range(21):
            table.one.says(f"help me, number {number}")  # as anybody could who writes her address into the From line
        table.other.hears_nothing()  # all of it has been answered by now
        assert 0 < len(server.postbox.unread_for(table.one.address)) <= 21
        while server.postbox.unread_for(table.one.address):
            table.one.hears()
        table.one.says("help me")
        assert table.one.hears_nothing()
        table.one.answers(table.one_mail, "z99")
        assert table.one.hears().subject == f"superbo Board {table.number} Error"
        table.one.says(f"move {table.number} vera secret z99")
        assert table.one.hears().subject == f"superbo Board {table.number} Error"


def test_a_forged_letter_of_many_commands_asks_a_player_no_more_than_many_letters(tmp_path: Path) -> None:
    with in_process_server(tmp_path, **LIMITS) as server:
        table = begin(server, "wilma", "wanda")
        for number in range(3):
            lines = [f"move {table.number} b3", *(f"set mail={each}" for each in ("text", "html") * 8)]
            table.one.says("multiple", "\n".join([*lines, f"help {number}"]))
        table.other.hears_nothing()  # all of it has been answered by now
        came = server.postbox.unread_for(table.one.address)
        assert 0 < len(came) <= 20 + A_HANDFUL
        assert "pbem falls silent for now" in [mail.subject for mail in came]


def test_letters_that_cannot_be_read_are_refused_at_the_door_and_nobody_is_told(running: RunningServer) -> None:
    victim = running.person("unread")
    for number in range(12):
        with pytest.raises(smtplib.SMTPDataError):
            victim.mails(f"From: {victim.address}\r\nX-Long: {'x' * 9000}\r\n\r\nhelp {number}".encode())
    assert victim.hears_nothing()


def _flooded(server: GameServer, table: MailBoard) -> None:
    """Somebody has written so much in the name of the first player that mere From letters are not answered any more."""
    for number in range(25):
        table.one.says(f"help me, number {number}")
    table.other.hears_nothing()  # all of it has been answered by now
    while server.postbox.unread_for(table.one.address):
        table.one.hears()


def test_what_others_write_in_his_name_does_not_hide_what_a_players_answer_has_done(tmp_path: Path) -> None:
    with in_process_server(tmp_path, **LIMITS) as server:
        table = begin(server, "xenia", "xaver")
        _flooded(server, table)
        table.one.says("change password xenia secret New1")
        question = table.one.hears()
        table.one.answers(question, "Perhaps, what is this about?")
        assert table.one.hears().subject == "pbem error"
        table.one.answers(question, "yes")
        assert table.one.hears().subject == "The password of xenia has been changed"
        table.one.says("forgot xenia")
        mails = [table.one.hears()]
        mails += [table.one.hears()] if "A new password" not in mails[0].subject else []
        table.one.answers(mails[-1], "password Other1")
        assert table.one.hears().subject == "The password of xenia has been changed"


def test_many_questions_may_be_answered_with_the_same_word(tmp_path: Path) -> None:
    with in_process_server(tmp_path, **LIMITS) as server:
        player = server.player("yolanda")
        for number in range(8):
            player.says(f"change password yolanda {'secret' if not number else f'New{number - 1}'} New{number}")
            player.answers(player.hears(), "yes")
            assert player.hears().subject == "The password of yolanda has been changed"


SHORT = 8000
"""Bytes of a mail that tells a stranger as much as a page of the help."""


@pytest.fixture
def careful(tmp_path: Path) -> Iterator[InProcessServer]:
    with in_process_server(tmp_path, max_stranger_mails_per_day="4") as server:
        yield server


def _sent(server: GameServer, domain: str) -> list[Mail]:
    """The mails to a domain, once everything is answered."""
    assert server.person("last").hears_nothing()
    return [mail for mail in server.postbox.mails if mail.recipient.endswith(domain)]


def _send(server: InProcessServer, sender: str, client: str, subject: str = "help") -> None:
    """Hand a letter in as our own MTA does that has had it from a client."""
    server.take("x@example.net", "pbem@localhost", _letter(sender, subject).encode(), client)


def _letter(sender: str, subject: str = "help") -> str:
    number = next(_numbers)
    return f"From: {sender}\r\nTo: pbem@localhost\r\nSubject: {subject}\r\nMessage-ID: <{number}@x>\r\n\r\n"


def _send_by_smtp(server: RunningServer, sender: str, client: str) -> None:
    with smtplib.SMTP("127.0.0.1", server.port) as door:
        door.ehlo()
        assert door.docmd(f"XFORWARD ADDR={client}")[0] == 250
        door.sendmail("x@example.net", ["pbem@localhost"], _letter(sender))


def test_a_stranger_gets_a_page_and_no_picture_however_much_a_letter_asks_for(strict: GameServer) -> None:
    stranger = strict.person("stranger1")
    stranger.says("multiple", "\n".join(["help commands"] * 19))
    mail = stranger.hears()
    assert len(mail.raw) < SHORT
    assert "The rest of this answer is left out" in mail.words
    assert stranger.hears_nothing()


def test_who_has_confirmed_an_address_gets_long_pages(strict: GameServer) -> None:
    player = strict.player("longreader")
    player.says("help commands")
    mail = player.hears()
    assert len(mail.raw) > SHORT
    assert "The rest of this answer" not in mail.words


def test_all_spellings_of_a_mailbox_share_what_a_stranger_gets(careful: InProcessServer) -> None:
    for number in range(12):
        _send(careful, f"victim+{number}@one.example", f"192.0.2.{number}", f"help puzzle {number}")
    mails = _sent(careful, "one.example")
    assert [mail.subject for mail in mails].count("pbem falls silent for now") == 1
    assert len(mails) == 5


def test_all_mailboxes_of_a_domain_share_a_multiple_but_for_the_first_mail_of_each(careful: InProcessServer) -> None:
    for number in range(12):
        for subject in ("help", "list", "help superbo"):
            _send(careful, f"victim{number}@host{number}.two.example", f"192.0.2.{number}", subject)
    assert len(_sent(careful, "two.example")) == 20 + 5


@pytest.mark.system
@pytest.mark.parametrize("client", ["192.0.2.1", "IPV6:2001:db8::{:x}"])
def test_all_strangers_that_one_client_names_share_a_multiple(tmp_path: Path, client: str) -> None:
    with running_server(tmp_path, max_stranger_mails_per_day="4") as server:
        for number in range(30):
            _send_by_smtp(server, f"victim@three{number}.example", client.format(number + 1))
        assert len([mail for mail in _sent(server, ".example") if "three" in mail.recipient]) == 12


def test_sign_ups_for_strangers_count_as_mails_to_them(careful: InProcessServer) -> None:
    for number in range(30):
        _send(careful, "x@example.net", "192.0.2.1", f"signup user{number}x secret v@four{number}.example")
    assert len([mail for mail in _sent(careful, ".example") if "four" in mail.recipient]) <= 12


def test_what_strangers_of_a_domain_or_a_client_use_up_is_not_taken_from_players(careful: InProcessServer) -> None:
    player = careful.player("here")
    for number in range(40):
        _send(careful, f"v{number}@example.org", "127.0.0.1")
    for number in range(6):
        player.says(f"help puzzle {number}")
        assert player.hears().subject.startswith("pbem help")


def test_who_tries_moves_is_neither_silenced_nor_silences_himself(strict: GameServer) -> None:
    table = begin(strict, "trixi", "tom")
    for number in range(30):  # more than an hour's answers
        table.one.answers(table.one_mail, f"z{number}")
        assert table.one.hears().subject == f"superbo Board {table.number} Error"
    for _ in range(24):  # more than a day's questions
        table.one.answers(table.one_mail, "perhaps b3")
        assert table.one.hears().subject == f"Please confirm, trixi: move on board {table.number}"
    table.one.says("help trixi secret")
    assert table.one.hears().subject != "pbem falls silent for now"


def test_a_machine_that_tries_moves_falls_silent_in_the_end(strict: GameServer) -> None:
    table = begin(strict, "minna", "mads")
    table.one.answers(table.one_mail, "z1")
    assert 50 < answer_everything(strict, table.one, lambda _mail: "z1") < 70


def test_a_move_without_proof_is_asked_about_however_much_others_have_written_in_that_name(tmp_path: Path) -> None:
    with in_process_server(tmp_path, **LIMITS) as server:
        table = begin(server, "yann", "yves")
        _flooded(server, table)
        table.one.says(f"move {table.number} b3")
        question = table.one.hears()
        assert question.subject == f"Please confirm, yann: move on board {table.number}"
        table.one.answers(question, "yes")
        assert "1. B3" in table.other.hears().text


def test_a_letter_that_asks_a_stranger_for_too_many_files_brings_none(careful: InProcessServer) -> None:
    table = begin(careful, "zeno", "zita")
    stranger = Person("files@five.example", careful.postbox, careful.port)
    stranger.says("multiple", f"export {table.number}\n" * 5)
    assert not _sent(careful, "five.example")
    stranger.says("multiple", f"export {table.number}\n" * 2)
    assert len(_sent(careful, "five.example")) == 3


def test_who_mails_what_passes_the_door_and_cannot_be_read_is_told_so_a_few_times(strict: GameServer) -> None:
    parts = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + 60 * b"--b\r\n\r\nhelp\r\n" + b"--b--\r\n"
    for writer in (strict.person("parter"), strict.player("parts")):
        for number in range(int(LIMITS["max_unread_in_a_row"])):
            writer.mails(f"From: {writer.address}\r\nMessage-ID: <{number}.{writer.address}>\r\n".encode() + parts)
            assert writer.hears().subject == "pbem could not handle your letter"
        writer.mails(f"From: {writer.address}\r\nMessage-ID: <more.{writer.address}>\r\n".encode() + parts)
        assert writer.hears_nothing()


def test_answers_that_say_neither_yes_nor_no_silence_nobody(strict: GameServer) -> None:
    table = begin(strict, "unclear", "unclearest")
    table.one.says(f"move {table.number} b3")
    question = table.one.hears()
    for number in range(int(LIMITS["max_unread_in_a_row"]) + 3):
        table.one.answers(question, f"What do I have to do? I ask for the time number {number}.")
        assert "I cannot tell whether your answer means yes or no." in table.one.hears().words
    table.one.answers(question, "yes")
    assert table.other.hears().subject == f"superbo Board {table.number} unclearest"
