"""Requests that are believed, and hosts that are counted as one."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from pbem.web.security import is_path, masked, network_of, token_of, unmasked, without_nul


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("unknown", "unknown"),
        ("x" * 500, "x" * 64),
    ],
)
def test_all_addresses_of_one_line_are_one_host(host: str, counted: str) -> None:
    assert network_of(host) == counted


@pytest.mark.parametrize("then", ["/", "/boards/101", "/boards/101?turn=a1&pick=J", "/help/mambo%20tactics"])
def test_pages_of_the_server_are_paths(then: str) -> None:
    assert is_path(then)


def test_a_masked_token_is_known_again_and_never_looks_the_same() -> None:
    token = token_of("the secret of a session")
    seen = {masked(token) for _ in range(50)}
    assert {unmasked(each) for each in seen} == {token}
    assert len(seen) == 50
    assert not any(token in each for each in seen)


@pytest.mark.parametrize("said", ["", "x", "abc", "abcdef", "\u00e9", "0" * 31])
def test_what_is_no_masked_token_is_none(said: str) -> None:
    assert unmasked(said) == "" or len(unmasked(said)) < 32


@pytest.mark.parametrize("then", ["", "x", "//x", "/\\x", "\\x", "http://x", "/\tx", "/\nx", "/\u2028x", "/\x7fx"])
def test_nothing_else_is_a_path(then: str) -> None:
    assert not is_path(then)


@pytest.mark.parametrize(
    ("encoded", "said"),
    [
        (b"q=a%00b", "ab"),
        (b"q=a\0b", "ab"),
        (b"q=%0%000", "%00"),
        (b"q=%%0000", "%00"),
        (b"q=%0%0%000" + b"0", "%0%000"),
        (b"q=%\x0000", ""),
        (b"q=%%00%00", "%"),
        (b"q=%25%0000", "%00"),
        (b"q=100%25+%C3%A9", "100% \u00e9"),
    ],
)
def test_no_nul_is_left_nor_made_of_what_stands_around_one(encoded: bytes, said: str) -> None:
    decoded = parse_qs(without_nul(encoded).decode(), keep_blank_values=True)
    assert decoded == {"q": [said]}
