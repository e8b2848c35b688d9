"""Letters that seem to come from others: who gets the answers reads no word of the forger's."""

from __future__ import annotations

import pytest

from tests.conversations.playing import begin
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

MARK = "zzmark"
URL = f"https://www.{MARK}.example/YOUR-ACCOUNT"
_SAID = """
    help {url}; help {mark}; help {mark} tutorial; help fr {mark}; who {url}; who {mark}; show {mark}; show 498001234567
    games {mark}; games -{mark}; {mark}; {url}; {mark} challenge bob; superbo {mark}; superbo challenge {mark}
    superbo challenge -{mark} bob; superbo challenge -num_tiles={mark} bob; superbo challenge -{mark}=3 bob
    superbo seek -nagtime={mark}; superbo seek -{mark}; history {mark}; superbo standings {mark}; move 101 {mark}
    superbo tournament show {mark}; superbo tournament create {mark}.x; move {mark} b3; chat 101 {mark}
    message to {mark}
    signup {url} x; signup www.{mark}.example x; signup {mark}.com x; signup {mark}{mark}{mark}{mark}{mark}{mark} x
    signup bob {mark} {mark}; set language={mark}; set {mark}=on; set timezone={mark}/x; vacation {mark}; limit {mark}
    superbo limit {mark}; puzzle {mark}; puzzle answer 1 {mark}; robot {mark}; preview 101 {mark}; preview {mark}
    superbo preview new {mark}; superbo preview new 2 -{mark}; export {mark}; analyse {mark}; list {mark}; report {mark}
    block {mark}; subscribe to {mark}; unsubscribe {mark}; forgot {mark}; add {mark}; change {mark}; resend {mark}
    mailed {mark}; nag {mark}; broadcast {mark}; propose {mark}; accept {mark}; Re: {mark}
    superbo move 101 {mark}; multiple
"""
LINES = [line.strip().format(mark=MARK, url=URL) for line in _SAID.strip().replace("\n", ";").split(";")]


def forge(server: GameServer, victim: Person, line: str) -> list[Mail]:
    """Mail a line in somebody's name, with words of the forger's wherever there is room; return what comes of it."""
    head = f'From: "{URL}" <{victim.address}>\r\nTo: pbem@localhost\r\nSubject: {line}\r\n'
    threads = f"In-Reply-To: <{MARK}@{MARK}.example>\r\nReferences: <{MARK}@{MARK}.example>\r\n"
    body = (
        f"{MARK} {URL}\r\nhelp {MARK}\r\nwho {URL}\r\n"
        if line == "multiple"
        else f"Visit {URL}\r\n\r\nnow, {MARK}!\r\n"
    )
    victim.mails(f"{head}{threads}\r\n{body}".encode(), sender="x@example.net")
    victim.hears_nothing()  # whatever has come is there
    return [victim.hears() for _ in server.postbox.unread_for(victim.address)]


@pytest.mark.parametrize("userid", [None, "alicia"])
def test_nobody_is_mailed_words_of_whoever_writes_in_their_name(server: GameServer, userid: str | None) -> None:
    victim = server.person("stranger") if userid is None else server.player(userid)
    server.player("bob")
    answered = 0
    for line in LINES:
        for mail in forge(server, victim, line):
            answered += 1
            shown = mail.raw.decode().replace("=\r\n", "").casefold()
            assert MARK not in shown, line
            assert "your-account" not in shown, line
            assert "498001234567" not in shown, line
    assert answered > len(LINES) * 3 // 4


def test_a_question_quotes_the_command_and_tells_only_that_there_is_text(server: GameServer) -> None:
    table = begin(server, "carola", "dora")
    (question,) = forge(server, table.one, f"chat {table.number}")
    assert f"chat {table.number}" in question.text
    assert "a text of 2 lines" in question.words
    assert MARK not in question.raw.decode()
    table.one.answers(question, "yes")
    assert URL in table.other.hears().text


def test_what_was_meant_is_told_without_what_was_written(server: GameServer) -> None:
    stranger = server.person("typist")
    said = {
        "help mamab": "Did you mean: help mambo, help mamba",
        "mamab": "Did you mean",
        "mamab challenge bob": "Word 1 of your command is in the place for the name of a game. Did you mean mamb",
    }
    for line, answer in said.items():
        stranger.says(line)
        assert answer in stranger.hears().words


def test_who_proves_who_they_are_is_told_which_word_it_was(server: GameServer) -> None:
    table = begin(server, "emil", "frieda")
    table.one.answers(table.one_mail, "xyzzy")
    assert "xyzzy" in table.one.hears().words
