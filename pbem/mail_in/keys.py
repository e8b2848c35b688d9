"""What a letter is recognised by when it is transmitted again.

Nothing is parsed before a letter is safe, so this reads the head of the raw bytes
line by line and no further. ``Received`` lines differ between transmissions; the
headers named here do not.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.domain.letters import Envelope

_NAMED = frozenset(
    (
        b"from",
        b"to",
        b"cc",
        b"subject",
        b"date",
        b"message-id",
        b"in-reply-to",
        b"references",
        b"mime-version",
    )
)


def split_letter(raw: bytes) -> tuple[list[bytes], bytes]:
    """The header fields of a letter, each with its folded lines, and its body."""
    unix = raw.replace(b"\r\n", b"\n")
    head, _, body = unix.partition(b"\n\n")
    fields: list[list[bytes]] = []
    for line in head.split(b"\n"):
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1].append(line)
        else:
            fields.append([line])
    return [b"\n".join(lines) for lines in fields], body


def letter_key(raw: bytes, envelope: Envelope) -> tuple[str, bool]:
    """The key of a letter, and whether the letter has a Message-ID.

    A letter that has one is the same whoever it is brought for: an MTA may hand it over once for each of our
    addresses. Of a report, which has the null sender, the address that it comes to says what it is about. Without a
    Message-ID it is the same only from the same sender to the same addresses.
    """
    fields, body = split_letter(raw)
    digest = hashlib.sha256()
    has_message_id = False
    for field in fields:
        name, colon, value = field.partition(b":")
        name = name.strip().lower()
        if not colon:
            digest.update(field + b"\n")  # no header: somebody has sent words and nothing else
        if name in _NAMED or name.startswith(b"content-"):
            digest.update(name + b":" + b" ".join(value.split()) + b"\n")
            has_message_id |= name == b"message-id" and bool(value.strip())
    digest.update(b"\n" + body.rstrip())
    if not has_message_id:
        digest.update(b"\0" + envelope.sender.casefold().encode("utf-8", "surrogateescape"))
    if not has_message_id or envelope.sender in ("", "<>"):
        for recipient in sorted({each.casefold() for each in envelope.recipients}):
            digest.update(b"\0" + recipient.encode("utf-8", "surrogateescape"))
    return digest.hexdigest(), has_message_id
