from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from pbem.ids import BoardNumber, PlayerId
from pbem.storage.engine import reading, writing
from pbem.storage.leases import Rests
from pbem.storage.models import MailRow
from pbem.storage.outbox import DueMail, Outbox
from tests.storage.boxes import HOUR, LEASE, Boxes, Named, mail
from tests.storage.stock import AT, MINUTE


def test_a_due_mail_is_leased_as_it_was_stored(boxes: Boxes) -> None:
    boxes.post("a")
    (due,) = boxes.outbox.lease(AT, 10)
    until = AT + LEASE
    assert due == DueMail(due.id, "a", "<a@localhost>", "pbem@localhost", "a@example.org", mail("a").raw, AT, 0, until)
    assert boxes.due() == []


def test_mails_are_leased_in_the_order_they_are_due(boxes: Boxes) -> None:
    boxes.post("late", at=AT + 2 * MINUTE)
    boxes.post("early")
    boxes.post("later", at=AT + 3 * MINUTE)
    boxes.post("not yet")
    (not_yet,) = (each for each in boxes.due_mails() if each.key == "not yet")
    boxes.outbox.retry(not_yet.mail, "busy", AT + 10 * MINUTE)
    boxes.outbox.take_over()
    assert [boxes.due(AT + 5 * MINUTE, most=1) for _ in range(4)] == [["early"], ["late"], ["later"], []]


def test_a_deferred_mail_does_not_hold_back_later_ones(boxes: Boxes) -> None:
    boxes.post("a", "b", "c")
    (first,) = boxes.due_mails(most=1)
    boxes.outbox.retry(first.mail, "busy", AT + 3 * MINUTE / 2)
    assert boxes.due(AT + MINUTE) == ["b", "c"]
    (again,) = boxes.outbox.lease(AT + 3 * MINUTE / 2, 1)
    assert (again.id, again.attempts) == (first.mail.id, 1)


def test_a_sent_mail_and_a_failed_one_are_never_leased_again(boxes: Boxes) -> None:
    boxes.post("a", "b", "c")
    a, b, _ = boxes.due_mails()
    boxes.outbox.sent([a.mail], AT)
    boxes.outbox.failed(b.mail, "no such user", AT)
    assert boxes.due(AT + 24 * HOUR) == ["c"]
    assert boxes.outbox.count() == {"sent": 1, "failed": 1, "waiting": 1}
    with reading(boxes.engine) as connection:
        row = connection.execute(select(*MailRow.__table__.c).where(MailRow.id == b.mail.id)).one()
    assert (row.last_error, row.attempts, row.finished_at) == ("no such user", 1, AT)


def test_a_mail_noted_as_sent_stays_so_whatever_somebody_late_says(boxes: Boxes) -> None:
    boxes.post("a")
    (late,) = boxes.due_mails()
    (later,) = boxes.due_mails(AT + 2 * LEASE)
    boxes.outbox.sent([later.mail], AT)
    boxes.outbox.retry(late.mail, "busy", AT)
    boxes.outbox.failed(late.mail, "no", AT)
    assert boxes.outbox.count() == {"sent": 1}


def test_who_was_too_slow_frees_no_mail_that_another_hands_over_now(boxes: Boxes) -> None:
    boxes.post("a")
    slow, quick, third = (Outbox(boxes.engine, LEASE, name) for name in ("slow", "quick", "third"))
    (late,) = slow.lease(AT, 1)
    third.take_over({"slow"})
    (again,) = quick.lease(AT, 1)
    slow.retry(late, "busy", AT)
    slow.failed(late, "no such user", AT, [mail("about-a")])
    assert third.lease(AT, 9) == []
    assert boxes.outbox.count() == {"waiting": 1}
    quick.retry(again, "busy", AT)
    assert [each.attempts for each in third.lease(AT, 9)] == [1]
    slow.sent([late], AT)
    assert boxes.outbox.count() == {"sent": 1}, "the relay has it, whoever was to hand it over"


def test_a_lease_taken_again_by_another_thread_ends_the_one_before(boxes: Boxes) -> None:
    boxes.post("a", "b")
    late = boxes.outbox.lease(AT, 2)
    again = boxes.outbox.lease(AT + 2 * LEASE, 2)
    boxes.outbox.retry(late[0], "busy", AT)
    boxes.outbox.failed(late[0], "no such user", AT, [mail("about-a")])
    boxes.outbox.give_back_untried(late)
    assert boxes.outbox.lease(AT + 2 * LEASE, 9) == []
    assert boxes.outbox.count() == {"waiting": 2}
    boxes.outbox.retry(again[0], "busy", AT + HOUR)
    boxes.outbox.give_back_untried(again)
    assert [each.attempts for each in boxes.outbox.lease(AT + 2 * HOUR, 9)] == [1, 0]


