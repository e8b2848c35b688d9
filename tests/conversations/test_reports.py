"""Telling the operator about another player."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.admin import done, refused, told
from tests.conversations.playing import begin
from tests.support.in_process import in_process_server
from tests.support.server import GameServer

WORDS = "He writes rude things.\nPlease look at the second move."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    with in_process_server(tmp_path_factory.mktemp("server"), operator="boss@example.org") as server:
        yield server


def test_a_report_goes_to_the_operator_with_the_record_and_to_nobody_else(server: GameServer) -> None:
    table = begin(server, "amy", "ben")
    table.play("B3", "C4,K5")
    boss = server.person("boss")
    table.one.says(f"report amy secret ben {table.number}", WORDS)
    answer, mail = table.one.hears(), boss.hears()
    assert answer.subject == "Your report about ben"
    assert "ben is not told." in answer.words
    assert mail.subject.endswith("about ben")
    assert WORDS in mail.text
    (record,) = mail.parsed.iter_attachments()
    assert json.loads(record.get_content())["players"] == ["amy", "ben"]
    assert table.other.hears_nothing()
    (kept,) = told(server.folder, "reports", "list")
    assert (kept["by"], kept["about"], kept["board"], kept["text"]) == ("amy", "ben", int(table.number), WORDS)
    number = str(kept["report"])
    assert "Please look at the second move." in done(server.folder, "reports", "show", number)
    assert done(server.folder, "reports", "close", number, "--note", "Warned.") == f"report {number} is closed\n"
    assert told(server.folder, "reports", "list") == []
    assert done(server.folder, "reports", "list") == "No report is open.\n"
    assert told(server.folder, "reports", "show", number)["note"] == "Warned."
    assert refused(server.folder, "reports", "close", number) == f"Report {number} is already closed."
    assert refused(server.folder, "reports", "show", "999") == "There is no report 999."


def test_a_report_without_proof_is_asked_back_for(server: GameServer) -> None:
    table = begin(server, "cid", "dan")
    table.one.says("report to dan", WORDS)
    question = table.one.hears()
    assert "report to dan" in question.text
    assert not server.postbox.unread_for("boss@example.org")
    table.one.answers(question, "yes")
    assert table.one.hears().subject == "Your report about dan"
    boss = server.person("boss").hears()
    assert WORDS in boss.text
    assert list(boss.parsed.iter_attachments()) == []


def test_an_answer_to_a_boards_mail_reports_about_that_board(server: GameServer) -> None:
    table = begin(server, "eve", "fox")
    table.play("B3")
    table.one.answers(table.one_mail, f"report fox\n\n{WORDS}")
    assert f"on board {table.number}" in table.one.hears().words
    server.person("boss").hears()


def test_a_report_is_kept_without_lines_that_hold_a_password(server: GameServer) -> None:
    table = begin(server, "gus", "hem")
    table.one.says("report gus secret hem", f"Rude.\nmove {table.number} gus secret B3\nMy password is secret\nEnd.")
    table.one.hears()
    assert "secret" not in server.person("boss").hears().text
    newest = told(server.folder, "reports", "list")[0]
    assert newest["text"] == "Rude.\nEnd."


@pytest.mark.parametrize(
    ("line", "body", "said"),
    [
        ("report ivo secret nobody", "x", 'Nobody here is called "nobody"'),
        ("report ivo secret ivo", "x", "You have reported yourself"),
        ("report ivo secret jon", "", "Your report has no text"),
        ("report ivo secret jon 99999", "x", "There is no board 99999"),
        ("report ivo secret kim {}", "x", "kim does not play on board {}"),
        ("report ivo secret jon x", "x", "is not a board number"),
        ("report kim secret ivo {}", "x", "You (kim) do not play on board {}"),
        ("superbo report ivo secret jon", "x", "superbo"),
        ("report", "x", "userid"),
    ],
)
def test_what_cannot_be_reported_is_refused(server: GameServer, line: str, body: str, said: str) -> None:
    if not told(server.folder, "players", "list", "ivo"):
        begin(server, "ivo", "jon")
        server.player("kim")
    (number,) = told(server.folder, "players", "show", "ivo")["boards"]
    speaker = server.person("kim" if "kim secret" in line else "ivo")
    speaker.vouched = True
    speaker.says(line.format(number), body)
    assert said.format(number) in speaker.hears().words
    assert all(each["by"] not in ("ivo", "kim") for each in told(server.folder, "reports", "list", "--all"))


def test_who_has_only_written_to_somebody_can_be_reported(server: GameServer) -> None:
    odo, nia = server.player("odo"), server.player("nia")
    nia.says("message nia secret odo", "You are stupid.")
    assert "You are stupid." in odo.hears().text
    assert "has been sent" in nia.hears().words
    odo.says("report odo secret nia", "He wrote: You are stupid.")
    assert odo.hears().subject == "Your report about nia"
    assert "You are stupid." in server.person("boss").hears().text


def test_nobody_reports_more_than_five_times_a_day(server: GameServer) -> None:
    table = begin(server, "lex", "max")
    table.one.says("multiple", "\n".join(["report lex secret max"] * 2))
    assert "Your report has no text" in table.one.hears().words
    for _ in range(5):
        table.one.says("report lex secret max", WORDS)
        assert table.one.hears().subject == "Your report about max"
    table.one.says("report lex secret max", WORDS)
    assert "5 reports within a day" in table.one.hears().words


def test_without_an_operator_a_report_is_kept_all_the_same(tmp_path: Path) -> None:
    with in_process_server(tmp_path) as server:
        table = begin(server, "una", "vic")
        table.one.says("report una secret vic", WORDS)
        assert table.one.hears().subject == "Your report about vic"
        assert table.other.hears_nothing()
        assert [each["about"] for each in told(tmp_path, "reports", "list")] == ["vic"]
