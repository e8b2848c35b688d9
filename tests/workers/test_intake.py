"""The one way in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from sqlalchemy import Engine, QueuePool, select

from pbem.domain.letters import Envelope
from pbem.domain.replies import BoardReply, Signer
from pbem.ids import BoardNumber, PlayerId
from pbem.mail_in.addresses import key_until_0003
from pbem.storage.engine import is_out_of_order, reading
from pbem.storage.inbox import Inbox
from pbem.storage.models import LetterKeyRow, LetterRow
from pbem.workers.intake import Intake
from tests.storage.stock import AT, MINUTE, put, rows
from tests.support.databases import engine_at
from tests.support.mail import PATIENCE

LETTER = b"From: alice@example.org\r\nSubject: help\r\nMessage-ID: <1@example.org>\r\n\r\nhelp\r\n"
ENVELOPE = Envelope("alice@example.org", ("pbem@localhost",))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    with engine_at(database_url) as engine:
        yield engine


def test_a_letter_stored_before_an_upgrade_is_known_when_it_comes_again(engine: Engine) -> None:
    old = Signer(["the key of that time"])
    known_as = old.tag("letter", key_until_0003(LETTER, ENVELOPE))
    put(engine, LetterKeyRow, {"key": known_as, "accepted_at": AT})
    intake = Intake(Inbox(engine, "one", MINUTE), Signer(["a key", "the key of that time"]), 10)
    other = LETTER.replace(b"<1@", b"<2@")
    assert intake.store([(ENVELOPE, LETTER, AT + MINUTE), (ENVELOPE, other, AT + MINUTE)]) == [None, 1]
    assert rows(engine, LetterRow) == 1


def test_while_no_connection_is_to_be_had_letters_wait_for_one_together_and_once(postgresql_url: str) -> None:
    failures: list[int] = []
    with engine_at(postgresql_url, connections=1) as engine:
        cast("QueuePool", engine.pool)._timeout = 0.2
        inbox = Inbox(engine, "one", MINUTE)
        intake = Intake(inbox, Signer(["a key"]), 10, failed=lambda _, many: failures.append(many))
        with reading(engine):
            futures = [intake.accept(ENVELOPE, LETTER.replace(b"<1@", b"<%d@" % number), AT) for number in range(5)]
            assert all(is_out_of_order(cast("Exception", each.exception(PATIENCE))) for each in futures)
        assert intake.accept(ENVELOPE, LETTER, AT).result(PATIENCE) == 1
        intake.close()
    assert sum(failures) == 5
    assert len(failures) < 5


@pytest.mark.parametrize("player", [7, 8])
def test_a_letter_to_an_address_that_proves_its_player_has_the_lane_of_that_player(engine: Engine, player: int) -> None:
    signer = Signer(["a key"])
    reply = BoardReply(PlayerId(player), BoardNumber(101), 3, AT.date())
    intake = Intake(Inbox(engine, "one", MINUTE), signer, 1000)
    crowd = [Envelope(f"x{number}@evil.example", ("pbem@localhost",)) for number in range(60)]
    intake.store([(each, LETTER.replace(b"<1@", b"<x%d@" % number), AT) for number, each in enumerate(crowd)])
    tokens = [signer.sign(reply), Signer(["another key"]).sign(reply)]
    for number, token in enumerate(tokens):
        answer = Envelope("new@example.net", (f"pbem+{token}@localhost",))
        intake.store([(answer, LETTER.replace(b"<1@", b"<%d@" % number), AT)])
    with reading(engine) as connection:
        lanes = list(connection.scalars(select(LetterRow.lane).order_by(LetterRow.id.desc()).limit(2)))
    assert lanes == ["stranger new@example.net", f"player {player}"]
