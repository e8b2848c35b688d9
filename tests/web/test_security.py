"""What requests are believed, and what is counted as one host."""

from __future__ import annotations

import pytest

from pbem.web.security import is_path, network_of


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


@pytest.mark.parametrize("then", ["", "x", "//x", "/\\x", "\\x", "http://x", "/\tx", "/\nx", "/\u2028x", "/\x7fx"])
def test_nothing_else_is_a_path(then: str) -> None:
    assert not is_path(then)
