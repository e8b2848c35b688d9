"""Game records as lines of a file."""

from __future__ import annotations

from io import BytesIO

import pytest

from pbem.cli.progress import records_in
from pbem.games.records import LONGEST_LINE, RecordTooLong, parse_line


def test_a_line_that_is_too_long_is_read_to_its_end_and_kept_in_part() -> None:
    endless = b"x" * (2 * LONGEST_LINE + 10)
    found = list(records_in(BytesIO(b"{}\n\n" + endless + b"\n[]\n" + endless), {}))
    assert [number for number, _ in found] == [1, 3, 4, 5]
    assert [len(line) for _, line in found] == [3, LONGEST_LINE + 1, 3, LONGEST_LINE + 1]
    assert parse_line(found[2][1]) == []
    with pytest.raises(RecordTooLong):
        parse_line(found[1][1])


@pytest.mark.parametrize("length", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1])
def test_a_line_that_just_fits_is_whole(length: int) -> None:
    found = list(records_in(BytesIO(b"[" + b" " * (length - 3) + b"]\n1\n"), {}))
    assert [number for number, _ in found] == [1, 2]
    assert len(found[0][1]) == length
