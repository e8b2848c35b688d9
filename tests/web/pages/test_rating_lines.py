"""The way of a rating as a line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.web.pages.lists import HEIGHT, MARGIN, WIDTH, line
from tests.storage.stock import AT, MINUTE


def test_nothing_is_drawn_of_one_value() -> None:
    assert line([]) is None
    assert line([(AT, 1800)]) is None


def test_a_line_goes_from_the_first_to_the_last_value() -> None:
    drawn = line([(AT, 1600), (AT + MINUTE, 1700), (AT + 5 * MINUTE, 1650)])
    assert drawn is not None
    assert drawn.path == "4,44 120,4 236,24"
    assert (drawn.first, drawn.last, drawn.lowest, drawn.highest) == (1600, 1650, 1600, 1700)
    assert (drawn.since, drawn.until) == (AT, AT + 5 * MINUTE)


def test_a_small_change_looks_small() -> None:
    drawn = line([(AT, 1600), (AT, 1602)])
    assert drawn is not None
    assert drawn.path == "4,26 236,22"


@given(st.lists(st.integers(0, 4000), min_size=2, max_size=600))
def test_every_point_is_within_the_drawing(values: list[int]) -> None:
    drawn = line([(AT, value) for value in values])
    assert drawn is not None
    assert all(MARGIN <= x <= WIDTH - MARGIN and MARGIN <= y <= HEIGHT - MARGIN for x, y in drawn.points)
