from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, select, update

from pbem.domain.correspondents import Bounce
from pbem.domain.letters import OutgoingMail
from pbem.domain.mails import MailState, PictureSource
from pbem.ids import BoardNumber
from pbem.storage.counters import retry_mails
from pbem.storage.engine import reading, writing
from pbem.storage.models import MailRow
from pbem.storage.outbox import Outbox
from pbem.storage.packed_mails import unpack
from tests.storage.stock import ALICE, AT, BOB, MINUTE, stocked, work

B101 = BoardNumber(101)
TO_BOB = OutgoingMail(
    key="1-1",
    message_id="<g101.1.1-1.tag@localhost>",
    sender="pbem+token@localhost",
    recipient="Bob@example.org",
    raw=b"x",
    player=BOB.id,
    board=B101,
    name="board",
    subject="superbo Board 101 bob",
)


def outbox(engine: Engine) -> Outbox:
    return Outbox(engine, timedelta(minutes=5))


def posted(engine: Engine, *mails: OutgoingMail) -> None:
    """Store mails and hand them over."""
    with writing(engine) as connection:
        outbox(engine).add(connection, mails, AT)
    outbox(engine).sent(outbox(engine).lease(datetime.now(UTC), 100), AT)


def nothing(_source: PictureSource) -> None:
    """The picture of a position that is not there."""


def another(number: int, recipient: str = "Bob@example.org", name: str = "board") -> OutgoingMail:
    return replace(
        TO_BOB,
        key=f"{number}-1",
        message_id=f"<{number}@localhost>",
        recipient=recipient,
        name=name,
        raw=b"%d" % number,
    )


def test_a_mail_is_found_by_its_message_id_without_its_bytes(engine: Engine) -> None:
    stocked(engine)
    posted(engine, TO_BOB)
    with work(engine) as uow:
        found = uow.mails.by_message_id(TO_BOB.message_id)
        assert uow.mails.by_message_id("<other@localhost>") is None
        assert found is not None
        assert uow.mails.find(found.id) == found
    assert (found.recipient, found.player, found.board) == ("Bob@example.org", BOB.id, 101)
    assert (found.state, found.name, found.subject) == (MailState.SENT, "board", "superbo Board 101 bob")
    assert (found.created_at, found.raw, found.came_back_for_good) == (AT, None, False)


def test_the_latest_to_an_address_is_one_that_was_handed_over(engine: Engine) -> None:
    stocked(engine)
    posted(engine, another(1), another(2, "bob@work.example"), replace(another(3), player=ALICE.id))
    with writing(engine) as connection:
        outbox(engine).add(connection, [another(4)], AT)
    with work(engine) as uow:
        found = uow.mails.latest_to(BOB.id, "bob@example.org")
    assert found is not None
    assert found.message_id == "<1@localhost>"


def test_a_mail_that_came_back_says_why_and_for_how_long(engine: Engine) -> None:
    stocked(engine)
    posted(engine, another(1), another(2))
    uow = work(engine)
    one, two = uow.mails.about_board(B101, 10)
    uow.mails.came_back(one, "no such user", AT)
    uow.mails.came_back(two, "", AT)
    uow.bounces.add(Bounce(BOB.id, "bob@example.org", AT, True, mail=one.id))
    uow.bounces.add(Bounce(BOB.id, "bob@example.org", AT, False, mail=two.id))
    uow.commit()
    with work(engine) as uow:
        seen = [(each.state, each.error, each.came_back_for_good) for each in uow.mails.about_board(B101, 10)]
    assert seen == [(MailState.BOUNCED, "no such user", True), (MailState.BOUNCED, None, False)]


def test_a_mail_that_came_back_before_it_was_noted_as_sent_is_not_sent_again(engine: Engine) -> None:
    stocked(engine)
    with writing(engine) as connection:
        outbox(engine).add(connection, [TO_BOB], AT)
    due = outbox(engine).lease(datetime.now(UTC), 10)
    uow = work(engine)
    found = uow.mails.by_message_id(TO_BOB.message_id)
    assert found is not None
    uow.mails.came_back(found, "", AT + MINUTE)
    uow.commit()
    outbox(engine).sent(due, AT)
    with reading(engine) as connection:
        (row,) = connection.execute(select(MailRow.state, MailRow.finished_at, MailRow.lease_until)).all()
    assert tuple(row) == ("bounced", AT + MINUTE, None)


