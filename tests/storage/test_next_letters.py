from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.storage.engine import reading
from pbem.storage.models import LetterRow
from tests.storage.boxes import letter
from tests.storage.stock import AT, MINUTE

if TYPE_CHECKING:
    from tests.storage.boxes import Boxes


def taken(boxes: Boxes, most: int = 8) -> list[str]:
    """The keys of the letters that are leased together."""
    return [each.raw.split()[1].decode() for each in boxes.inbox.lease(AT, most)]


def attempts(boxes: Boxes) -> list[int]:
    with reading(boxes.engine) as connection:
        return list(connection.scalars(select(LetterRow.attempts).order_by(LetterRow.id)))


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


def test_behind_very_many_letters_of_one_sender_those_of_others_are_found_in_order(boxes: Boxes) -> None:
    boxes.inbox.accept([letter(f"flood{number}", "flood@example.org") for number in range(250)])
    boxes.inbox.accept([letter(key, f"{key}@example.org") for key in "ab"])
    boxes.inbox.accept([letter("a2", "a@example.org")])
    assert taken(boxes) == ["flood0"]
    assert taken(boxes) == ["a", "b"]
    assert taken(boxes) == []
