"""Senders whom the database could not hold, and with them everybody else whose letter is in the same commit."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.ledger import Ledger
from tests.support.mail import PATIENCE
from tests.support.server import RunningServer, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("senders")
    with running_server(folder, log_level="warning") as server:
        yield server


@pytest.mark.parametrize("sender", ["a" * 245 + "@example.org", "a\0b@example.org", "a\x1bb@example.org"], ids=ascii)
def test_a_sender_that_cannot_be_stored_is_refused_before_his_letter_comes(server: RunningServer, sender: str) -> None:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as client:
        client.ehlo()
        assert client.docmd(f"MAIL FROM:<{sender}>")[0] in range(500, 560)
        client.rset()
        letter = f"From: alice@example.org\r\nSubject: help\r\n\r\n{sender!a}\r\n"
        client.sendmail("alice@example.org", ["pbem@localhost"], letter.encode())
    assert server.person("alice").hears().subject == "pbem help"
    assert Ledger(server.database).rows("SELECT DISTINCT sender FROM inbox") == [("alice@example.org",)]
    Ledger(server.database).wait_until_idle()


def test_the_longest_sender_is_heard(server: RunningServer) -> None:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as client:
        client.ehlo()
        assert client.docmd(f"MAIL FROM:<{'a' * 242}@example.org>")[0] == 250


def test_the_null_sender_is_stored_as_nobody_and_not_answered(server: RunningServer) -> None:
    server.person("bob").mails(b"From: bob@example.org\r\nSubject: help\r\n\r\n", sender="<>")
    ledger = Ledger(server.database)
    ledger.wait_until_idle()
    assert ledger.rows("SELECT sender FROM inbox ORDER BY id DESC LIMIT 1") == [("",)]
    assert not server.postbox.unread_for("bob@example.org")
