"""Returned mails, on both databases, with the workers stepped by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from pbem.commands.internal import GiveMailUp
from pbem.domain.boards import Board
from pbem.domain.letters import Envelope
from pbem.domain.players import Player
from pbem.ids import BoardNumber
from pbem.mail_out.relay import make_relay
from pbem.storage.engine import reading, writing
from pbem.storage.models import BounceRow, MailRow
from pbem.usecases.dispatcher import HANDLERS
from pbem.workers.alarms import OperatorMails
from pbem.workers.outbox import DeliveryWorker, Retries
from pbem.workers.retention import Returns
from tests.support import reports
from tests.support.mail import Mail, Postbox
from tests.support.stepped_server import SteppedServer

ALICE, BOB = "alice@example.org", "bob@example.org"
B101 = BoardNumber(101)
DAYS = timedelta(days=5)


class PostOffice:
    """Alice and Bob at board 101, and a relay."""

    def __init__(self, database_url: str, folder: Path, postbox: Postbox) -> None:
        self.stepped = SteppedServer(database_url, folder)
        self.postbox = postbox
        self.relay = make_relay(f"smtp://127.0.0.1:{postbox.port}")
        server = self.stepped.server
        returns = Returns(server.executor, server.outbox)
        tell = OperatorMails(server.parts.composer, server.settings.operator).mail_failed
        self.delivery = DeliveryWorker(server.outbox, self.relay, Retries((60,), DAYS), tell, returns)
        for userid in ("alice", "bob"):
            self.stepped.gets(f"signup {userid} secret", sender=f"{userid}@example.org")
        self.stepped.gets("superbo challenge alice bob")
        self.stepped.works()

    def delivers(self) -> None:
        while self.delivery.step():
            pass

    def mail_to(self, address: str) -> Mail:
        return next(mail for mail in reversed(self.postbox.mails) if mail.recipient == address)

    def comes_back(self, mail: Mail, *, delayed: bool = False) -> None:
        envelope = Envelope("", (mail.envelope_sender,))
        report = reports.by_postfix(mail, delayed=delayed)
        assert self.stepped.server.accept(envelope, report, datetime.now(UTC)).result(20)
        self.stepped.works()

    def player(self, userid: str) -> Player:
        with self.stepped.server.unit_of_work() as uow:
            player = uow.players.by_userid(userid)
        assert player is not None
        return player

    def board(self) -> Board:
        with self.stepped.server.unit_of_work() as uow:
            board = uow.boards.find(B101)
        assert board is not None
        return board

    def states(self) -> list[tuple[str, str]]:
        """Of Bob's mails of the board."""
        bob = self.player("bob").id
        with reading(self.stepped.server.engine) as connection:
            query = select(MailRow.state, MailRow.last_error).where(
                MailRow.player_id == bob, MailRow.board_number == 101
            )
            return [(state, error or "") for state, error in connection.execute(query.order_by(MailRow.id))]

    def bounces(self) -> list[tuple[bool, str]]:
        with reading(self.stepped.server.engine) as connection:
            query = select(BounceRow.permanent, BounceRow.address_key).order_by(BounceRow.id)
            return [(permanent, key) for permanent, key in connection.execute(query)]


@pytest.fixture
def post(database_url: str, tmp_path: Path) -> Iterator[PostOffice]:
    with Postbox() as postbox:
        post = PostOffice(database_url, tmp_path, postbox)
        yield post
        post.relay.close()
        post.stepped.server.close()


def test_a_mail_that_comes_back_is_noted_suppresses_its_address_and_lets_the_clock_stand(post: PostOffice) -> None:
    post.delivers()
    post.comes_back(post.mail_to(BOB))
    bob = post.player("bob")
    (address,) = bob.addresses
    assert (bob.is_unreachable, address.suppressed_why) == (True, "smtp; 550 5.1.1 User unknown")
    (pause,) = post.board().stands
    assert (pause.player, pause.why) == (bob.id, "unreachable")
    assert post.states() == [("bounced", "smtp; 550 5.1.1 User unknown")]
    assert post.bounces() == [(True, BOB)]
    assert post.stepped.told()[-1] == (ALICE, "Mails to bob do not arrive")


def test_a_letter_of_his_from_there_lifts_it_and_holds_nothing_against_it_any_more(post: PostOffice) -> None:
    post.delivers()
    post.comes_back(post.mail_to(BOB))
    post.stepped.gets("superbo games bob secret", sender=BOB)  # no password: the word is a userid
    post.stepped.works()
    assert post.player("bob").is_unreachable
    post.stepped.gets("set bob secret legend=off", sender=BOB)
    post.stepped.works()
    assert not post.player("bob").is_unreachable
    assert post.board().stands == ()
    (pause,) = post.board().pauses
    assert pause.ended_at is not None
    assert post.bounces() == [(True, "")]
    told = post.stepped.told()
    assert (BOB, "My mails reach you again, bob") in told
    assert (ALICE, "Mails to bob arrive again") in told[-3:]


def test_a_letter_that_is_refused_lifts_it_all_the_same(post: PostOffice) -> None:
    post.delivers()
    post.comes_back(post.mail_to(BOB))
    post.stepped.gets("move 101 bob secret b3", sender=BOB)
    post.stepped.works()
    assert not post.player("bob").is_unreachable
    assert (BOB, "superbo Board 101 Error") in post.stepped.told()


