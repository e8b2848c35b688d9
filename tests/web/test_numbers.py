from __future__ import annotations

import pytest

from pbem.ids import HIGHEST_NUMBER
from pbem.web.context import read_number


@pytest.mark.parametrize(("said", "number"), [("0", 0), ("007", 7), (str(HIGHEST_NUMBER), HIGHEST_NUMBER)])
def test_a_number_is_read(said: str, number: int) -> None:
    assert read_number(said) == number


@pytest.mark.parametrize("said", ["", "-1", " 1", "1.0", str(HIGHEST_NUMBER + 1), "9" * 5000, "\u00b2", "\u0663"])
def test_what_is_none_or_too_high_is_not(said: str) -> None:
    assert read_number(said) is None
