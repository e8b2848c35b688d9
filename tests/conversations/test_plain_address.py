"""A server at a provider without sub-addressing: answers prove who sends them by the mail that they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.in_process import in_process_server
from tests.support.mail import Mail
from tests.support.server import GameServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    with in_process_server(tmp_path, sub_addresses="false", web_listen="127.0.0.1:8080") as server:
        yield server


def names_no_sub_address(mail: Mail) -> bool:
    return b"pbem+" not in mail.raw and b"pbem%2B" not in mail.raw and "pbem+" not in mail.html + mail.envelope_sender


def test_a_game_is_played_by_answers_alone(server: GameServer) -> None:
    alice, bob = server.player("alice", None), server.player("bob", None)
    alice.says("superbo challenge bob")
    begun, told = alice.hears(), bob.hears()
    assert begun.parsed["Reply-To"] is None
    assert "mailto:pbem@localhost?subject=Re%3A" in begun.html + told.html
    first, person, other = (begun, alice, bob) if "Your move" in begun.text else (told, bob, alice)
    person.answers(first, "a1")
    assert person.hears().subject.startswith("superbo Board 101")
    assert "Your move, " in other.hears().text
    assert server.database.rows("SELECT count(*) FROM events") == [(1,)]
    assert {mail.envelope_sender for mail in (begun, told)} == {"pbem@localhost"}
    assert all(map(names_no_sub_address, server.postbox.mails))
