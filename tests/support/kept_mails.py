"""The words of mails that were sent."""

from __future__ import annotations

from pbem.storage.packed_mails import unpack


def words_of_kept(packed: bytes) -> bytes:
    """A mail as the outbox keeps it, without pictures of stored positions."""
    words = unpack(packed, lambda _source: b"")
    assert words is not None
    return words
