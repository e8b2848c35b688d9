from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from pbem.domain.letters import InboxFull
from pbem.storage.engine import reading, writing
from pbem.storage.inbox import Inbox, LeasedLetter, LeaseLost
from pbem.storage.models import LetterKeyRow, LetterRow
from tests.storage.boxes import HOUR, LEASE, Boxes, letter
from tests.storage.stock import AT, MINUTE, rows


def test_a_letter_is_leased_as_it_was_accepted(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a")]) == [1]
    leased = next(iter(boxes.inbox.lease(AT + MINUTE)), None)
    assert leased is not None
    assert leased == LeasedLetter(leased.id, letter("a").envelope, letter("a").raw, AT, 1, AT + MINUTE + LEASE)


def test_an_empty_inbox_leases_nothing(boxes: Boxes) -> None:
    assert not boxes.inbox.lease(AT)


def test_letters_of_one_sender_come_one_after_the_other(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("a"), letter("b")])
    first = boxes.leased()
    assert not boxes.other.lease(AT)
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
    assert not boxes.inbox.lease(AT + 24 * HOUR)
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


def test_a_letter_transmitted_again_is_recognised(boxes: Boxes) -> None:
    assert boxes.inbox.accept([letter("a"), letter("b"), letter("a")]) == [1, 2, None]
    boxes.finish(boxes.leased())
    assert boxes.other.accept([letter("b"), letter("a"), letter("c")]) == [None, None, 3]
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
    assert boxes.inbox.accept([letter("a", at=AT + since, message_id=message_id)]) == [2 if is_new else None]


def test_the_hour_begins_anew_with_each_letter_that_is_taken_for_a_new_one(boxes: Boxes) -> None:
    moments = [AT, AT + 2 * HOUR, AT + 2 * HOUR + HOUR / 2]
    assert [boxes.inbox.accept([letter("a", at=at, message_id=False)]) for at in moments] == [[1], [2], [None]]


def test_a_letter_is_recognised_by_any_of_its_keys_and_kept_under_the_first(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("old")])
    rotated = replace(letter("new"), keys=("new", "old"))
    assert boxes.inbox.accept([rotated]) == [None]
    assert boxes.inbox.accept([letter("new")]) == [2]
    assert boxes.inbox.accept([replace(letter("other"), keys=("newer", "other"))]) == [3]
    assert boxes.inbox.accept([letter("newer")]) == [None]


def test_an_old_key_that_counts_no_more_does_not_keep_a_letter_from_being_new(boxes: Boxes) -> None:
    boxes.inbox.accept([letter("old", message_id=False)])
    rotated = replace(letter("new", at=AT + 2 * HOUR, message_id=False), keys=("new", "old"))
    assert boxes.inbox.accept([rotated]) == [2]
    assert boxes.inbox.accept([rotated]) == [None]


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


def test_the_same_letter_at_several_doors_at_once_is_new_only_once(boxes: Boxes) -> None:
    both = Barrier(2)

    def accept(inbox: Inbox) -> list[list[bool]]:
        told = []
        for number in range(20):
            both.wait(20)
            numbers = inbox.accept([letter(f"a{number}"), letter(f"b{number}")])
            told.append([each is not None for each in numbers])
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
