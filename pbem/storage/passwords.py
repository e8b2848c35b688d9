"""Password hashes: argon2id, dear in memory as well as in time (RFC 9106); a right one is remembered for a while."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from threading import BoundedSemaphore, Lock
from typing import Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MOST_AT_ONCE = 2
"""Hashes that are reckoned at a time, since each takes memory; who comes then waits."""

MOST_REMEMBERED = 4096
"""Passwords that are remembered at once; then the one that was verified longest ago is forgotten."""


class Passwords(Protocol):
    """Hashes passwords so that finding one from its hash is dear."""

    def hash(self, password: str) -> str:
        """A salted hash of the password."""

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether the password is the one; costs the same time when there is no hash."""


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
        """Whether the password is the one; without a hash it takes as long and is False."""
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
        """Whether the password is the one; without a hash, or if it is wrong, it takes as long as ever."""
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
