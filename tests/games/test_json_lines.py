"""Lines of JSON, and everything that is none or should not be taken for one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games.records import DEEPEST, LONGEST_NUMBER, NameTwice, NoJson, NumberTooLong, TooDeep, parse_line


@pytest.mark.parametrize(
    ("line", "at", "cut_off"),
    [
        (b"", 1, True),
        (b"{", 2, True),
        (b"[1,2", 5, True),
        (b'{"a": 1} x', 10, False),
        (b"{}}", 3, False),
        (b"\xff{}", 0, False),
        (b"NaN", 0, False),
        (b'{"q": -Infinity}', 0, False),
    ],
)
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_that_is_no_json_is_refused_where_that_shows(line: bytes, end: bytes, at: int, *, cut_off: bool) -> None:
    with pytest.raises(NoJson) as refused:
        parse_line(line + end)
    assert refused.value.facts == {"at": at, "cut_off": cut_off}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b'{"game": "mambo", "game": "mambo"}', "game"),
        (b'{"options": {"swap": true, "size": 4, "size": 9}}', "size"),
        (b'[[{"q": 1, "r": 0, "\\u0071": 2}]]', "q"),
        (b'{"%b": 1, "%b": 2}' % (b"x" * 50, b"x" * 50), "x" * 40),
    ],
)
def test_a_name_that_stands_twice_in_an_object_is_refused(line: bytes, name: str) -> None:
    with pytest.raises(NameTwice) as refused:
        parse_line(line)
    assert refused.value.facts == {"name": name}


def test_a_name_may_stand_in_several_objects() -> None:
    assert parse_line(b'[{"q": 1}, {"q": {"q": 2}}]') == [{"q": 1}, {"q": {"q": 2}}]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 100_000])
def test_lists_within_lists_without_end_are_refused(opening: str, depth: int) -> None:
    closing = {"[": "]", '{"a":': "}"}[opening]
    with pytest.raises(TooDeep):
        parse_line((opening * depth + "1" + closing * depth).encode())


def test_a_number_is_as_long_as_programs_can_bear() -> None:
    assert parse_line(b"9" * LONGEST_NUMBER) == 10**LONGEST_NUMBER - 1
    for digits in (LONGEST_NUMBER + 1, 10_000):
        with pytest.raises(NumberTooLong):
            parse_line(b"[" + b"9" * digits + b"]")


def test_a_mark_of_the_encoding_before_a_line_is_passed_over() -> None:
    assert parse_line(b'\xef\xbb\xbf{"q": 1}') == {"q": 1}


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_line_is_json_or_refused(line: bytes) -> None:
    try:
        value = parse_line(line)
    except PlayerError:
        return
    json.dumps(value, allow_nan=False)
