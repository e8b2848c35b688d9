from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from pbem.domain.letters import Envelope, InboxFull, OutgoingMail
from pbem.storage.engine import reading, writing
from pbem.storage.mailboxes import Arrival, DueMail, Inbox, LeasedLetter, LeaseLost, Outbox
from pbem.storage.models import LetterKeyRow, LetterRow, MailRow
from tests.storage.stock import AT, MINUTE, rows

if TYPE_CHECKING:
    from sqlalchemy import Engine

LEASE = MINUTE
HOUR = timedelta(hours=1)


def letter(key: str, sender: str = "alice@example.org", *, at: datetime = AT, message_id: bool = True) -> Arrival:
    envelope = Envelope(sender, ("pbem@localhost", "pbem+token@localhost"))
    return Arrival(envelope, f"Subject: {key}\r\n\r\nbody \x00\xff".encode("latin-1"), (key,), message_id, at)


def mail(key: str) -> OutgoingMail:
    return OutgoingMail(key, f"<{key}@localhost>", "pbem@localhost", f"{key}@example.org", b"mail \x00\xff")


class Boxes:
    """Two workers' inboxes and the outbox of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.inbox = Inbox(engine, "one", LEASE)
        self.other = Inbox(engine, "other", LEASE)
        self.outbox = Outbox(engine, LEASE)

    def taken(self, now: datetime = AT) -> str | None:
        """The key of the letter that is leased next."""
        leased = self.inbox.lease(now)
        return None if leased is None else leased.raw.split()[1].decode()

    def leased(self, inbox: Inbox | None = None, now: datetime = AT) -> LeasedLetter:
        found = (inbox or self.inbox).lease(now)
        assert found is not None
        return found

    def finish(self, leased: LeasedLetter, inbox: Inbox | None = None) -> None:
        with writing(self.engine) as connection:
            connection.execute(insert(LetterKeyRow).values(key=f"trace {leased.id} {leased.attempts}", accepted_at=AT))
            (inbox or self.inbox).finish(connection, leased, AT)

    def post(self, *keys: str, at: datetime = AT) -> None:
        with writing(self.engine) as connection:
            self.outbox.add(connection, [mail(key) for key in keys], at)

    def due(self, now: datetime = AT, most: int = 100) -> list[str]:
        return [each.key for each in self.due_mails(now, most)]

    def due_mails(self, now: datetime = AT, most: int = 100) -> list[Named]:
        return [Named(each) for each in self.outbox.lease(now, most)]


class Named:
    """A due mail with a short name."""

    def __init__(self, mail: DueMail) -> None:
        self.mail = mail
        self.key = mail.message_id.strip("<>").partition("@")[0]


@pytest.fixture
def boxes(engine: Engine) -> Boxes:
    return Boxes(engine)


def test_a_letter_is_leased_as_it_was_accepted(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a")]) == [True]
    leased = boxes.inbox.lease(AT + MINUTE)
    assert leased is not None
    assert leased == LeasedLetter(leased.id, letter("a").envelope, letter("a").raw, AT, 1)


def test_an_empty_inbox_leases_nothing(boxes: Boxes) -> None:
    assert boxes.inbox.lease(AT) is None


def test_letters_of_one_sender_come_one_after_the_other(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b")])
    first = boxes.leased()
    assert boxes.other.lease(AT) is None
    boxes.finish(first)
    assert boxes.taken() == "b"


def test_letters_of_other_senders_are_not_held_back(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b"), letter("c", "bob@example.org"), letter("d", "")])
    assert [boxes.taken() for _ in range(4)] == ["a", "c", "d", None]


def test_a_letter_put_back_holds_back_its_sender_alone_until_it_is_due(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b"), letter("c", "bob@example.org")])
    boxes.inbox.retry(boxes.leased(), "why", AT + MINUTE)
    assert [boxes.taken(), boxes.taken()] == ["c", None]
    assert boxes.taken(AT + MINUTE) == "a"


def test_a_shunted_letter_holds_back_nobody_and_keeps_its_bytes(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b")])
    leased = boxes.leased()
    with writing(boxes.engine) as connection:
        boxes.inbox.shunt(connection, leased, "why", AT + MINUTE)
    assert boxes.taken() == "b"
    with reading(boxes.engine) as connection:
        row = connection.execute(select(*LetterRow.__table__.c).where(LetterRow.id == leased.id)).one()
    assert (row.state, row.raw, row.last_error) == ("shunted", letter("a").raw, "why")
    assert (row.finished_at, row.lease_owner, row.lease_until) == (AT + MINUTE, None, None)


def test_a_finished_letter_leaves_no_bytes_and_is_never_leased_again(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    boxes.finish(boxes.leased())
    assert boxes.inbox.lease(AT + 24 * HOUR) is None
    with reading(boxes.engine) as connection:
        row = connection.execute(select(*LetterRow.__table__.c)).one()
    assert (row.state, row.raw, row.lease_owner, row.lease_until) == ("done", None, None, None)


def test_every_attempt_is_counted_before_it_is_made(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    now = AT
    for attempt in (1, 2, 3, 4):
        assert boxes.leased(now=now).attempts == attempt
        with reading(boxes.engine) as connection:
            assert connection.scalar(select(LetterRow.attempts)) == attempt
        now += LEASE + MINUTE


def test_a_letter_given_back_waits_and_its_attempt_does_not_count(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    boxes.inbox.retry(boxes.leased(), "stumbled", AT)
    boxes.inbox.give_back(boxes.leased(), "disk full", AT + HOUR)
    assert boxes.taken(AT + HOUR - MINUTE) is None
    assert boxes.leased(now=AT + HOUR).attempts == 2


def test_a_letter_that_somebody_else_has_is_not_given_back(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    mine = boxes.leased()
    theirs = boxes.leased(boxes.other, AT + 2 * LEASE)
    with pytest.raises(LeaseLost):
        boxes.inbox.give_back(mine, "disk full", AT)
    boxes.finish(theirs, boxes.other)


def test_a_lease_runs_out_and_not_before(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    boxes.leased()
    assert boxes.other.lease(AT + LEASE) is None
    assert boxes.leased(boxes.other, AT + LEASE + timedelta(microseconds=1)).attempts == 2


@pytest.mark.parametrize("finished", [False, True])
def test_who_has_lost_the_lease_writes_nothing(boxes: Boxes, finished: bool) -> None:
    boxes.inbox.accept([letter("a")])
    late = boxes.leased()
    later = boxes.leased(boxes.other, AT + 2 * LEASE)
    if finished:
        boxes.finish(later, boxes.other)
    with pytest.raises(LeaseLost):
        boxes.finish(late)
    with pytest.raises(LeaseLost):
        boxes.inbox.retry(late, "why", AT)
    with pytest.raises(LeaseLost), writing(boxes.engine) as connection:
        boxes.inbox.shunt(connection, late, "why", AT)
    with reading(boxes.engine) as connection:
        traces = set(connection.scalars(select(LetterKeyRow.key))) - {"a"}
        assert traces == ({f"trace {late.id} 2"} if finished else set())
        assert connection.scalar(select(LetterRow.last_error)) is None
    if not finished:
        boxes.finish(later, boxes.other)


def test_a_lease_taken_again_by_the_same_worker_ends_the_one_before(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    late = boxes.leased()
    again = boxes.leased(now=AT + 2 * LEASE)
    with pytest.raises(LeaseLost):
        boxes.finish(late)
    boxes.finish(again)


def test_after_a_take_over_every_letter_can_be_leased_at_once(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b", "bob@example.org"), letter("c", "carol@example.org")])
    finished, lost = boxes.leased(), boxes.leased()
    boxes.finish(finished)
    assert boxes.other.take_over(AT) == 1
    assert boxes.leased(boxes.other).id == lost.id
    with pytest.raises(LeaseLost):
        boxes.finish(lost)
    assert boxes.other.take_over(AT) == 1
    assert boxes.leased(boxes.other).attempts == 3


def test_a_letter_that_was_often_in_the_hands_of_the_dead_rests_longer_each_time(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b", "bob@example.org")])
    rests = []
    for _ in range(5):
        leased = boxes.leased(now=AT + HOUR)
        assert boxes.other.take_over(AT) == 1
        with reading(boxes.engine) as connection:
            due = connection.scalars(select(LetterRow.next_attempt_at).where(LetterRow.id == leased.id)).one()
        rests.append(due - AT)
    assert rests[:2] == [timedelta()] * 2
    assert rests[1:] == sorted(set(rests[1:]))
    assert boxes.taken() == "b"


def test_letters_are_counted_by_their_states(boxes: Boxes) -> None:
    assert boxes.inbox.count() == {}
    boxes.inbox.accept([letter(key, key) for key in "abcd"])
    boxes.finish(boxes.leased())
    failing = boxes.leased()
    with writing(boxes.engine) as connection:
        boxes.inbox.shunt(connection, failing, "why", AT)
    boxes.leased()
    assert boxes.inbox.count() == {"done": 1, "shunted": 1, "waiting": 2}


def test_a_letter_transmitted_again_is_recognised(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a"), letter("b"), letter("a")]) == [True, True, False]
    boxes.finish(boxes.leased())
    assert boxes.other.accept([letter("b"), letter("a"), letter("c")]) == [False, False, True]
    assert rows(boxes.engine, LetterRow) == 3


@pytest.mark.parametrize(
    ("message_id", "since", "is_new"),
    [
        (True, 2 * HOUR, False),
        (True, timedelta(days=29), False),
        (True, timedelta(days=30), True),
        (False, HOUR - MINUTE, False),
        (False, HOUR, True),
    ],
)
def test_a_letter_is_recognised_for_30_days_but_only_an_hour_without_message_id(
    boxes: Boxes, message_id: bool, since: timedelta, is_new: bool
) -> None:
    boxes.inbox.accept([letter("a", message_id=message_id)])
    assert boxes.inbox.accept([letter("a", at=AT + since, message_id=message_id)]) == [is_new]


def test_the_hour_begins_anew_with_each_letter_that_is_taken_for_a_new_one(boxes: Boxes) -> None:
    moments = [AT, AT + 2 * HOUR, AT + 2 * HOUR + HOUR / 2]
    assert [boxes.inbox.accept([letter("a", at=at, message_id=False)]) for at in moments] == [[True], [True], [False]]


def test_a_letter_is_recognised_by_any_of_its_keys_and_kept_under_the_first(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("old")])
    rotated = replace(letter("new"), keys=("new", "old"))
    assert boxes.inbox.accept([rotated]) == [False]
    assert boxes.inbox.accept([letter("new")]) == [True]
    assert boxes.inbox.accept([replace(letter("other"), keys=("newer", "other"))]) == [True]
    assert boxes.inbox.accept([letter("newer")]) == [False]


def test_an_old_key_that_counts_no_more_does_not_keep_a_letter_from_being_new(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("old", message_id=False)])
    rotated = replace(letter("new", at=AT + 2 * HOUR, message_id=False), keys=("new", "old"))
    assert boxes.inbox.accept([rotated]) == [True]
    assert boxes.inbox.accept([rotated]) == [False]


def test_no_more_letters_are_taken_than_may_wait_but_those_seen_before_are_known(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a"), letter("b")], 2) == [True, True]
    with pytest.raises(InboxFull):
        boxes.inbox.accept([letter("c")], 2)
    with pytest.raises(InboxFull):
        boxes.inbox.accept([letter("a"), letter("c")], 2)
    assert boxes.inbox.accept([letter("a"), letter("b")], 2) == [False, False]
    boxes.finish(boxes.leased())
    assert boxes.inbox.accept([letter("c")], 2) == [True]
    assert rows(boxes.engine, LetterRow) == 3


def test_trying_to_write_leaves_nothing_behind(boxes: Boxes) -> None:
    for _ in range(2):
        boxes.inbox.try_writing(AT)
    assert rows(boxes.engine, LetterKeyRow) == 0


def test_the_same_letter_at_several_doors_at_once_is_new_only_once(boxes: Boxes) -> None:
    both = Barrier(2)

    def accept(inbox: Inbox) -> list[list[bool]]:
        told = []
        for number in range(20):
            both.wait(20)
            told.append(inbox.accept([letter(f"a{number}"), letter(f"b{number}")]))
        return told

    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(accept, (boxes.inbox, boxes.other))
    assert [sorted(pair) for pair in zip(one, other, strict=True)] == [[[False, False], [True, True]]] * 20
    assert rows(boxes.engine, LetterRow) == 40


def test_no_letter_is_leased_to_two_workers_and_each_sender_is_answered_in_order(boxes: Boxes) -> None:
    senders = [f"s{number}@example.org" for number in range(5)]
    boxes.inbox.accept([letter(f"{number:02}", senders[number % 5]) for number in range(60)])
    handled: list[tuple[str, str]] = []

    def work(owner: str) -> None:
        inbox = Inbox(boxes.engine, owner, LEASE)
        while boxes.inbox.count().get("waiting"):
            leased = inbox.lease(AT)
            if leased is not None:
                assert leased.attempts == 1
                handled.append((leased.envelope.sender, leased.raw.split()[1].decode()))
                with writing(boxes.engine) as connection:
                    inbox.finish(connection, leased, AT)

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(work, ("one", "two", "three")))
    assert sorted(key for _, key in handled) == [f"{number:02}" for number in range(60)]
    for sender in senders:
        mine = [key for whose, key in handled if whose == sender]
        assert mine == sorted(mine)


def test_a_due_mail_is_leased_as_it_was_stored(boxes: Boxes) -> None:
    boxes.post("a")
    (due,) = boxes.outbox.lease(AT, 10)
    assert due == DueMail(due.id, "<a@localhost>", "pbem@localhost", "a@example.org", mail("a").raw, AT, 0)
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
    assert boxes.inbox.pull_in(early, HOUR)
    assert boxes.outbox.pull_in(early, HOUR)
    assert not boxes.inbox.pull_in(early, HOUR)
    assert not boxes.outbox.pull_in(early, HOUR)
    assert boxes.due(early + LEASE / 2) == []
    assert boxes.due(early + 2 * LEASE) == ["held"]
    assert boxes.taken(early + HOUR / 2) is None
    assert [boxes.taken(early + HOUR) for _ in range(2)] == ["tried", "held"]
    assert boxes.due(early + HOUR) == ["tried", "held"]


def test_what_waits_as_long_as_it_may_is_left_alone(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    boxes.inbox.retry(boxes.leased(), "why", AT + MINUTE)
    boxes.post("m")
    (mail_,) = boxes.due_mails()
    boxes.outbox.retry(mail_.mail, "why", AT + MINUTE)
    assert (boxes.inbox.pull_in(AT, HOUR), boxes.outbox.pull_in(AT, HOUR)) == (0, 0)


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
    boxes.outbox.release([a.mail, b.mail])
    (again,) = boxes.due_mails()
    assert (again.key, again.mail.attempts) == ("b", 0)
    boxes.outbox.release([])
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
