from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from pbem.domain.letters import InboxFull
from pbem.storage.engine import reading, writing
from pbem.storage.inbox import Inbox, LeasedLetter, LeaseLost, Unread
from pbem.storage.models import LetterKeyRow, LetterRow
from pbem.storage.shunted import drop_letters, retry_letters, shunted_ids
from tests.storage.boxes import HOUR, LEASE, Boxes, letter
from tests.storage.stock import AT, MINUTE, rows


def attempts(boxes: Boxes) -> list[int]:
    with reading(boxes.engine) as connection:
        return list(connection.scalars(select(LetterRow.attempts).order_by(LetterRow.id)))


def test_a_letter_is_leased_as_it_was_accepted(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a")]) == [1]
    leased = next(iter(boxes.inbox.lease(AT + MINUTE)), None)
    assert leased is not None
    assert leased == LeasedLetter(leased.id, letter("a").envelope, letter("a").raw, AT, 1, AT + MINUTE + LEASE)


def test_an_empty_inbox_leases_nothing(boxes: Boxes) -> None:
    assert not boxes.inbox.lease(AT)


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


LONG = 200_000


def set_aside(boxes: Boxes, unread: Unread, size: int = LONG) -> tuple[int, int | None]:
    """The bytes kept of a letter that is set aside, and its size if it could not be read."""
    with reading(boxes.engine) as connection:
        key = f"letter {connection.scalar(select(func.count()).select_from(LetterRow))}"
    boxes.inbox.accept([replace(letter(key, f"{key}@example.org"), raw=b"x" * size)])
    leased = boxes.leased()
    with writing(boxes.engine) as connection:
        boxes.inbox.shunt(connection, leased, "why", AT, unread)
        kept = select(func.length(LetterRow.raw), LetterRow.unread_bytes).where(LetterRow.id == leased.id)
        (length, unread_bytes) = connection.execute(kept).one()
        return length, unread_bytes


def test_of_a_letter_that_nobody_can_read_the_beginning_is_kept_and_it_is_not_tried_again(boxes: Boxes) -> None:
    assert set_aside(boxes, Unread.NO) == (LONG, None)
    assert set_aside(boxes, Unread.FOR_EVER) == (16_384, LONG)
    assert set_aside(boxes, Unread.FOR_EVER, 100) == (100, 100)
    assert set_aside(boxes, Unread.THIS_TIME) == (LONG, LONG)
    with writing(boxes.engine) as connection:
        assert shunted_ids(connection) == [1, 3, 4]
        assert retry_letters(connection, [1, 2, 3, 4], AT) == [1, 3, 4]
        assert drop_letters(connection, [2], AT) == [2]


def test_letters_that_could_not_be_read_this_time_are_kept_whole_as_long_as_they_are_few(boxes: Boxes) -> None:
    for _ in range(100):
        set_aside(boxes, Unread.NO, 10)
    assert set_aside(boxes, Unread.THIS_TIME) == (16_384, LONG)


def test_a_finished_letter_leaves_no_bytes_and_no_client_and_is_never_leased_again(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    boxes.finish(boxes.leased())
    assert not boxes.inbox.lease(AT + 24 * HOUR)
    with reading(boxes.engine) as connection:
        row = connection.execute(select(*LetterRow.__table__.c)).one()
    assert (row.state, row.raw, row.client, row.lease_owner, row.lease_until) == ("done", None, None, None, None)


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


def test_what_was_not_begun_is_given_back_untried(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "abc"])
    first, *untried = boxes.inbox.lease(AT, 8)
    boxes.inbox.give_back_untried(untried)
    assert attempts(boxes) == [1, 0, 0]
    others = boxes.other.lease(AT, 8)
    assert [each.attempts for each in others] == [1, 1]
    boxes.inbox.give_back_untried(untried)
    assert attempts(boxes) == [1, 1, 1], "they are somebody else's by now"
    assert first.until == AT + LEASE


def test_what_another_thread_has_taken_meanwhile_is_not_given_back(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a")])
    late, again = boxes.inbox.lease(AT), boxes.inbox.lease(AT + 2 * LEASE)
    boxes.inbox.give_back_untried(late)
    assert attempts(boxes) == [2]
    boxes.finish(again[0])


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
    assert not boxes.other.lease(AT + LEASE)
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


def test_no_more_letters_are_taken_than_may_wait_but_those_seen_before_are_known(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a"), letter("b")], 2) == [1, 2]
    with pytest.raises(InboxFull):
        boxes.inbox.accept([letter("c")], 2)
    with pytest.raises(InboxFull):
        boxes.inbox.accept([letter("a"), letter("c")], 2)
    assert boxes.inbox.accept([letter("a"), letter("b")], 2) == [None, None]
    boxes.finish(boxes.leased())
    assert boxes.inbox.accept([letter("c")], 2) != [None]
    assert rows(boxes.engine, LetterRow) == 3


def test_letters_that_were_handled_between_those_that_wait_take_no_room(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "abc"], 3)
    boxes.inbox.retry(boxes.leased(), "why", AT + HOUR)
    boxes.finish(boxes.leased())
    assert boxes.inbox.accept([letter("d")], 3) == [4]
    with pytest.raises(InboxFull):
        boxes.inbox.accept([letter("e")], 3)


def test_trying_to_write_leaves_nothing_behind(boxes: Boxes) -> None:
    for _ in range(2):
        boxes.inbox.try_writing(AT)
    assert rows(boxes.engine, LetterKeyRow) == 0


def test_no_letter_is_leased_to_two_workers_and_each_sender_is_answered_in_order(boxes: Boxes) -> None:
    senders = [f"s{number}@example.org" for number in range(5)]
    boxes.inbox.accept([letter(f"{number:02}", senders[number % 5]) for number in range(60)])
    handled: list[tuple[str, str]] = []

    def work(owner: str) -> None:
        inbox = Inbox(boxes.engine, owner, LEASE)
        while boxes.inbox.count().get("waiting"):
            leased = next(iter(inbox.lease(AT)), None)
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
