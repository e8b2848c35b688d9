from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest

from pbem.storage.inbox import Inbox
from pbem.storage.models import LetterRow
from tests.storage.boxes import HOUR, Boxes, letter
from tests.storage.stock import AT, MINUTE, rows


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
