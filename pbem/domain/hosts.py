"""What is counted as one host, and how many of anything are there from each.

An IPv4 address is one host. Of IPv6, whoever has a line has all 2**64 addresses of a network at the least, and often
65,536 such networks (RFC 6177): so those of a /64 are one host, and those of a /48 together have a few times as much.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import NamedTuple

_OF_ONE_LINE, _OF_ONE_SITE = 64, 48
"""Bits of IPv6 addresses that those of one line, and those of all lines of one customer, have in common."""
_LONGEST = 64

SITE_SHARE = 4
"""How many times as much as one line a whole site may have."""


class Network(NamedTuple):
    """Addresses that are counted together."""

    name: str
    share: int
    """How many times as much as one host they may have."""


def networks_of(host: str) -> tuple[Network, ...]:
    """The networks that an address counts for, the narrowest first; a name that is no address counts for itself."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return (Network(host[:_LONGEST], 1),)
    if not isinstance(address, ipaddress.IPv6Address) or address.ipv4_mapped is not None:
        return (Network(str(getattr(address, "ipv4_mapped", None) or address), 1),)
    line, site = (ipaddress.ip_network((address, bits), strict=False) for bits in (_OF_ONE_LINE, _OF_ONE_SITE))
    return Network(str(line.network_address), 1), Network(str(site), SITE_SHARE)


class Present:
    """How many are there from each host at the moment.

    Args:
        most: in all.
        of_one_host: how many from one.
    """

    def __init__(self, most: int, of_one_host: int) -> None:
        self._most = most
        self._of_one_host = of_one_host
        self._all = 0
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._all

    @property
    def is_full(self) -> bool:
        """Whether there are as many as may be."""
        return self._all >= self._most

    def has_place_for(self, host: str) -> bool:
        """Whether one more from a host may come, as far as that host is concerned."""
        return all(self._of[name] < share * self._of_one_host for name, share in networks_of(host))

    def enter(self, host: str) -> None:
        """Count one more from a host."""
        self._all += 1
        self._of.update(name for name, _ in networks_of(host))

    def leave(self, host: str) -> None:
        """Count one less."""
        self._all -= 1
        for name, _ in networks_of(host):
            self._of[name] -= 1
            if not self._of[name]:
                del self._of[name]
