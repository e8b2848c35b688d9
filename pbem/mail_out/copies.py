"""A mail that is sent once more: its bytes, under a head that says so."""

from __future__ import annotations

from collections.abc import Mapping
from email import message_from_bytes, policy

_BREAK = b"\r\n"


def copied(raw: bytes, fresh: Mapping[str, str]) -> bytes:
    """A mail of ours with some headers replaced or added; the body stays as it is, byte for byte.

    Args:
        raw: the mail, each header on one line, as we write them.
        fresh: the new values by name.
    """
    head, gap, body = raw.partition(2 * _BREAK)
    names = {name.lower() for name in fresh}
    kept = [line for line in head.split(_BREAK) if line.partition(b":")[0].decode().lower() not in names]
    made = [f"{name}: {value}".encode() for name, value in fresh.items()]
    return _BREAK.join([*kept, *made]) + gap + body


def subject_of(raw: bytes) -> str | None:
    """The Subject of a mail of ours, in words."""
    subject = message_from_bytes(raw.partition(2 * _BREAK)[0], policy=policy.default)["Subject"]
    return None if subject is None else str(subject)
