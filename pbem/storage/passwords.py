"""Password hashes (argon2id, RFC 9106), wrong passwords, and where right ones came from."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from threading import BoundedSemaphore, Lock
from typing import NamedTuple, Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, bindparam, delete, func, insert, null, select, text, union_all

from pbem.errors import Conflict
from pbem.ids import PlayerId
from pbem.storage.models import FamiliarSourceRow, WrongPasswordRow
from pbem.storage.prepared import Prepared
from pbem.storage.repository import Repository

MOST_AT_ONCE = 2
"""Hashes that are reckoned at a time, since each takes memory; who comes then waits."""

MOST_REMEMBERED = 4096
"""Passwords that are remembered at once; then the one that was verified longest ago is forgotten."""


class Passwords(Protocol):
    """Hashes passwords so that finding one from its hash is dear."""

    def hash(self, password: str) -> str:
        """A salted hash of the password."""

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Return True if the password is right; costs the same time when there is no hash."""


class Argon2Passwords:
    """Hashes and verifies.

    Args:
        memory_kib: memory of one hash, in KiB.
        rounds: passes over that memory.
    """

    def __init__(self, memory_kib: int, rounds: int) -> None:
        self._hasher = PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=1)
        self._turn = BoundedSemaphore(MOST_AT_ONCE)
        self._nobodys = self._hasher.hash("")

    def hash(self, password: str) -> str:
        """A salted hash of the password."""
        with self._turn:
            return self._hasher.hash(password)

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Return True if the password is right; without a hash it takes as long and is False."""
        try:
            with self._turn:
                self._hasher.verify(password_hash or self._nobodys, password)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None


class RememberedPasswords:
    """Knows a password that has been right lately without reckoning its hash again.

    Kept are neither passwords nor anything that they could be guessed from outside this process: hashes with a key of
    its own, of password and stored hash together. So another password ends it at once, and a wrong one is never there.

    Args:
        passwords: verify what is not remembered.
        seconds: how long a password is remembered after its hash was reckoned; 0: not at all.
        clock: seconds that only grow.
    """

    def __init__(self, passwords: Passwords, seconds: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._passwords = passwords
        self._seconds = seconds
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._ends: OrderedDict[bytes, float] = OrderedDict()
        self._lock = Lock()

    def hash(self, password: str) -> str:
        """A salted hash of the password."""
        return self._passwords.hash(password)

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Return True if the password is right; without a hash, or if it is wrong, it takes as long."""
        if password_hash is None or not self._seconds:
            return self._passwords.verify(password, password_hash)
        hashed = self._hashed(password, password_hash)
        if self._remembers(hashed):
            return True
        is_right = self._passwords.verify(password, password_hash)
        if is_right:
            self._remember(hashed)
        return is_right

    def _hashed(self, password: str, password_hash: str) -> bytes:
        inner = blake2b(password.encode("utf-8", "surrogatepass"), key=self._key).digest()
        return blake2b(inner + password_hash.encode("utf-8", "surrogatepass"), key=self._key).digest()

    def _remembers(self, hashed: bytes) -> bool:
        with self._lock:
            return self._clock() < self._ends.get(hashed, 0)

    def _remember(self, hashed: bytes) -> None:
        with self._lock:
            now = self._clock()
            self._ends.pop(hashed, None)
            self._ends[hashed] = now + self._seconds
            oldest = next(iter(self._ends))
            while len(self._ends) > MOST_REMEMBERED or self._ends[oldest] <= now:
                del self._ends[oldest]
                oldest = next(iter(self._ends))


_NOBODY = 0
"""No player has this id."""
_LATELY = Prepared(
    union_all(
        select(WrongPasswordRow.at, WrongPasswordRow.userid, WrongPasswordRow.source)
        .where(
            WrongPasswordRow.userid.in_([bindparam("userid"), bindparam("other_userid")])
            | WrongPasswordRow.source.in_([bindparam("source"), bindparam("other_source")])
        )
        .where(WrongPasswordRow.at > bindparam("since")),
        select(FamiliarSourceRow.used_at, null(), FamiliarSourceRow.source)
        .where(FamiliarSourceRow.player_id == bindparam("player"))
        .where(FamiliarSourceRow.source.in_([bindparam("source"), bindparam("other_source")])),
    ).order_by("at")
)
"""One question, since every letter with a password asks it; of one shape, which takes least to send."""


@dataclass(frozen=True, slots=True)
class WrongAttempt:
    """That a password was wrong: when, and by fingerprints for which userid and from which source."""

    at: datetime
    userid: str
    """Of one that came from a familiar source: the userid and the source together."""
    source: str


