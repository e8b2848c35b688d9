"""Letters from machines are neither carried out nor answered, so no two machines keep each other busy."""

from __future__ import annotations

import pytest

from tests.conversations.playing import begin, played
from tests.support.server import GameServer

MACHINES = {
    "auto-replied": "Auto-Submitted: auto-replied",
    "auto-generated": "Auto-Submitted: AUTO-GENERATED; owner-email=x@example.org",
    "vacation": "Auto-Submitted: auto-replied (vacation)",
    "bulk": "Precedence: bulk",
    "junk": "Precedence: Junk",
    "list": "Precedence: list",
    "list-id": "List-Id: Chess friends <chess.example.org>",
    "bounce": 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
}


@pytest.mark.parametrize("header", MACHINES.values(), ids=MACHINES)
def test_a_letter_with_the_mark_of_a_machine_is_left_alone(shared: GameServer, header: str) -> None:
    reader = shared.person("reader")
    reader.mails(f"From: {reader.address}\r\nSubject: help\r\n{header}\r\n\r\n{header}".encode())
    assert reader.hears_nothing()


@pytest.mark.parametrize("header", ["Auto-Submitted: no", "Precedence: first-class", "X-Auto-Response-Suppress: All"])
def test_a_person_whose_program_says_more_is_answered(shared: GameServer, header: str) -> None:
    reader = shared.person("reader")
    reader.mails(f"From: {reader.address}\r\nSubject: help\r\n{header}\r\n\r\n{header}".encode())
    assert reader.hears().subject == "pbem help"


@pytest.mark.parametrize(
    "sender",
    ["<>", "MAILER-DAEMON@example.org", "postmaster@example.org", "noreply@example.org", "pbem@localhost"],
)
def test_a_bounce_is_left_alone(shared: GameServer, sender: str) -> None:
    reader = shared.person("reader")
    raw = f"From: {reader.address}\r\nSubject: help\r\n\r\nfrom {sender}"
    reader.mails(raw.encode(), sender=sender)
    assert reader.hears_nothing()


def test_a_letter_that_seems_to_come_from_ourselves_is_left_alone(shared: GameServer) -> None:
    reader = shared.person("reader")
    count = len(shared.postbox.mails)
    for ours in ("pbem@localhost", "PBEM+x@LocalHost"):
        reader.mails(f"From: {ours}\r\nSubject: help\r\n\r\n{ours}".encode())
    assert reader.hears_nothing()
    assert not [mail for mail in shared.postbox.mails[count:] if mail.recipient.lower().endswith("@localhost")]


def test_a_machines_answer_to_a_board_moves_nothing(shared: GameServer) -> None:
    table = begin(shared, "alma", "axel")
    before = played(shared)
    mail = table.one_mail
    for header in ("Auto-Submitted: auto-replied", "Precedence: bulk"):
        raw = f"From: {table.one.address}\r\nSubject: Re: {mail.subject}\r\n{header}\r\n\r\nb3\r\n{header}\r\n"
        table.one.mails(raw.encode(), to=mail.reply_to)
    assert table.one.hears_nothing()
    assert played(shared) == before


def test_a_machines_answer_to_a_question_confirms_nothing(shared: GameServer) -> None:
    table = begin(shared, "bert", "bine")
    table.one.says(f"move {table.number} b3")
    question = table.one.hears()
    before = played(shared)
    raw = f"From: {table.one.address}\r\nSubject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n"
    table.one.mails(raw.encode(), to=question.reply_to)
    table.one.mails(raw.replace("Auto-Submitted: auto-replied\r\n", "").encode(), to=question.reply_to, sender="<>")
    assert table.one.hears_nothing()
    assert played(shared) == before


def test_a_mail_of_ours_that_somebody_forwards_as_his_own_is_left_alone(shared: GameServer) -> None:
    table = begin(shared, "dora", "dirk")
    before = played(shared)
    head, _, body = table.one_mail.raw.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if line.partition(b":")[0] in (b"To", b"Subject", b"Message-ID")]
    passed_on = b"\r\n".join([b"From: " + table.one.address.encode(), *kept]) + b"\r\n\r\n" + body
    table.one.mails(passed_on)
    table.one.mails(passed_on, to=table.one_mail.reply_to)
    assert table.one.hears_nothing()
    assert played(shared) == before


def test_what_a_mailer_daemon_writes_under_its_name_is_left_alone(shared: GameServer) -> None:
    reader = shared.person("reader")
    count = len(shared.postbox.mails)
    reader.mails(b"From: Mail System <MAILER-DAEMON@example.org>\r\nSubject: help\r\n\r\nundelivered")
    assert reader.hears_nothing()
    assert "MAILER-DAEMON@example.org" not in [mail.recipient for mail in shared.postbox.mails[count:]]


def test_a_mail_of_ours_that_comes_back_is_not_answered(shared: GameServer) -> None:
    table = begin(shared, "cora", "curt")
    before = played(shared)
    table.one.mails(table.one_mail.raw)
    table.one.mails(table.one_mail.raw, to=table.one_mail.reply_to)
    assert table.one.hears_nothing()
    assert played(shared) == before
