"""Password hashes: argon2id, dear in memory as well as in time (RFC 9106)."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """Hashes and verifies.

    Args:
        memory_kib: memory of one hash, in KiB.
        rounds: passes over that memory.
    """

    def __init__(self, memory_kib: int, rounds: int) -> None:
        self._hasher = PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=1)
        self._nobodys = self._hasher.hash("")

    def hash(self, password: str) -> str:
        """A salted hash of the password."""
        return self._hasher.hash(password)

    def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether the password is the one; without a hash it takes as long and is False."""
        try:
            self._hasher.verify(password_hash or self._nobodys, password)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None
