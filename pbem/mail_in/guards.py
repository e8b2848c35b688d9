"""How much of the server one client may have, and who is connected now."""

from __future__ import annotations

import resource
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.domain.hosts import networks_of

LONGEST_PATH = 256
"""Characters of an address in an envelope (RFC 5321 s 4.5.3.1.3).

What the database could not hold would fail everybody's letters of one commit.
"""

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


def spare_files() -> int:
    """How many files are kept free, of all that the process may have open: for its own, and to tell who must go so."""
    return max(8, min(256, _most_files() // 8))


def is_one_of_the_last(file: int) -> bool:
    """Whether this file leaves only the spare ones: a new one has the lowest number that is free."""
    return file >= _most_files() - spare_files()


def _most_files() -> int:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most


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

    def host(self, session: SessionT) -> str | None:
        """Where a session comes from; None if that is not known, as over a UNIX socket."""
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