def test_a_board_that_ends_meanwhile_and_one_that_its_player_leaves(post: PostOffice) -> None:
    post.delivers()
    post.comes_back(post.mail_to(BOB))
    post.stepped.gets("move 101 alice secret B3")
    post.stepped.gets("resign 101 bob secret", sender="cafe@example.org")
    post.stepped.works()
    assert post.stepped.server.parts.courses.of(post.board()).result is not None
    assert post.player("bob").is_unreachable
    post.stepped.gets("set bob secret legend=off", sender=BOB)
    post.stepped.works()
    assert not post.player("bob").is_unreachable


def test_three_mails_put_off_within_a_week_suppress_and_the_count_begins_anew(post: PostOffice) -> None:
    post.delivers()
    mails = [post.mail_to(BOB)]
    for turn, userid in (("B3", "alice"), ("C4,K5", "bob")):
        post.stepped.gets(f"move 101 {userid} secret {turn}", sender=f"{userid}@example.org")
        post.stepped.works()
        post.delivers()
        mails.append(post.mail_to(BOB))
    for number, mail in enumerate((mails[0], mails[0], mails[1]), start=1):
        if number != 2:
            post.comes_back(mail, delayed=True)
        assert not post.player("bob").is_unreachable
    post.comes_back(mails[2], delayed=True)
    assert post.player("bob").is_unreachable
    assert post.bounces() == [(False, BOB)] * 3
    post.stepped.gets("set bob secret legend=off", sender=BOB)
    post.stepped.works()
    post.delivers()
    post.comes_back(post.mail_to(BOB), delayed=True)
    assert not post.player("bob").is_unreachable


def test_failures_of_more_than_a_week_ago_do_not_count(post: PostOffice) -> None:
    post.delivers()
    post.comes_back(post.mail_to(BOB), delayed=True)
    for days in (8, 6):
        with writing(post.stepped.server.engine) as connection:
            latest = select(func.max(BounceRow.id)).scalar_subquery()
            long_ago = datetime.now(UTC) - timedelta(days=days)
            connection.execute(update(BounceRow).where(BounceRow.id == latest).values(at=long_ago))
        post.stepped.gets("set bob secret", sender="cafe@example.org")
        post.stepped.works()
        post.delivers()
        post.comes_back(post.mail_to(BOB), delayed=True)
    assert len(post.bounces()) == 3
    assert not post.player("bob").is_unreachable


def test_a_recipient_that_the_relay_refuses_has_come_back_and_the_operator_is_spared(post: PostOffice) -> None:
    post.postbox.at_rcpt[BOB] = "550 5.1.1 no such mailbox"
    post.delivers()
    assert post.player("bob").is_unreachable
    assert post.states()[0] == ("bounced", "550 5.1.1 no such mailbox")
    assert post.board().stands
    assert not [subject for address, subject in post.stepped.told() if address.startswith("operator")]


def test_a_relay_that_refuses_with_many_words_is_believed(post: PostOffice) -> None:
    words = "550 5.1.1 " + "no such mailbox, " * 50 + "sorry"
    post.postbox.at_rcpt[BOB] = words
    post.delivers()
    assert post.player("bob").is_unreachable
    assert post.states()[0] == ("bounced", words)
    assert post.bounces()


def test_a_mail_given_up_after_days_counts_once_as_put_off_and_the_operator_is_told(post: PostOffice) -> None:
    post.postbox.at_rcpt[BOB] = "451 4.2.0 come back later"
    with writing(post.stepped.server.engine) as connection:
        long_ago = datetime.now(UTC) - DAYS - timedelta(hours=1)
        connection.execute(
            update(MailRow).where(MailRow.player_id == post.player("bob").id).values(created_at=long_ago)
        )
    post.delivers()
    assert {state for state, _ in post.states()} == {"failed"}
    assert set(post.bounces()) == {(False, BOB)}
    assert not post.player("bob").is_unreachable
    told = [(mail.recipient, mail.subject) for mail in post.postbox.mails]
    assert ("operator@example.org", "pbem could not deliver a mail") in told


def test_what_cannot_be_settled_still_gives_the_mail_up(post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError

    post.postbox.at_rcpt[BOB] = "550 5.1.1 no such mailbox"
    monkeypatch.setitem(HANDLERS, GiveMailUp, broken)
    post.delivers()
    assert {state for state, _ in post.states()} == {"failed"}


def test_a_letter_to_a_bounce_address_that_is_none_is_not_answered(post: PostOffice) -> None:
    post.delivers()
    before = len(post.stepped.mails())
    envelope = Envelope(BOB, (post.mail_to(BOB).envelope_sender,))
    raw = b"From: bob@example.org\r\nSubject: resign 101\r\nMessage-ID: <1@example.org>\r\n\r\nx\r\n"
    assert post.stepped.server.accept(envelope, raw, datetime.now(UTC)).result(20)
    post.stepped.works()
    assert len(post.stepped.mails()) == before
    assert post.stepped.states()[-1][0] == "done"
