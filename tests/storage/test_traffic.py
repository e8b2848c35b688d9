"""Traffic in and out, as the operator lists it."""

from __future__ import annotations

from pbem.storage.counters import traffic
from pbem.storage.engine import reading
from tests.storage.boxes import Boxes


def test_of_mails_of_one_moment_the_last_one_stands_below(boxes: Boxes) -> None:
    boxes.post("one", "two", "three")
    with reading(boxes.engine) as connection:
        listed = traffic(connection, None, None, None, 2)
    assert [row["to"] for row in listed] == [["two@example.org"], ["three@example.org"]]
