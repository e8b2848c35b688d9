"""``pbem admin maintenance`` and ``broadcast``: what everybody reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from time import sleep

import pytest

from pbem.domain.mails import Notice
from pbem.workers.admin_session import AdminSession
from tests.cli.admin import admin, done, in_a_process, refused, told
from tests.cli.running import serving
from tests.conversations.playing import begin
from tests.support.mail import PATIENCE
from tests.support.server import GameServer

MOMENT = 1.1
"""Seconds, long enough for processes that have read the notices lately to read them again."""
TEXT = "The server is down on Sunday from 20:00.\nNothing is lost."


@pytest.fixture(autouse=True)
def taken_down(shared: GameServer) -> Iterator[None]:
    yield
    done(shared.folder, "maintenance", "end")


def test_a_notice_stands_below_every_mail_to_players_until_it_is_taken_down(shared: GameServer) -> None:
    una, stranger = shared.player("una"), shared.person("stranger")
    ended = in_a_process(shared.folder, "maintenance", "post", TEXT)
    assert (ended.returncode, ended.stdout) == (0, "the notice is posted\n")
    sleep(MOMENT)
    una.says("help")
    mail = una.hears()
    assert mail.text.rstrip().endswith(f"The operator of this server says:\n\n{TEXT}")
    stranger.says("help")
    assert "Sunday" not in stranger.hears().text
    done(shared.folder, "maintenance", "end", str(told(shared.folder, "maintenance", "list")[0]["id"]))
    sleep(MOMENT)
    una.says("list")
    assert una.hears().subject == "List of games"


def test_a_notice_stands_in_the_html_too(shared: GameServer) -> None:
    done(shared.folder, "maintenance", "post", "Down & <out>")
    sleep(MOMENT)
    table = begin(shared, "vic", "wes")
    assert "Down &amp; &lt;out&gt;" in table.one_mail.html
    assert "Down & <out>" in table.one_mail.text


def test_a_notice_is_mailed_once_to_everybody_who_plays(shared: GameServer) -> None:
    table, idle = begin(shared, "xia", "yan"), shared.player("zoe")
    said = done(shared.folder, "maintenance", "post", TEXT, "--until", "2999-12-01 20:00", "--mail")
    assert said.startswith("the notice is posted\n")
    for person in (table.one, table.other):
        mail = person.hears()
        assert mail.subject == "A notice from the operator of pbem"
        assert mail.text.count("Nothing is lost.") == 1
        assert "until Sun 1 Dec 2999, 20:00 UTC." in mail.words
    assert idle.hears_nothing()
    done(shared.folder, "maintenance", "end")
    assert done(shared.folder, "maintenance", "post", TEXT, "--until", "2999-12-01 20:00", "--mail").endswith(
        "\n0 mails are on the way\n"
    )


@pytest.mark.parametrize("until", ["tomorrow", "2020-01-01 10:00", "2026-13-01 10:00"])
def test_a_moment_must_be_one_that_is_to_come(shared: GameServer, until: str) -> None:
    assert admin(shared.folder, "maintenance", "post", "x", "--until", until).exit_code == 2


@pytest.mark.parametrize("text", [" ", "x" * 2001, "a\x07b", "a\u202eb"], ids=["empty", "long", "bell", "turned"])
def test_a_text_must_be_fit_for_a_mail(shared: GameServer, text: str) -> None:
    assert refused(shared.folder, "maintenance", "post", text).startswith(("The text", "There are control"))
    assert told(shared.folder, "maintenance", "list") == []


def test_a_notice_that_is_not_up_cannot_be_taken_down(shared: GameServer) -> None:
    assert refused(shared.folder, "maintenance", "end", "999") == "not posted: 999"
    assert done(shared.folder, "maintenance", "end") == "No notice is posted.\n"


def test_everybody_with_an_address_is_written_to_once(shared: GameServer) -> None:
    ada = shared.player("ada")
    shared.person("bud").says("signup bud")
    shared.person("bud").hears()
    words = "Dear all,\nthere is a new game: Gr\u00fc\u00dfe!"
    command = ("broadcast", "--subject", "A new game", "-")
    first = admin(shared.folder, *command, typed=words).stdout
    mail = ada.hears()
    assert mail.subject == "A new game"
    assert "there is a new game: Gr\u00fc\u00dfe!" in mail.text
    assert mail.text.startswith("Dear ada,")
    assert first.endswith(" on the way\n")
    assert not shared.postbox.unread_for("bud@example.org")
    late = shared.player("late")
    assert (
        admin(shared.folder, "broadcast", "--subject", "A new game", "-", typed=words).stdout
        == "1 mail is on the way\n"
    )
    assert late.hears().subject == "A new game"
    assert ada.hears_nothing()


def test_a_text_that_is_too_long_is_told_from_one_that_is_none(shared: GameServer) -> None:
    for length in (20_001, 60_000):
        said = refused(shared.folder, "broadcast", "--subject", "Long", typed=length * "\N{EURO SIGN}")
        assert said == "The text has more than 20000 characters."
    garbled = shared.folder / "garbled"
    garbled.write_bytes(b"Gr\xfc\xdfe!")
    assert refused(shared.folder, "broadcast", "Garbled", str(garbled)) == "the text is not UTF-8"


def test_one_word_is_the_file_and_never_the_subject(shared: GameServer) -> None:
    fay = shared.player("fay")
    text = shared.folder / "message.txt"
    text.write_bytes("\N{BOM}One:\t1\r\nTwo:\t2\r\n".encode())
    assert done(shared.folder, "broadcast", str(text)).endswith(" on the way\n")
    mail = fay.hears()
    assert mail.subject == "A message from the operator of pbem"
    assert "One:    1\nTwo:    2\n" in mail.text
    for words in (["mesage.txt"], ["A new game"], [str(shared.folder)], [str(text), "A new game"]):
        wrong = admin(shared.folder, "broadcast", *words, typed="Hello")
        assert (wrong.exit_code, wrong.stdout) == (2, "")
        assert f"'{words[-1]}' cannot be read: " in wrong.stderr
        assert "pbem admin broadcast --subject TEXT FILE" in wrong.stderr
    assert fay.hears_nothing()


@pytest.mark.parametrize("words", [[], ["a", "b", "c"], ["--subject", "x", "a", "b"]], ids=len)
def test_a_broadcast_names_one_file(shared: GameServer, words: list[str]) -> None:
    wrong = admin(shared.folder, "broadcast", *words, typed="Hello")
    assert wrong.exit_code == 2
    assert "Name one file, or - for standard input" in wrong.stderr


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        (" ", "The Subject is empty."),
        ("x" * 121, "The Subject has more than 120 characters."),
        ("a\x07b", "There are control characters in the Subject."),
    ],
    ids=["empty", "long", "bell"],
)
def test_a_subject_must_be_fit_for_a_mail(shared: GameServer, subject: str, why: str) -> None:
    assert refused(shared.folder, "broadcast", "--subject", subject, "-", typed="Hello") == why


def test_of_two_who_write_the_same_to_everybody_at_once_each_player_hears_of_one(
    shared: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, mail = shared.player("eve"), AdminSession.mail

    def overtaken(desk: AdminSession, notices: Mapping[str, Sequence[Notice]]) -> int:
        monkeypatch.undo()
        assert admin(shared.folder, "broadcast", "Twice", "-", typed="Hello").exit_code == 0
        return mail(desk, notices)

    monkeypatch.setattr(AdminSession, "mail", overtaken)
    assert admin(shared.folder, "broadcast", "Twice", "-", typed="Hello").stdout == "0 mails are on the way\n"
    assert eve.hears().subject == "Twice"
    assert eve.hears_nothing()


def test_the_web_page_shows_what_is_up(tmp_path: Path) -> None:
    with serving(tmp_path, web_listen="127.0.0.1:0") as server:
        done(tmp_path, "maintenance", "post", "Back at <8>")
        host = server.address_of("web").removeprefix("http://")
        with closing(HTTPConnection(host, timeout=PATIENCE)) as web:
            web.request("GET", "/")
            assert "Back at &lt;8&gt;" in web.getresponse().read().decode()
