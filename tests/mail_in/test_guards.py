"""Counting connections, and the hosts they come from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.players import SITE_SHARE
from pbem.mail_in.connection_limits import ConnectionLimiter, Traffic
from tests.support.doors import LIMITS

TWO = replace(LIMITS, connections=3, connections_per_host=2)


@pytest.fixture
def guests() -> ConnectionLimiter[str]:
    return ConnectionLimiter(TWO)


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:db8::1", "2001:db8::ffff:1"),
        ("fe80::1%eth0", "fe80::2%eth1"),
        ("somewhere", "somewhere"),
    ],
)
def test_addresses_of_one_network_are_one_host(guests: ConnectionLimiter[str], one: str, same: str) -> None:
    guests.enter("a", one)
    assert guests.why_not(same) is None
    guests.enter("b", same)
    assert guests.why_not(one) is not None
    assert guests.why_not("192.0.2.2") is None
    assert guests.why_not("2001:db8:0:1::1") is None


def test_a_socket_without_a_host_counts_only_among_all(guests: ConnectionLimiter[str]) -> None:
    for name in "abc":
        assert guests.why_not(None) is None
        guests.enter(name, None)
    assert guests.why_not(None) is not None


def test_who_leaves_makes_room_once(guests: ConnectionLimiter[str]) -> None:
    for name in "ab":
        guests.enter(name, "192.0.2.1")
    guests.leave("a")
    guests.leave("a")
    assert len(guests) == 1
    assert guests.why_not("192.0.2.1") is None
    guests.enter("c", "192.0.2.1")
    assert guests.why_not("192.0.2.1") is not None


def test_who_turns_out_to_come_from_elsewhere_is_counted_there(guests: ConnectionLimiter[str]) -> None:
    for name in "ab":
        guests.enter(name, None)
        guests.enter(name, "192.0.2.1")
    assert guests.all == ["a", "b"]
    assert guests.why_not_from("192.0.2.1") is not None
    assert guests.why_not_from("192.0.2.2") is None


def test_a_site_has_a_few_times_as_many_as_one_of_its_networks() -> None:
    guests: ConnectionLimiter[str] = ConnectionLimiter(replace(TWO, connections=100))
    for each in range(2 * SITE_SHARE):
        host = f"2001:db8:1:{each}::1"
        assert guests.why_not(host) is None
        guests.enter(host, host)
    assert guests.why_not("2001:db8:1:ffff::1") is not None
    assert guests.why_not("2001:db8:2::1") is None
    guests.leave("2001:db8:1:0::1")
    assert guests.why_not("2001:db8:1:ffff::1") is None


class Clock:
    """Seconds, as a test says."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def traffic(clock: Clock) -> Traffic:
    return Traffic(replace(LIMITS, letters_per_hour=8, bytes_per_hour=8000, trusted=("127.0.0.0/8",)), clock)


def test_a_host_may_bring_so_many_letters_in_an_hour_and_the_rest_later(traffic: Traffic, clock: Clock) -> None:
    for number in range(8):
        assert not traffic.is_too_much("192.0.2.1", f"{number}@example.org")
        traffic.count("192.0.2.1", f"{number}@example.org", 10)
    assert traffic.is_too_much("192.0.2.1", "new@example.org")
    assert not traffic.is_too_much("192.0.2.2", "0@example.org")
    clock.now += 3600 / 8 + 1
    assert not traffic.is_too_much("192.0.2.1", "new@example.org")


def test_bytes_count_as_well_as_letters(traffic: Traffic) -> None:
    traffic.count("192.0.2.1", "", 8000)
    assert traffic.is_too_much("192.0.2.1", "")


def test_one_sender_has_a_part_of_what_his_host_has_and_nothing_is_taken_from_him_elsewhere(traffic: Traffic) -> None:
    for _ in range(2):
        traffic.count("192.0.2.1", "Alice@example.org", 10)
    assert traffic.is_too_much("192.0.2.1", "alice@example.org")
    assert not traffic.is_too_much("192.0.2.1", "bob@example.org")
    assert not traffic.is_too_much("198.51.100.1", "alice@example.org")


@pytest.mark.parametrize("client", [None, "127.0.0.1"])
def test_trusted_and_unknown_clients_are_not_counted(traffic: Traffic, client: str | None) -> None:
    for _ in range(100):
        traffic.count(client, "alice@example.org", 10_000)
    assert not traffic.is_too_much(client, "alice@example.org")


def test_a_network_of_ipv6_is_one_host(traffic: Traffic) -> None:
    for number in range(8):
        traffic.count(f"2001:db8::{number}", f"{number}@example.org", 10)
    assert traffic.is_too_much("2001:db8::ffff", "new@example.org")
    assert not traffic.is_too_much("2001:db8:0:1::1", "new@example.org")


def test_who_has_brought_nothing_for_long_is_forgotten(traffic: Traffic, clock: Clock) -> None:
    for number in range(5000):
        traffic.count(f"10.0.{number // 250}.{number % 250}", f"{number}@example.org", 10)
    clock.now += 7200
    traffic.count("192.0.2.1", "a@example.org", 10)
    assert len(traffic._used) == 2
