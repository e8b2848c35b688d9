from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.storage.boxes import HOUR, LEASE, Boxes, letter
from tests.storage.stock import AT, MINUTE

if TYPE_CHECKING:
    from datetime import datetime


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
