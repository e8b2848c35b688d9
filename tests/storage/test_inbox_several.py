"""Several letters leased with one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.storage.engine import reading
from pbem.storage.models import LetterRow
from tests.storage.boxes import LEASE, letter
from tests.storage.stock import AT

if TYPE_CHECKING:
    from tests.storage.boxes import Boxes


def taken(boxes: Boxes, most: int = 8) -> list[str]:
    """The keys of the letters that are leased together."""
    return [each.raw.split()[1].decode() for each in boxes.inbox.lease(AT, most)]


def attempts(boxes: Boxes) -> list[int]:
    with reading(boxes.engine) as connection:
        return list(connection.scalars(select(LetterRow.attempts).order_by(LetterRow.id)))


def test_letters_of_different_senders_are_taken_together(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "abcd"])
    assert taken(boxes, 3) == ["a", "b", "c"]
    assert attempts(boxes) == [1, 1, 1, 0]


def test_no_letter_overtakes_one_that_waits_for_the_same_sender(boxes: Boxes) -> None:
    senders = {"1": "ann", "2": "bob", "3": "ann", "4": "carol"}
    boxes.inbox.accept([letter(key, f"{sender}@example.org") for key, sender in senders.items()])
    assert taken(boxes) == ["1", "2"]


def test_a_letter_that_was_tried_before_is_taken_alone(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "abc"])
    (tried,) = boxes.inbox.lease(AT)
    boxes.inbox.retry(tried, "why", AT)
    assert taken(boxes) == ["a"]
    assert taken(boxes) == ["b", "c"]


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


def test_behind_very_many_letters_of_one_sender_those_of_others_are_found_in_order(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(f"flood{number}", "flood@example.org") for number in range(250)])
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "ab"])
    boxes.inbox.accept([letter("a2", "a@example.org")])
    assert taken(boxes) == ["flood0"]
    assert taken(boxes) == ["a", "b"]
    assert taken(boxes) == []
