"""Players and their addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pbem.domain.preferences import Preferences

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.ids import PlayerId


_LONGEST_ADDRESS = 254
"""Octets (RFC 5321 s 4.5.3.1.3, less the angle brackets)."""
_MAILABLE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}")


def is_mailable(address: str) -> bool:
    """Whether we can write to an address: plain ASCII, and nothing that a header could take for an encoded word."""
    return len(address) <= _LONGEST_ADDRESS and _MAILABLE.fullmatch(address) is not None and "=?" not in address


def address_key(address: str) -> str:
    """What two spellings of one address have in common. Local parts are compared without case, as mail systems do."""
    return address.strip().casefold()


def userid_key(userid: str) -> str:
    """What two spellings of one userid have in common."""
    return userid.casefold()


@dataclass(frozen=True, slots=True)
class Address:
    """One address of a player; ``confirmed_at`` is None until somebody there has answered us."""

    address: str
    confirmed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who has signed up; plays once one address is confirmed."""

    id: PlayerId
    userid: str
    addresses: tuple[Address, ...]
    created_at: datetime
    password_hash: str | None = field(default=None, repr=False)
    preferences: Preferences = Preferences()
    revision: int = 0
    """How often the player was written; storage refuses a write that is based on an older one."""

    @property
    def confirmed(self) -> tuple[str, ...]:
        """The addresses that may be written to."""
        return tuple(each.address for each in self.addresses if each.confirmed_at is not None)

    @property
    def is_placeholder(self) -> bool:
        """Whether the account stands for somebody in an imported game: nobody can act with it, or take it over."""
        return not self.addresses

    def has_address(self, address: str) -> bool:
        """Whether the address is one of the player's, confirmed or not."""
        return any(address_key(each.address) == address_key(address) for each in self.addresses)

    def confirm(self, address: str, now: datetime) -> Player:
        """The player with this address confirmed."""
        return replace(
            self,
            addresses=tuple(
                replace(each, confirmed_at=each.confirmed_at or now)
                if address_key(each.address) == address_key(address)
                else each
                for each in self.addresses
            ),
        )
