"""No more mails of a kind: by the link in the daily mail, and in what players say to everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.domain.preferences import Preferences
from tests.conversations.playing import ask, begin
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    """A server whose clock can be made to pass."""
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        yield server


def link(mail: Mail) -> str:
    """The address that a mail unsubscribes by."""
    found = re.fullmatch(r"<mailto:(.*)\?subject=unsubscribe>", str(mail.parsed["List-Unsubscribe"]))
    assert found
    return found[1]


def settings(server: GameServer, userid: str) -> Preferences:
    """A player's preferences as they are stored."""
    ((found,),) = server.database.rows("SELECT preferences FROM players WHERE userid = :userid", userid=userid)
    return Preferences(**(json.loads(found) if isinstance(found, str) else found or {}))


def daily(server: GameServer) -> tuple[Person, Mail]:
    """A player and their daily mail about a new board."""
    ann, bob = server.player("ann"), server.player("bob")
    noon = f"Etc/GMT{datetime.now(UTC).hour - 12:+}"  # a timezone in which seven is far away
    ask(bob, f"set bob secret digest=daily legend=off timezone={noon}")
    ask(ann, "superbo challenge bob ann")
    server.passes(timedelta(days=1))
    return bob, bob.hears()


def said_to_all(server: GameServer) -> tuple[Person, Mail]:
    """A player and a mail that another has written to everybody."""
    ann, bob = server.player("ann"), server.player("bob")
    ask(ann, "broadcast ann secret", "Who plays on Friday?")
    return bob, bob.hears()


@pytest.mark.parametrize(
    ("subject", "body"), [("unsubscribe", ""), ("resign", "resign 101"), ("multiple", "signoff bob secret")]
)
def test_the_link_of_the_daily_mail_ends_it_whatever_the_letter_says(
    server: GameServer, subject: str, body: str
) -> None:
    bob, mail = daily(server)
    assert mail.subject == "Your boards: 1 waits for you"
    before = settings(server, "bob")
    for _ in range(2):
        bob.says(subject, body, to=link(mail))
        told = bob.hears()
        assert told.subject == "Preferences of bob"
        assert "Done. From now on my mails follow these settings" in told.words
        assert "\n  digest=off " in told.text
        assert settings(server, "bob") == replace(before, digest="off")
    assert server.database.rows("SELECT standing FROM players WHERE userid = 'bob'") == [("active",)]
    assert bob.hears_nothing()


def test_the_link_of_words_to_everybody_ends_them(server: GameServer) -> None:
    bob, mail = said_to_all(server)
    before = settings(server, "bob")
    for _ in range(2):
        bob.says("unsubscribe", to=link(mail))
        assert "\n  broadcast=off " in bob.hears().text
        assert settings(server, "bob") == replace(before, broadcast="off")
    ask(server.player("cat"), "broadcast cat secret", "I do.")
    assert bob.hears_nothing()


def test_what_was_kept_for_the_daily_mail_comes_when_it_ends(server: GameServer) -> None:
    bob, mail = daily(server)
    ask(server.player("carl"), "superbo challenge carl bob")
    assert bob.hears_nothing()
    bob.says("unsubscribe", to=link(mail))
    assert {bob.hears().subject for _ in range(2)} == {"Preferences of bob", "Your boards: 1 waits for you"}


def test_it_works_only_from_an_address_of_its_player(server: GameServer) -> None:
    bob, mail = said_to_all(server)
    before = settings(server, "bob")
    eve = server.player("eve")
    eve.says("unsubscribe", to=link(mail))
    refused = eve.hears()
    assert "This link came in a mail to another address" in refused.words
    assert bob.address not in refused.text
    assert settings(server, "bob") == before


def test_a_forged_link_changes_nothing(server: GameServer) -> None:
    bob, mail = said_to_all(server)
    before = settings(server, "bob")
    local, _, domain = link(mail).partition("@")
    forged = f"{local[:-1]}{'a' if local[-1] != 'a' else 'e'}@{domain}"
    bob.says("unsubscribe", to=forged)
    assert "Preferences" not in bob.hears().subject
    assert settings(server, "bob") == before


def test_mails_about_boards_and_messages_have_no_such_link(server: GameServer) -> None:
    table = begin(server, "ann", "bob")
    ask(table.one, "message ann secret bob", "Hello")
    assert table.other.hears().parsed["List-Unsubscribe"] is None
    table.one.says("unsubscribe", to=link(table.one_mail))
    assert "You now get less mail about this board" in table.one.hears().words
