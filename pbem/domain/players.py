"""Players: accounts, addresses, userids that look alike, and the networks of hosts."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple

from pbem.domain.preferences import Preferences
from pbem.games.game import Game, Position, TurnRecord
from pbem.ids import PlayerId

ROBOTS = ("robot1", "robot2", "robot3", "robot4", "robot5")
"""The userids of the computer opponents, weakest first."""
_STRONGEST = "robot"
"""Another name of the last of them, wherever a userid is read."""
_LONGEST_ADDRESS = 254
"""Octets (RFC 5321 s 4.5.3.1.3, less the angle brackets)."""
_LONGEST_WHY = 255
"""Characters of why nothing is mailed to an address: mail systems say as much as they like."""
_MAILABLE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}")


def is_mailable(address: str) -> bool:
    """Return True if we can write to an address: it is plain ASCII, and no header could take it for an encoded word."""
    return len(address) <= _LONGEST_ADDRESS and _MAILABLE.fullmatch(address) is not None and "=?" not in address


def address_key(address: str) -> str:
    """The common form of all spellings of an address. Local parts are compared without case, as mail systems do."""
    return address.strip().casefold()


def userid_key(userid: str) -> str:
    """The common form of all spellings of a userid; ``robot`` is another name of the strongest computer opponent."""
    key = userid.casefold()
    return ROBOTS[-1] if key == _STRONGEST else key


def is_robot(userid: str) -> bool:
    """Return True if this is the userid of a computer opponent, however it is spelled."""
    return userid_key(userid) in ROBOTS


_GUEST = re.compile(r"guest-[a-z0-9]{4,8}", re.IGNORECASE)


def is_guest(userid: str) -> bool:
    """Return True if this is the userid of a guest, who plays without an account: nobody can sign up with it."""
    return _GUEST.fullmatch(userid) is not None


class Standing(StrEnum):
    """The ways in which an account may be used."""

    ACTIVE = "active"
    FROZEN = "frozen"
    """By the operator, for a while: its player can look on, and their clocks stand."""
    BANNED = "banned"
    """By the operator, for good."""
    GONE = "gone"
    """Its player has left the server; their finished games keep the userid. A banned player who leaves stays banned."""


HERE = (Standing.ACTIVE, Standing.FROZEN)
"""Of accounts that are their players' to use, if only to look on."""


@dataclass(frozen=True, slots=True)
class Address:
    """One address of a player; ``confirmed_at`` is None until a letter from there has answered us."""

    address: str
    confirmed_at: datetime | None = None
    suppressed_at: datetime | None = None
    """Since when nothing is mailed there, because mails have come back; None if they arrive."""
    suppressed_why: str | None = None

    @property
    def is_reachable(self) -> bool:
        """Mail can be sent there."""
        return self.confirmed_at is not None and self.suppressed_at is None

    @property
    def lifted(self) -> Address:
        """The address with mails going there again."""
        return replace(self, suppressed_at=None, suppressed_why=None)


