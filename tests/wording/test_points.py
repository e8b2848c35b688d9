"""Points in words."""

from __future__ import annotations

import pytest

from pbem.wording.points import halves, quarters


@pytest.mark.parametrize(("count", "said"), [(0, "0"), (1, "½"), (2, "1"), (5, "2½"), (20, "10")])
def test_halves_are_added_up(count: int, said: str) -> None:
    assert halves(count) == said


@pytest.mark.parametrize(("count", "said"), [(0, "0"), (1, "¼"), (2, "½"), (3, "¾"), (4, "1"), (11, "2¾")])
def test_quarters_are_added_up(count: int, said: str) -> None:
    assert quarters(count) == said
