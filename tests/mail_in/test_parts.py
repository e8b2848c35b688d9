"""Limits that hold before and while a letter is parsed."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from pbem.mail_in.parts import (
    DEEPEST,
    LONGEST_FIELD,
    LONGEST_HEAD,
    LONGEST_SUBJECT,
    MOST_FIELDS,
    MOST_PARTS,
    UnreadableLetter,
    check_shape,
    parse,
)

LETTER = b"Content-Type: message/rfc822\n\nSubject: x\n\ny\n"


def parts(count: int) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * count + b"--b--\n"


def levels(count: int) -> bytes:
    head = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(count - 1))
    return f"{head}\nx".encode()


def letters_in_letters(count: int) -> bytes:
    return b"Content-Type: message/rfc822\n\n" * count + b"Subject: x\n\n" + (b"y" * 900 + b"\n") * 260


def head(length: int) -> bytes:
    field = b"X-Field: " + b"x" * 991 + b"\n"
    return field * (length // len(field))


@pytest.mark.parametrize(
    ("within", "beyond", "error"),
    [
        (b"X:" + b"y" * (LONGEST_FIELD - 2), b"X:" + b"y" * (LONGEST_FIELD - 1), "LongHeader"),
        (b"Subject:" + b"y" * (LONGEST_SUBJECT - 8), b"Subject:" + b"y" * (LONGEST_SUBJECT - 7), "LongHeader"),
        (b"X: y\n" * MOST_FIELDS, b"X: y\n" * (MOST_FIELDS + 1), "TooManyFields"),
        (head(LONGEST_HEAD - 1000), head(LONGEST_HEAD + 2000), "LongHead"),
        (parts(MOST_PARTS), parts(MOST_PARTS + 1), "TooManyParts"),
        (levels(DEEPEST), levels(DEEPEST + 1), "TooDeep"),
    ],
    ids=["field", "Subject", "fields", "head", "parts", "levels"],
)
def test_each_limit_is_where_it_is_said_to_be(within: bytes, beyond: bytes, error: str) -> None:
    parse(within.rstrip(b"\n") + b"\n\nhelp" if within.startswith(b"X") else within)
    with pytest.raises(UnreadableLetter) as caught:
        parse(beyond)
    assert caught.value.facts == {"error": error}
    assert caught.value.is_final


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text/plain; charset=utf-8", "utf-8"),
        ('text/plain; format=flowed; CHARSET="utf-8"', "utf-8"),
        ("text/plain;\n charset = utf-8 ; x=y", "utf-8"),
        ("text/plain; charset=", ""),
        ("text/plain", None),
        ("text/plain; xcharset=a", None),
        (";" * 1000 + "charset=x", "x"),
    ],
)
def test_a_parameter_is_found(field: str, value: str | None) -> None:
    assert parse(f"Content-Type: {field}\n\n".encode()).parameter("charset") == value


def door_says(raw: bytes) -> str:
    """The reason for which the door refuses a letter; empty if it comes in."""
    try:
        check_shape(raw)
    except UnreadableLetter as refused:
        return str(refused.facts["error"])
    return ""


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (levels(3000), "TooDeep"),
        (levels(DEEPEST + 2) + b"x" * 200_000, "TooDeep"),
        (levels(DEEPEST + 2).replace(b"\n", b"\r\n"), "TooDeep"),
        (levels(DEEPEST + 3).replace(b"boundary=", b'BOUNDARY = "').replace(b"\n\n", b'"\n\n'), "TooDeep"),
        (b"X: y\n" * (MOST_FIELDS + 1), "TooManyFields"),
        (b"X:" + b"y" * LONGEST_FIELD, "LongHeader"),
        (head(LONGEST_HEAD + 2000), "LongHead"),
        (levels(DEEPEST), ""),
        (parts(MOST_PARTS), ""),
        (b"Subject: x\n\n" + b"boundary=b\n--b\n--b--\n" * 1000, ""),
        (b"Subject: x\n\n" + b"boundary=b\n" * 1000 + b"--b\n" * 1000, ""),
        (b"boundary=" * 20_000, "LongHeader"),
        (b"\n\n" + b"boundary=" * 20_000, ""),
        (b"\n\n" + b"--" * 100_000 + b"boundary" * 12, ""),
        (b"", ""),
        (letters_in_letters(12), "TooDeep"),
        (letters_in_letters(12).replace(b"\n", b"\r\n").replace(b": ", b":\r\n "), "TooDeep"),
        (letters_in_letters(DEEPEST - 1), ""),
        (b"Content-Type: multipart/digest; boundary=b\n\n" + b"--b\n" + b"\n--b\n".join([LETTER] * 30), ""),
        (b"Subject: x\n\n" + LETTER * 30, ""),
        (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: message/rfc822\n" * 8000, ""),
        (levels(7).replace(b"mixed", b"digest") + b"boundary " * 5, "TooDeep"),
        (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"message/" * 10 + b"--b\n" * 60_000, ""),
    ],
    ids=range(23),
)
def test_what_nobody_can_read_is_seen_at_the_door_without_parsing(raw: bytes, error: str) -> None:
    before = perf_counter()
    assert door_says(raw) == error
    assert perf_counter() - before < 1


@pytest.mark.parametrize("file", sorted((Path(__file__).parent / "letters").iterdir()), ids=lambda file: file.name)
def test_letters_of_mail_programs_pass_the_door(file: Path) -> None:
    assert door_says(file.read_bytes()) == ""


def test_letters_of_many_parts_side_by_side_pass_the_door() -> None:
    inner = "".join(
        f"--outer\nContent-Type: multipart/alternative; boundary=in{n}\n\n--in{n}\n\nx\n--in{n}--\n" for n in range(40)
    )
    assert door_says(f"Content-Type: multipart/mixed; boundary=outer\n\n{inner}--outer--\n".encode()) == ""
