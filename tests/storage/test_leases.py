from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from pbem.storage.engine import make_engine, reading, writing
from pbem.storage.leases import Rests, change, dead_holders, holders
from pbem.storage.models import MailRow, TaskRow
from pbem.storage.outbox import Outbox
from pbem.storage.process_notifier import ProcessNotifier
from tests.storage.boxes import HOUR, LEASE, Boxes, letter, mail
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, put, stocked


@pytest.mark.parametrize("when", [AT, AT - 400 * 24 * HOUR])
def test_what_was_never_tried_is_due_whatever_the_clock_said_when_it_came(boxes: Boxes, when: datetime) -> None:
    boxes.inbox.accept([letter("a", at=AT)])
    boxes.post("m", at=AT)
    assert (boxes.taken(when), boxes.due(when)) == ("a", ["m"])


def test_what_waits_for_a_time_too_far_ahead_is_brought_near(boxes: Boxes) -> None:
    early = AT - 365 * 24 * HOUR
    boxes.inbox.accept([letter("tried"), letter("held", "bob@example.org")])
    boxes.inbox.retry(boxes.leased(), "why", AT + MINUTE)
    boxes.leased()
    boxes.post("tried", "held")
    tried, _ = boxes.due_mails()
    boxes.outbox.retry(tried.mail, "why", AT + MINUTE)
    rests = Rests(3 * MINUTE, HOUR)
    assert boxes.inbox.pull_in(early, rests)
    assert boxes.outbox.pull_in(early, rests)
    assert not boxes.inbox.pull_in(early, rests)
    assert not boxes.outbox.pull_in(early, rests)
    assert boxes.due(early + LEASE / 2) == []
    assert boxes.due(early + 2 * LEASE) == ["held"]
    assert boxes.taken(early + LEASE / 2) is None
    # It was never told to rest: it waits for nothing but its lease.
    assert [boxes.taken(early + 2 * LEASE) for _ in range(2)] == ["held", None]
    assert boxes.taken(early + 3 * MINUTE) == "tried"
    assert boxes.due(early + 4 * MINUTE) == ["tried", "held"]


def test_a_mail_that_was_tried_waits_no_longer_than_tries_may_though_those_to_strangers_do(boxes: Boxes) -> None:
    tried, postponed = mail("tried"), replace(mail("postponed"), leaves_at=AT + 20 * HOUR)
    with writing(boxes.engine) as connection:
        boxes.outbox.add(connection, [tried, postponed], AT)
    (held,) = boxes.outbox.lease(AT, 2)
    boxes.outbox.retry(held, "the relay is down", AT + 3 * HOUR)
    assert boxes.outbox.pull_in(AT, Rests(MINUTE, HOUR)) == 1
    assert [boxes.due(at) for at in (AT, AT + 2 * MINUTE, AT + 21 * HOUR)] == [[], ["tried"], ["tried", "postponed"]]


def test_what_waits_as_long_as_it_may_is_left_alone(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    boxes.inbox.retry(boxes.leased(), "why", AT + MINUTE)
    boxes.post("m")
    (mail_,) = boxes.due_mails()
    boxes.outbox.retry(mail_.mail, "why", AT + MINUTE)
    rests = Rests(MINUTE, HOUR)
    assert (boxes.inbox.pull_in(AT, rests), boxes.outbox.pull_in(AT, rests)) == (0, 0)


def test_more_rows_are_changed_than_a_statement_can_name(boxes: Boxes) -> None:
    boxes.post("a", "b", "c")
    a, _, c = (each.mail for each in boxes.due_mails())
    for each in (a, c):
        boxes.outbox.failed(each, "no relay", AT)
    ids = range(c.id, c.id - 70_000, -1)
    with writing(boxes.engine) as connection:
        changed = change(connection, MailRow, MailRow.state == "failed", ids, {"state": "waiting"})
    assert changed == [a.id, c.id]
    assert boxes.outbox.count() == {"waiting": 3}


def test_who_has_letters_mails_or_tasks_in_hand_is_told_once(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b", "bob@example.org"), letter("c", "carol@example.org")])
    boxes.finish(boxes.leased(boxes.other), boxes.other)
    boxes.leased()
    boxes.leased()
    boxes.post("m", "n")
    Outbox(boxes.engine, LEASE, "one").lease(AT, 1)
    Outbox(boxes.engine, LEASE, "deliverer").lease(AT, 1)
    stocked(boxes.engine, board(101, ALICE, BOB))
    act = {"board_number": 101, "event": 0, "player_id": 1, "kind": "act", "budget": 1, "attempts": 1}
    when = {"asked_at": AT, "due_at": AT, "next_attempt_at": AT}
    put(boxes.engine, TaskRow, {**act, **when, "state": "waiting", "lease_owner": "thinker", "lease_until": AT})
    with reading(boxes.engine) as connection:
        assert holders(connection) == ["deliverer", "one", "thinker"]


def test_who_holds_something_and_has_no_bell_any_more_is_dead(postgresql_url: str) -> None:
    engine = make_engine(postgresql_url)
    boxes = Boxes(engine)
    notifier = ProcessNotifier(engine, "one", lambda _: None)
    notifier.open()
    boxes.inbox.accept([letter("a"), letter("b", "bob@example.org")])
    assert dead_holders(engine) == set()
    mine, _ = boxes.leased(), boxes.leased(boxes.other)
    assert dead_holders(engine) == {"other"}
    assert boxes.inbox.take_over(AT, {"other"}) == 1
    assert boxes.leased(boxes.other).attempts == 2
    boxes.finish(mine)
    again = boxes.leased(boxes.other, AT + 2 * LEASE)
    notifier.close()
    assert dead_holders(engine) == {"other"}, "who holds nothing is not missed"
    boxes.finish(again, boxes.other)
    assert dead_holders(engine) == set()
    boxes.post("m")
    deliverer = Outbox(engine, LEASE, "third")
    taken = deliverer.lease(AT, 1)
    assert dead_holders(engine) == {"third"}
    assert (deliverer.take_over({"other"}), deliverer.take_over({"third"})) == (0, 1)
    assert boxes.due() == ["m"]
    deliverer.give_back_untried(taken)
    assert boxes.due() == [], "who has lost it cannot put it back"
    engine.dispose()


def test_on_sqlite_nobody_else_can_have_died(sqlite_url: str) -> None:
    engine = make_engine(sqlite_url)
    boxes = Boxes(engine)
    boxes.inbox.accept([letter("a")])
    boxes.leased()
    assert dead_holders(engine) == set()
    engine.dispose()
