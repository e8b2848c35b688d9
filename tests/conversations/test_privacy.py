"""Passwords and tokens stay where they belong: in no log, no column, and nobody else's mail."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.conversations.playing import MailBoard, begin
from tests.support.mail import Mail, Person
from tests.support.server import RunningServer, running_server

pytestmark = pytest.mark.system

PASSWORDS = ("Tr0mbone-1", "Tr0mbone-2", "Tr0mbone-3", "Tr0mbone-4", "Wr0ng-guess", "Typ0-secret", "L0st-reset")
TOKEN = re.compile(r"(?i)(?<![a-z0-9])[a-z2-7]{37}(?![a-z0-9])")
MESSAGE_ID = re.compile(r"<[gqm][0-9]*\.[a-z0-9.-]+@localhost>")


def hears_all(*people: Person) -> list[Mail]:
    """Everything that has come to these people and is unread."""
    people[0].hears_nothing()  # what has been said so far is answered by now
    return [each.hears() for each in people for _ in range(len(each.postbox.unread_for(each.address)))]


def talk(server: RunningServer) -> MailBoard:
    """A long conversation with everything that could give something away."""
    table = begin(server, "alice", "bob")
    alice, bob, cafe = table.one, table.other, server.person("cafe")
    one, two, three, four, wrong, typo, reset = PASSWORDS
    alice.says(f"change password {one}")
    alice.answers(alice.hears(), "yes")
    alice.hears()
    quoted = (
        f"see {table.one_mail.reply_to}\n{table.one_mail.parsed['Message-ID']}\nmove 101 alice {one} b3\n{one} it is"
    )
    alice.says(f"move 101 alice {one} b3", quoted)
    table.hear()
    alice.says(f"move 101 alice {wrong} c4,k5")
    alice.says(f"mvoe 101 alice {typo} c4,k5 {typo}")
    alice.says(f"chnage password {two}")
    alice.says("", f"change passwort {two}")
    alice.says(f"chess move 101 alice {typo} c4")
    bob.says(
        "multiple", f"move 101 bob {wrong} c4\nset bob {wrong}\nsignoff bob {wrong}\nchange password bob {wrong} {two}"
    )
    cafe.says(f"change password alice {one} {two}")
    cafe.says(f"change address alice {wrong}", f"alice {one}")
    hears_all(alice, bob, cafe)
    alice.says("forgot alice")
    mails = [alice.hears(), alice.hears()]
    mail = next(each for each in mails if each.subject.startswith("A new"))
    alice.answers(mail, f"{reset} {three}")
    alice.hears()
    alice.answers(mail, f"password {three}")
    alice.hears()
    alice.says(f"Re: {mail.subject}", reset)
    alice.says("Re: A forgotten password", reset)
    alice.says("Re: A forgotten password", f"password {reset}")
    alice.says(f"data alice {three}")
    alice.says(f"signup carol {four} {cafe.address}")
    cafe.hears()
    hears_all(alice, bob, cafe)
    bob.answers(table.other_mail, f"c4,k5\n\nYou wrote to {table.other_mail.reply_to}, did you?\nset bob {typo}")
    table.hear()
    return table


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, MailBoard]]:
    with running_server(tmp_path_factory.mktemp("server"), log_level="debug") as server:
        table = talk(server)
        server.stop()
        yield server, table


def columns(server: RunningServer) -> dict[tuple[str, str], str]:
    """Everything that stands in the database, by table and column; hashes of passwords aside."""
    return {
        (table, column): "\n".join(text)
        for table, columns in server.database.content().items()
        for column, text in columns.items()
    }


def test_no_password_stands_in_the_log_the_database_or_any_mail(talked: tuple[RunningServer, MailBoard]) -> None:
    server, _ = talked
    places = {"log": "\n".join(server.lines), **{str(place): text for place, text in columns(server).items()}}
    places |= {f"mail to {mail.recipient}: {mail.subject}": mail.raw.decode() for mail in server.postbox.mails}
    for password in (*PASSWORDS, "secret,", "alice secret", "bob secret"):
        assert [place for place, text in places.items() if password.lower() in text.lower()] == []
    assert len(server.lines) > 20
    assert "Traceback" not in places["log"]


def test_tokens_stand_in_the_stored_mails_of_their_own_readers_only(talked: tuple[RunningServer, MailBoard]) -> None:
    server, _ = talked
    assert TOKEN.search("\n".join(server.lines)) is None
    found = {place for place, text in columns(server).items() if TOKEN.search(text)}
    assert found <= {("outbox", "raw"), ("outbox", "sender"), ("outbox", "packed")}


def test_nobodys_tokens_and_message_ids_stand_in_anybody_elses_mail(talked: tuple[RunningServer, MailBoard]) -> None:
    server, _ = talked
    by_reader: dict[str, set[str]] = {}
    for mail in server.postbox.mails:
        secrets = {*TOKEN.findall(mail.raw.decode()), *MESSAGE_ID.findall(mail.raw.decode())}
        by_reader.setdefault(mail.recipient, set()).update(secrets)
    readers = sorted(by_reader)
    assert len(readers) > 2
    for one in readers:
        for other in readers:
            assert one == other or not by_reader[one] & by_reader[other]


def test_no_address_of_a_player_stands_in_the_mail_of_another(talked: tuple[RunningServer, MailBoard]) -> None:
    server, _ = talked
    for mail in server.postbox.mails:
        text = mail.raw.decode()
        assert mail.recipient == "alice@example.org" or "alice@example.org" not in text
        assert mail.recipient == "bob@example.org" or "bob@example.org" not in text
