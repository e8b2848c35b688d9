"""How much of the server one client may have, and who is connected now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Generic, TypeVar

_OF_ONE_NETWORK = 64
"""Bits of an IPv6 address that whoever has one network cannot choose."""

SessionT = TypeVar("SessionT")


@dataclass(frozen=True, slots=True)
class DoorLimits:
    """What a door bears; the settings of the same names explain each."""

    letter_bytes: int
    recipients: int
    connections: int
    connections_per_host: int
    session_commands: int
    idle_seconds: float
    session_seconds: float

    @property
    def unanswered_bytes(self) -> int:
        """What may come between two replies: a letter, its dots doubled, and commands sent ahead of their turn."""
        return 2 * self.letter_bytes + 65_536


class Guests(Generic[SessionT]):
    """The sessions of a door, and where each comes from."""

    def __init__(self, limits: DoorLimits) -> None:
        self._limits = limits
        self._hosts: dict[SessionT, str | None] = {}
        self._of_host: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._hosts)

    @property
    def all(self) -> list[SessionT]:
        """Those who are here now."""
        return list(self._hosts)

    def why_not(self, host: str | None) -> str | None:
        """The refusal for one more session from a host; None if it may come in. A UNIX socket has no host."""
        if len(self._hosts) >= self._limits.connections:
            return "421 4.3.2 Too many connections, please try again later"
        return self.why_not_from(host)

    def why_not_from(self, host: str | None) -> str | None:
        """The same for a session that is here already and is now known to come from this host."""
        if host is not None and self._of_host[_network(host)] >= self._limits.connections_per_host:
            return "421 4.7.0 Too many connections from your host, please try again later"
        return None

    def enter(self, session: SessionT, host: str | None) -> None:
        """Count a session in; again, if it is only now known where it comes from."""
        self.leave(session)
        network = None if host is None else _network(host)
        self._hosts[session] = network
        if network is not None:
            self._of_host[network] += 1

    def leave(self, session: SessionT) -> None:
        """Count a session out; one that is not here has left already."""
        network = self._hosts.pop(session, None)
        if network is not None:
            self._of_host[network] -= 1
            if not self._of_host[network]:
                del self._of_host[network]


def _network(host: str) -> str:
    """What counts as one host."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), _OF_ONE_NETWORK), strict=False))
