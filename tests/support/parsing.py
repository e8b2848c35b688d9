"""Mails of ours, read once and not again at each look: the library parses a header anew whenever it is asked for."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from functools import lru_cache


class _Known(HeaderRegistry):
    """Parses a header unless it has done so before."""

    def __init__(self) -> None:
        super().__init__()
        self._parsed = lru_cache(maxsize=10_000)(super().__call__)

    def __call__(self, name: str, value: str) -> BaseHeader:
        return self._parsed(name, value)


_POLICY = policy.default.clone(header_factory=_Known())


@lru_cache(maxsize=1000)
def parsed(raw: bytes) -> EmailMessage:
    """A mail, parsed; not to be changed."""
    message = message_from_bytes(raw, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    return message
