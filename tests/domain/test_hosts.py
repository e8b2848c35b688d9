from __future__ import annotations

import pytest

from pbem.domain.players import SITE_SHARE, Present, networks_of


@pytest.mark.parametrize(
    ("host", "networks"),
    [
        ("192.0.2.1", [("192.0.2.1", 1)]),
        ("::ffff:192.0.2.1", [("192.0.2.1", 1)]),
        ("2001:db8:1:2:3:4:5:6", [("2001:db8:1:2::", 1), ("2001:db8:1::/48", SITE_SHARE)]),
        ("2001:db8:1:2::", [("2001:db8:1:2::", 1), ("2001:db8:1::/48", SITE_SHARE)]),
        ("fe80::1%eth0", [("fe80::", 1), ("fe80::/48", SITE_SHARE)]),
        ("example.org", [("example.org", 1)]),
        ("x" * 500, [("x" * 64, 1)]),
    ],
)
def test_an_address_counts_for_its_line_and_for_its_site(host: str, networks: list[tuple[str, int]]) -> None:
    assert list(networks_of(host)) == networks


def test_who_changes_his_network_is_stopped_by_that_of_his_site() -> None:
    present, came = Present(1000, 3), 0
    for line in range(100):
        host = f"2001:db8:1:{line:x}::1"
        if present.has_place_for(host):
            present.enter(host)
            came += 1
    assert came == len(present) == 3 * SITE_SHARE
    assert present.has_place_for("2001:db8:2::1")
    assert not present.has_place_for("2001:db8:1:ffff::1")
    present.leave("2001:db8:1:0::1")
    assert present.has_place_for("2001:db8:1:ffff::1")


def test_hosts_that_have_left_are_forgotten() -> None:
    present = Present(2, 2)
    for host in ("192.0.2.1", "2001:db8::1"):
        present.enter(host)
    assert present.is_full
    for host in ("192.0.2.1", "2001:db8::1"):
        present.leave(host)
    assert not present._of
    assert not len(present)