class TriedLately(NamedTuple):
    """The recent attempts with passwords like the given one."""

    wrong: Sequence[WrongAttempt]
    """Those that were wrong, oldest first."""
    right_at: datetime | None
    """When a right one last came from the same source, to a few days; None: never."""


class MostWrong(NamedTuple):
    """The numbers of wrong passwords that are allowed before passwords are no longer looked at."""

    of_userid: int | None
    of_source: int | None
    """None: they do not count."""


def _two(names: Sequence[str]) -> tuple[str | None, str | None]:
    first, second = [*names, None, None][:2]
    return first, second


class WrongPasswordRepository(Repository[int, WrongAttempt]):
    """Wrong passwords; letters handled at once do not see each other's, but what is reserved sees all."""

    _notes = ("saved", "_reserved", "_right", "_familiar")

    def __init__(self, connect: Callable[[], Connection]) -> None:
        super().__init__(connect)
        self._reserved: tuple[tuple[WrongAttempt, datetime, MostWrong], ...] = ()
        self._right: tuple[WrongAttempt, ...] = ()
        self._familiar: dict[tuple[PlayerId, str], datetime] = {}

    def lately(
        self, userids: Sequence[str], sources: Sequence[str], player: PlayerId | None, since: datetime
    ) -> TriedLately:
        """Those since a moment, and when a right password of the player last came from one of the sources.

        At most two userids are looked for, and two sources.
        """
        (userid, other_userid), (source, other_source) = _two(userids), _two(sources)
        values = {
            "userid": userid,
            "other_userid": other_userid,
            "source": source,
            "other_source": other_source,
            "player": _NOBODY if player is None else player,
            "since": since,
        }
        found = _LATELY.rows(self._connect(), values)
        stored = [WrongAttempt(row.at, row.userid, row.source) for row in found if row.userid is not None]
        mine = [each for each in self.saved.values() if each.userid in userids or each.source in sources]
        used = [row.at for row in found if row.userid is None]
        used += [at for (known, source), at in self._familiar.items() if known == player and source in sources]
        return TriedLately([*stored, *mine], max(used, default=None))

    def add(self, attempt: WrongAttempt) -> None:
        """Note one; it counts even if all else that the letter wanted is refused."""
        self.saved[len(self.saved)] = attempt

    def reserve(self, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
        """Note one before it is known whether it is wrong; decided anew if others have taken the last place."""
        self.add(attempt)
        self._reserved = (*self._reserved, (attempt, since, most))

    def take_back(self, attempt: WrongAttempt) -> None:
        """Forget one that was right after all."""
        self._right = (*self._right, attempt)

    def make_familiar(self, player: PlayerId, source: str, now: datetime) -> None:
        """Note that a right password of a player came from a source."""
        self._familiar[player, source] = now

    def write(self, connection: Connection) -> None:
        """Write what was noted.

        Raises:
            Conflict: others have taken the places of what was reserved.
        """
        if self._reserved and connection.dialect.name != "sqlite":  # there only one writes at a time
            connection.execute(text("LOCK TABLE wrong_passwords IN SHARE ROW EXCLUSIVE MODE"))
        for attempt, since, most in self._reserved:
            _check_room(connection, attempt, since, most)
        for attempt in self._right:
            _forget(connection, attempt)
        rows = [{"at": each.at, "userid": each.userid, "source": each.source} for each in self.saved.values()]
        if rows:
            connection.execute(insert(WrongPasswordRow), rows)
        for (player, source), used_at in self._familiar.items():
            row = FamiliarSourceRow
            connection.execute(delete(row).where(row.player_id == player, row.source == source))
            connection.execute(insert(row).values(player_id=player, source=source, used_at=used_at))


def _check_room(connection: Connection, attempt: WrongAttempt, since: datetime, most: MostWrong) -> None:
    row = WrongPasswordRow
    limits = ((row.userid == attempt.userid, most.of_userid), (row.source == attempt.source, most.of_source))
    for same, limit in limits:
        query = select(func.count()).select_from(row).where(same, row.at > since)
        if limit is not None and (connection.scalar(query) or 0) >= limit:
            raise Conflict(wrong_passwords=limit)


def _forget(connection: Connection, attempt: WrongAttempt) -> None:
    row = WrongPasswordRow
    this = (row.at == attempt.at) & (row.userid == attempt.userid) & (row.source == attempt.source)
    first = select(func.min(row.id)).where(this).scalar_subquery()
    connection.execute(delete(row).where(row.id == first))
