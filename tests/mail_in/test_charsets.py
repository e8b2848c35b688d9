"""Bytes and what they claim to be written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_in.parts import decoded, decoded_header, unbase64


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        (b"Gr\xfc\xdfe", "utf-8", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode(), None, "Grüße"),
        (b"\x80 5", "latin1", "€ 5"),
        (b"\x81", "windows-1252", "\x81"),
        ("Grü".encode()[:-1] + b" \xc3\xbc", "utf-8", "Gr\ufffd ü"),
        ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
        ("你好".encode("gb18030"), "GB2312", "你好"),
        ("help".encode("utf-16-be"), "utf-16", "help"),
        (b"help", "utf-16", "help"),
        (b"help", "rot13", "help"),
        (b"help", "zlib", "help"),
        (b"help", "punycode", "help"),
        (b"a\\u0041", "unicode_escape", "a\\u0041"),
        (b"help", "no such charset", "help"),
        (b"help", "x" * 10_000, "help"),
        (b"help", "\0", "help"),
    ],
)
def test_bytes_are_read_by_their_label_or_as_they_must_be_meant(data: bytes, label: str | None, text: str) -> None:
    assert decoded(data, label) == text


@pytest.mark.parametrize(
    ("encoded", "data"),
    [(b"aGVscA==", b"help"), (b"aGVscA", b"help"), (b"aGVs cA=\n=", b"help"), (b"aGU=bHA=", b"help"), (b"a", b"")],
)
def test_base64_is_read_with_or_without_its_padding(encoded: bytes, data: bytes) -> None:
    assert unbase64(encoded) == data


@given(st.binary(max_size=60), st.sampled_from(["utf-8", "utf-16", "utf-7", "iso-2022-jp", "hz", "gb18030", "cp037"]))
def test_any_bytes_are_some_text(data: bytes, label: str) -> None:
    assert isinstance(decoded(data, label), str)
    unbase64(data)


@given(st.text(alphabet=st.sampled_from('=?utf-8bQq_ \n\tAz09\udcff"'), max_size=80))
def test_any_header_is_some_text(value: str) -> None:
    assert isinstance(decoded_header(value), str)
