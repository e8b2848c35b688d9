"""Limits on each client's share of the server, and the clients connected now."""

from __future__ import annotations

import ipaddress
import resource
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from pbem.domain.players import networks_of

LONGEST_PATH = 256
"""Characters of an address in an envelope (RFC 5321 s 4.5.3.1.3).

What the database could not hold would fail everybody's letters of one commit.
"""

SENDER_SHARE = 0.25
"""The part of a client's letters that one sender may have."""
_HOUR = 3600.0
_FEW_NAMES = 10_000

SessionT = TypeVar("SessionT")


@dataclass(frozen=True, slots=True)
class DoorLimits:
    """The limits of a door; the settings of the same names explain each."""

    letter_bytes: int
    recipients: int
    connections: int
    connections_per_host: int
    session_commands: int
    idle_seconds: float
    session_seconds: float
    letters_per_hour: int
    bytes_per_hour: int
    trusted: tuple[str, ...]

    @property
    def unanswered_bytes(self) -> int:
        """The most bytes between two replies: a letter, its dots doubled, and commands sent ahead of their turn."""
        return 2 * self.letter_bytes + 65_536


class Traffic:
    """The recent traffic of each client and, within it, of each sender; an hour's allowance is regained evenly.

    One sender at one client may bring `SENDER_SHARE` of that: forging that sender elsewhere takes nothing from them.
    """

    def __init__(self, limits: DoorLimits, clock: Callable[[], float] = monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._trusted = [ipaddress.ip_network(each) for each in limits.trusted]
        self._used: dict[str, tuple[float, float]] = {}
        self._most_names = _FEW_NAMES

    def is_too_much(self, client: str | None, sender: str) -> bool:
        """Return True if a client has brought so much that it must wait."""
        now = self._clock()
        return any(self._left(name, now) >= 1 for name, _ in self._names(client, sender))

    def count(self, client: str | None, sender: str, octets: int) -> None:
        """Count a letter that has come, taken or not."""
        now, limits = self._clock(), self._limits
        cost = max(1 / limits.letters_per_hour, octets / limits.bytes_per_hour)
        for name, share in self._names(client, sender):
            self._used[name] = self._left(name, now) + cost / share, now
        if len(self._used) > self._most_names:
            self._used = {name: used for name, used in self._used.items() if self._left(name, now) > 0}
            self._most_names = max(_FEW_NAMES, 2 * len(self._used))

    def _left(self, name: str, now: float) -> float:
        """The part of an hour's allowance that a name has still used up."""
        used, at = self._used.get(name, (0.0, now))
        return max(0.0, used - (now - at) / _HOUR)

    def _names(self, client: str | None, sender: str) -> list[tuple[str, float]]:
        """Whatever the letters of a client count for, with its share; nothing if the client is trusted or unknown."""
        if client is None or self.trusts(client):
            return []
        networks: list[tuple[str, float]] = list(networks_of(client))
        of_sender = [(f"{networks[0][0]} {sender.casefold()}", SENDER_SHARE)] if sender else []
        return networks + of_sender

    def trusts(self, client: str) -> bool:
        """Return True if a client is one of ours, such as an MTA in front, which brings letters of others."""
        try:
            address = ipaddress.ip_address(client)
        except ValueError:
            return False
        return any(address in network for network in self._trusted)


def spare_files() -> int:
    """The number of files that the process keeps free for its own use, and to turn clients away."""
    return max(8, min(256, _most_files() // 8))


def is_one_of_the_last(file: int) -> bool:
    """Return True if this file leaves only the spare ones: a new one has the lowest number that is free."""
    return file >= _most_files() - spare_files()


def _most_files() -> int:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most


class ConnectionLimiter(Generic[SessionT]):
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

    def host(self, session: SessionT) -> str | None:
        """The host that a session comes from; None if that is not known, as over a UNIX socket."""
        return self._hosts.get(session)

    def why_not(self, host: str | None, file: int = 0) -> str | None:
        """The refusal for one more session from a host; None if it may come in. A UNIX socket has no host.

        Args:
            host: where it comes from.
            file: the number of the file that its connection is.
        """
        if len(self._hosts) >= self._limits.connections or is_one_of_the_last(file):
            return "421 4.3.2 Too many connections, please try again later"
        return self.why_not_from(host)

    def why_not_from(self, host: str | None) -> str | None:
        """The same for a session that is here already and is now known to come from this host."""
        most, networks = self._limits.connections_per_host, () if host is None else networks_of(host)
        if any(self._of_host[name] >= share * most for name, share in networks):
            return "421 4.7.0 Too many connections from your host, please try again later"
        return None

    def enter(self, session: SessionT, host: str | None) -> None:
        """Count a session in; again, if it is only now known where it comes from."""
        self.leave(session)
        self._hosts[session] = host
        self._of_host.update(_names(host))

    def leave(self, session: SessionT) -> None:
        """Count a session out; one that is not here has left already."""
        for network in _names(self._hosts.pop(session, None)):
            self._of_host[network] -= 1
            if not self._of_host[network]:
                del self._of_host[network]


def _names(host: str | None) -> list[str]:
    """The networks that a host counts for."""
    return [] if host is None else [name for name, _ in networks_of(host)]
