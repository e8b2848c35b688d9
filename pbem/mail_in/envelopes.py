"""The envelope of a letter, as the header fields show it that mail systems have written above it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.domain.letters import Envelope
from pbem.mail_in.addresses import OwnAddress, split_letter
from pbem.mail_in.connection_limits import LONGEST_PATH

_NULL = ("", "<>", "mailer-daemon")
"""The ways to write the null sender; the last is that of Postfix's pipe."""
_OF_DELIVERY = (b"x-original-to", b"delivered-to", b"envelope-to", b"x-delivered-to", b"x-envelope-to")
"""The fields into which mail systems write the address that a letter was delivered for."""
_OF_ADDRESSEES = (b"to", b"cc")
_QUOTED_OR_REMARK = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|\([^()]*\)')
_BETWEEN = re.compile("[,;:]")
_LONGEST_LIST = 8192


class HeaderFields:
    """The header fields of a letter, looked at no further than is needed here."""

    def __init__(self, letter: bytes) -> None:
        self._fields = [field.partition(b":")[::2] for field in split_letter(letter)[0]]

    def values(self, name: bytes) -> list[str]:
        """The values of the fields of this name, the topmost first."""
        found = [value for field, value in self._fields if field.strip().lower() == name]
        return [" ".join(value.decode("ascii", "replace").split()) for value in found]

    def addresses(self, name: bytes) -> list[str]:
        """The address in each field of this name, as far as it is written plainly."""
        found = [re.search(r"<([^<>\s]{3,256})>$", value) for value in self.values(name)]
        return [match[1] if match else value for match, value in zip(found, self.values(name), strict=True)]


def read_path(text: str) -> str | None:
    """An address without its angle brackets; ``""`` is the null sender, None is not usable."""
    bare = text.strip()
    if bare.lower() in _NULL:
        return ""
    bare = bare.removeprefix("<").removesuffix(">")
    usable = len(bare) <= LONGEST_PATH and bare.isascii() and bare.isprintable()
    return bare if usable and re.fullmatch(r"[^\s<>]+@[^\s<>@]+", bare) else None


def envelope_in_mailbox(head: bytes, ours: OwnAddress, most_recipients: int) -> Envelope | None:
    """The envelope of a letter that lies in a mailbox; None if the letter is not addressed to us.

    Whoever writes a letter can forge every field. That proves no more than what they may say to an SMTP server: an
    address of ours with a token in it is secret, and the null sender only has the letter answered by nobody.

    Args:
        head: the header fields.
        ours: tells our addresses.
        most_recipients: so many of them are kept.
    """
    fields = HeaderFields(head)
    said = [address for name in _OF_DELIVERY for address in fields.values(name)]
    said += [each for name in _OF_ADDRESSEES for value in fields.values(name) for each in _listed(value)]
    paths = (read_path(each) for each in said)
    known = {path.lower(): path for path in paths if path and ours.token(path) is not None}
    if not known:
        return None
    senders = (read_path(each) for each in (*fields.values(b"return-path"), *fields.addresses(b"from")))
    sender = next((path for path in senders if path is not None), "")
    return Envelope(sender, tuple(known.values())[:most_recipients])


def _listed(value: str) -> Iterator[str]:
    """The addresses of a list, without the names and remarks beside them (RFC 5322 s 3.4)."""
    plain = _QUOTED_OR_REMARK.sub(" ", value[:_LONGEST_LIST])
    for each in _BETWEEN.split(plain):
        before, bracket, address = each.rpartition("<")
        yield address.partition(">")[0] if bracket else before or address