def test_when_a_mail_came_back_is_the_same_moment_in_every_zone(engine: Engine) -> None:
    stocked(engine)
    with writing(engine) as connection:
        outbox(engine).add(connection, [TO_BOB], AT)
    uow = work(engine)
    found = uow.mails.by_message_id(TO_BOB.message_id)
    assert found is not None
    uow.mails.came_back(found, "", AT.astimezone(ZoneInfo("Asia/Kolkata")))
    uow.commit()
    with reading(engine) as connection:
        assert connection.scalars(select(MailRow.finished_at)).all() == [AT]


def test_what_an_attempt_has_noted_is_taken_back_with_it(engine: Engine) -> None:
    stocked(engine)
    posted(engine, TO_BOB)
    uow = work(engine)
    found = uow.mails.by_message_id(TO_BOB.message_id)
    assert found is not None
    with uow.rehearsal():
        uow.mails.came_back(found, "", AT)
    uow.commit()
    with work(engine) as uow:
        assert uow.mails.find(found.id) == found


def test_of_a_board_the_last_mails_are_shown_oldest_first(engine: Engine) -> None:
    stocked(engine)
    posted(engine, another(1), replace(another(2), board=BoardNumber(102)), another(3), another(4))
    with work(engine) as uow:
        assert [each.message_id for each in uow.mails.about_board(B101, 1)] == ["<3@localhost>", "<4@localhost>"]
        assert len(uow.mails.about_board(B101, 10)) == 3


def test_the_last_mails_of_a_reader_are_kept_one_for_each_address(engine: Engine) -> None:
    stocked(engine)
    posted(engine, another(1), another(2, "bob@work.example"), another(3, "bob@example.org"), another(4, name="said"))
    with work(engine) as uow:
        kept = uow.mails.last_kept(BOB.id, B101, ("board", "new_board"))
        assert [(each.recipient, each.raw, unpack(each.packed or b"", nothing)) for each in kept] == [
            ("bob@work.example", None, b"2"),
            ("bob@example.org", None, b"3"),
        ]
        assert uow.mails.last_kept(ALICE.id, B101, ("board",)) == []


def test_a_mail_from_before_sent_ones_were_packed_keeps_all_its_bytes(engine: Engine) -> None:
    stocked(engine)
    posted(engine, another(1))
    with writing(engine) as connection:
        connection.execute(update(MailRow).values(raw=b"all", packed=None))
    with work(engine) as uow:
        assert [(each.raw, each.packed) for each in uow.mails.last_kept(BOB.id, B101, ("board",))] == [(b"all", None)]


def test_noting_a_sent_mail_leaves_its_other_facts_and_its_number(engine: Engine) -> None:
    stocked(engine)
    with writing(engine) as connection:
        outbox(engine).add(connection, [another(1), another(2)], AT)
        before = connection.execute(select(MailRow.__table__).order_by(MailRow.id)).mappings().all()
    posts = outbox(engine).lease(datetime.now(UTC), 100)
    outbox(engine).sent(posts, AT + MINUTE)
    outbox(engine).sent(posts, AT + 2 * MINUTE)  # noted before
    with reading(engine) as connection:
        after = connection.execute(select(MailRow.__table__).order_by(MailRow.id)).mappings().all()
    sent = {"state": "sent", "attempts": 1, "finished_at": AT + MINUTE, "raw": None}
    assert [{**row, "packed": None} for row in after] == [{**row, **sent} for row in before]


def test_a_mail_that_came_back_can_be_made_again_and_one_that_arrived_need_not(engine: Engine) -> None:
    stocked(engine)
    posted(engine, another(1), another(2))
    uow = work(engine)
    with uow:
        found = uow.mails.by_message_id("<1@localhost>")
        assert found is not None
        uow.mails.came_back(found, "", AT)
        uow.commit()
    with work(engine) as uow:
        (back,) = uow.mails.returned([found.id, found.id + 1])
    made = unpack(back.packed or b"", nothing)
    assert (back.id, made) == (found.id, b"1")
    with writing(engine) as connection:
        assert retry_mails(connection, [found.id, found.id + 1], AT, {found.id: b"1", found.id + 1: b"2"}) == [found.id]
    assert [mail.raw for mail in outbox(engine).lease(AT, 10)] == [b"1"]


def test_a_mail_that_reaches_nobody_is_noted_and_never_due(engine: Engine) -> None:
    stocked(engine)
    withheld = replace(TO_BOB, recipient="", raw=b"")
    with writing(engine) as connection:
        outbox(engine).add(connection, [withheld], AT)
    assert outbox(engine).lease(datetime.now(UTC), 10) == []
    with work(engine) as uow:
        (seen,) = uow.mails.about_board(B101, 10)
        assert uow.mails.last_kept(BOB.id, B101, ("board",)) == []
    assert (seen.state, seen.recipient, seen.player) == (MailState.WITHHELD, "", BOB.id)