@dataclass(frozen=True, slots=True)
class Vacation:
    """A stretch of time in which a player is neither reminded nor loses by silence."""

    began_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Player:
    """An account; its owner can play once one address is confirmed."""

    id: PlayerId
    userid: str
    addresses: tuple[Address, ...]
    created_at: datetime
    password_hash: str | None = field(default=None, repr=False)
    preferences: Preferences = Preferences()
    standing: Standing = Standing.ACTIVE
    mail_stopped: bool = False
    """The operator has stopped all mail to the player."""
    vacations: tuple[Vacation, ...] = ()
    """Those of the last year, oldest first; the last may be under way."""
    seen_on: date | None = None
    """The last day on which the player was heard of, in UTC."""
    pace: timedelta | None = None
    """The median time per move when a board of theirs last ended."""
    guest_until: datetime | None = None
    """When a guest and their boards are deleted; None: this is an account."""
    revision: int = 0
    """The number of times that the player was written; storage refuses a write that is based on an older one."""

    @property
    def confirmed(self) -> tuple[str, ...]:
        """The addresses that have answered us."""
        return tuple(each.address for each in self.addresses if each.confirmed_at is not None)

    @property
    def reachable(self) -> tuple[str, ...]:
        """The addresses that mail goes to."""
        return () if self.mail_stopped else tuple(each.address for each in self.addresses if each.is_reachable)

    @property
    def is_unreachable(self) -> bool:
        """It is someone who plays and whom no mail reaches."""
        return bool(self.confirmed) and not self.reachable

    @property
    def is_robot(self) -> bool:
        """It is a computer opponent, which has no address but plays all the same."""
        return userid_key(self.userid) in ROBOTS

    @property
    def is_guest(self) -> bool:
        """It is somebody who plays in one browser, without an account."""
        return self.guest_until is not None

    @property
    def is_placeholder(self) -> bool:
        """The account represents a player of an imported game: nobody can act with it or take it over."""
        return not self.addresses and not self.is_robot and not self.is_guest

    @property
    def is_here(self) -> bool:
        """The player can use the account: they have not left, and were not banned."""
        return self.standing in HERE

    @property
    def has_left(self) -> bool:
        """The player has left the server; a banned player stays banned, and cannot return under the same userid."""
        return not self.is_here and not self.addresses and not self.is_robot

    def has_address(self, address: str) -> bool:
        """Return True if the address is one of the player's, confirmed or not."""
        return any(address_key(each.address) == address_key(address) for each in self.addresses)

    def address(self, address: str) -> Address | None:
        """The one of the player's addresses that is spelled so, or nearly so."""
        return next((each for each in self.addresses if address_key(each.address) == address_key(address)), None)

    def confirm(self, address: str, now: datetime) -> Player:
        """The player with this address confirmed: an answer has come from there, so mail arrives, too."""
        return self._with(address, lambda each: replace(each.lifted, confirmed_at=each.confirmed_at or now))

    def suppress(self, address: str, now: datetime, why: str | None) -> Player:
        """The player with nothing mailed to this address any more; of a long reason its beginning is kept."""
        kept = why[:_LONGEST_WHY] if why else None
        return self._with(address, lambda each: replace(each, suppressed_at=now, suppressed_why=kept))

    def lift(self, address: str) -> Player:
        """The player with mails going to this address again."""
        return self._with(address, lambda each: each.lifted)

    def _with(self, address: str, change: Callable[[Address], Address]) -> Player:
        key = address_key(address)
        changed = tuple(change(each) if address_key(each.address) == key else each for each in self.addresses)
        return replace(self, addresses=changed)


_FIRST_TURNS = 2
"""Rules may tell the first turns from later ones: one tile fewer, or a swap."""


def fingerprint(game: Game[Any, Any], position: Position[Any]) -> str:
    """A key that positions of a game share if they are alike by its symmetries, so that advice for one helps in all.

    The number of turns that led there does not matter, nor does a swap among them.
    """
    more = position.ply - _FIRST_TURNS
    if more > 0:
        position = replace(position, ply=_FIRST_TURNS, first=position.first + more)
    return blake2b(game.canonical(position).key.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """Which boards in play are looked for: those that may stand as a game stood once."""

    game: str
    anybodys: Collection[str]
    """The fingerprints of positions for which all boards are looked through."""
    players: Collection[str]
    """Those for which the boards of one player are."""
    player: PlayerId
    records: Collection[TurnRecord]
    """The turns of the game: boards that nobody has moved at since there are fingerprints are found by their last."""


_OF_ONE_LINE, _OF_ONE_SITE = 64, 48
"""Bits of IPv6 addresses that those of one line, and those of all lines of one customer, have in common."""
_LONGEST = 64

SITE_SHARE = 4
"""The share of a whole site, as a multiple of one line's."""


class Network(NamedTuple):
    """Addresses that are counted together."""

    name: str
    share: int
    """Their share, as a multiple of one host's."""


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
    """The numbers of clients from each host at the moment.

    Args:
        most: in all.
        of_one_host: the most from one.
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
        """No more are allowed."""
        return self._all >= self._most

    def has_place_for(self, host: str) -> bool:
        """Return True if one more from a host may come, as far as that host is concerned."""
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