def test_a_lease_that_was_pulled_in_is_still_held(boxes: Boxes) -> None:
    boxes.post("a", "b")
    a, b = boxes.outbox.lease(AT, 2)
    boxes.outbox.pull_in(AT - HOUR, Rests(MINUTE, MINUTE))
    boxes.outbox.failed(a, "no such user", AT - HOUR)
    boxes.outbox.give_back_untried([b])
    assert boxes.outbox.count() == {"failed": 1, "waiting": 1}
    assert boxes.due(AT - HOUR) == ["b"]


def test_what_came_of_a_mail_counts_as_long_as_nobody_else_is_at_it(boxes: Boxes) -> None:
    boxes.post("a")
    slow = Outbox(boxes.engine, LEASE, "slow")
    (late,) = slow.lease(AT, 1)
    boxes.outbox.take_over({"slow"})
    slow.failed(late, "no such user", AT)
    assert boxes.outbox.count() == {"failed": 1}


def test_the_lease_of_a_mail_runs_out_and_not_before(boxes: Boxes) -> None:
    boxes.post("a")
    assert [boxes.due(at) for at in (AT, AT + LEASE, AT + LEASE + MINUTE)] == [["a"], [], ["a"]]


def test_after_a_take_over_every_mail_is_due_at_once(boxes: Boxes) -> None:
    boxes.post("a", "b", "c")
    a, _, _ = boxes.due_mails()
    boxes.outbox.sent([a.mail], AT)
    assert boxes.outbox.take_over() == 2
    assert boxes.due() == ["b", "c"]


def test_a_mail_put_back_untried_is_due_at_once_and_its_attempts_are_as_before(boxes: Boxes) -> None:
    boxes.post("a", "b")
    a, b = boxes.due_mails()
    boxes.outbox.sent([a.mail], AT)
    boxes.outbox.give_back_untried([a.mail, b.mail])
    (again,) = boxes.due_mails()
    assert (again.key, again.mail.attempts) == ("b", 0)
    boxes.outbox.give_back_untried([])
    assert boxes.due() == []


def test_who_is_told_of_a_mail_given_up_is_told_once(boxes: Boxes) -> None:
    boxes.post("a")
    (late,) = boxes.due_mails()
    for _ in range(2):
        with suppress(IntegrityError):
            boxes.outbox.failed(late.mail, "no such user", AT, [mail("about-a")])
    assert boxes.outbox.count() == {"failed": 1, "waiting": 1}


def test_mails_go_with_the_transaction_that_causes_them(boxes: Boxes) -> None:
    class Failed(Exception):
        pass

    def cause(connection: Connection) -> None:
        boxes.outbox.add(connection, [mail("a")], AT)
        raise Failed

    with suppress(Failed), writing(boxes.engine) as connection:
        cause(connection)
    assert boxes.due() == []


def test_a_mail_that_waits_for_a_robot_gives_way_to_the_one_that_says_more(boxes: Boxes) -> None:
    later = AT + timedelta(seconds=5)
    own = replace(mail("own"), player=PlayerId(1), board=BoardNumber(101), name="board")
    waiting = replace(own, leaves_at=later, awaits_robot=True)
    others = [replace(waiting, key="x", board=BoardNumber(102)), replace(waiting, key="y", player=PlayerId(2))]
    with writing(boxes.engine) as connection:
        boxes.outbox.add(connection, [waiting, *others], AT)
    assert boxes.due() == []
    with writing(boxes.engine) as connection:
        boxes.outbox.add(connection, [replace(own, key="both", message_id="<both@x>", supersedes=True)], AT)
    assert boxes.due() == ["both"]
    assert boxes.outbox.count() == {"dropped": 1, "waiting": 3}


def test_a_mail_that_waits_for_a_robot_leaves_when_its_time_has_come(boxes: Boxes) -> None:
    later = AT + timedelta(seconds=5)
    own = replace(
        mail("own"), player=PlayerId(1), board=BoardNumber(101), name="board", leaves_at=later, awaits_robot=True
    )
    with writing(boxes.engine) as connection:
        boxes.outbox.add(connection, [own], AT)
    assert boxes.due(later) == ["own"]
    with writing(boxes.engine) as connection:
        boxes.outbox.add(
            connection, [replace(own, key="both", leaves_at=None, awaits_robot=False, supersedes=True)], later
        )
    assert boxes.outbox.count() == {"waiting": 2}, "it is on its way already"


def test_no_mails_are_nothing_to_store(boxes: Boxes) -> None:
    boxes.post()
    boxes.outbox.sent([], AT)
    assert boxes.outbox.count() == {}


def test_no_mail_is_leased_to_two_workers(boxes: Boxes) -> None:
    boxes.post(*(f"{number:02}" for number in range(60)))

    def work(_worker: int) -> list[str]:
        taken: list[str] = []
        while leased := boxes.outbox.lease(AT, 7):
            taken += [Named(each).key for each in leased]
            boxes.outbox.sent(leased, AT)
        return taken

    with ThreadPoolExecutor(3) as threads:
        taken = [key for part in threads.map(work, range(3)) for key in part]
    assert sorted(taken) == [f"{number:02}" for number in range(60)]
