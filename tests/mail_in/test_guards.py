"""Who is connected, and from where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.hosts import SITE_SHARE
from pbem.mail_in.guards import Guests
from tests.support.doors import LIMITS

TWO = replace(LIMITS, connections=3, connections_per_host=2)


@pytest.fixture
def guests() -> Guests[str]:
    return Guests(TWO)


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:db8::1", "2001:db8::ffff:1"),
        ("fe80::1%eth0", "fe80::2%eth1"),
        ("somewhere", "somewhere"),
    ],
)
def test_addresses_of_one_network_are_one_host(guests: Guests[str], one: str, same: str) -> None:
    guests.enter("a", one)
    assert guests.why_not(same) is None
    guests.enter("b", same)
    assert guests.why_not(one) is not None
    assert guests.why_not("192.0.2.2") is None
    assert guests.why_not("2001:db8:0:1::1") is None


def test_a_socket_without_a_host_counts_only_among_all(guests: Guests[str]) -> None:
    for name in "abc":
        assert guests.why_not(None) is None
        guests.enter(name, None)
    assert guests.why_not(None) is not None


def test_who_leaves_makes_room_once(guests: Guests[str]) -> None:
    for name in "ab":
        guests.enter(name, "192.0.2.1")
    guests.leave("a")
    guests.leave("a")
    assert len(guests) == 1
    assert guests.why_not("192.0.2.1") is None
    guests.enter("c", "192.0.2.1")
    assert guests.why_not("192.0.2.1") is not None


def test_who_turns_out_to_come_from_elsewhere_is_counted_there(guests: Guests[str]) -> None:
    for name in "ab":
        guests.enter(name, None)
        guests.enter(name, "192.0.2.1")
    assert guests.all == ["a", "b"]
    assert guests.why_not_from("192.0.2.1") is not None
    assert guests.why_not_from("192.0.2.2") is None


def test_a_site_has_a_few_times_as_many_as_one_of_its_networks() -> None:
    guests: Guests[str] = Guests(replace(TWO, connections=100))
    for each in range(2 * SITE_SHARE):
        host = f"2001:db8:1:{each}::1"
        assert guests.why_not(host) is None
        guests.enter(host, host)
    assert guests.why_not("2001:db8:1:ffff::1") is not None
    assert guests.why_not("2001:db8:2::1") is None
    guests.leave("2001:db8:1:0::1")
    assert guests.why_not("2001:db8:1:ffff::1") is None
