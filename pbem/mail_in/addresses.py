"""Our own addresses, claimed senders, and the keys by which letters are recognised."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from pbem.domain.letters import Envelope


@dataclass(frozen=True)
class OwnAddress:
    """The server's address, and what derives from it."""

    address: str

    @property
    def local(self) -> str:
        """The part before the @."""
        return self.address.partition("@")[0]

    @property
    def domain(self) -> str:
        """The part after the @."""
        return self.address.partition("@")[2]

    def token(self, address: str) -> str | None:
        """The token in an address of ours, ``""`` in the plain one; None if the address is not ours."""
        local, _, domain = address.strip().lower().rpartition("@")
        name, plus, token = local.partition("+")
        if domain != self.domain.lower() or name != self.local.lower():
            return None
        return token if plus else ""

    @cached_property
    def _mentions(self) -> re.Pattern[str]:
        local, domain = re.escape(self.local), re.escape(self.domain)
        plus, before, after = r"(?:\+|%2B|\\\+)", r"(?:<|%3C|(?<![a-z0-9]))", r"(?:>|%3E)?"
        there = rf"(?:@|%40){domain}"
        # Bounded, or a line of "g1.g1.g1." would keep the search busy for minutes. A token is hidden
        # wherever it stands: mail programs write its address with %2B, in links, and over two lines.
        # So they do with Message-IDs.
        return re.compile(
            rf"(?:<?{local}{plus}|(?<![a-z0-9]))[a-z2-7]{{37}}(?![a-z0-9])(?:{there}{after})?"
            rf"|<?{local}{plus}[a-z0-9]{{1,64}}{there}{after}"
            rf"|{before}gc?[0-9]{{1,9}}\.[0-9]{{1,5}}\.[a-z0-9.-]{{1,100}}(?:{there})?{after}"
            rf"|{before}(?:q[mpd]?[0-9]{{1,10}}|m)\.[a-z0-9-]{{1,64}}\.[a-z2-7]{{16,27}}(?![a-z0-9])(?:{there})?{after}"
            rf"|{before}(?:gc?[0-9]{{1,9}}|q[mpd]?[0-9]{{1,10}}|m)\.[\w.-]{{1,100}}+{there}{after}"
            rf"|(?:gc?|q[mpd]?)[0-9]{{1,10}}\.[0-9]{{1,5}}\.(?:[a-z0-9-]{{1,64}}\.)?[a-z2-7]{{16,27}}(?![a-z0-9])"
            rf"|(?<![\w.-])(?:[\w-]{{1,64}}\.)?[a-z2-7]{{16,27}}{there}{after}",
            re.IGNORECASE,
        )

    def hidden_in(self, text: str) -> str:
        """A player's text without the reply addresses and Message-IDs that their mail program quoted."""
        return self._mentions.sub("", text)

    def hidden_in_lines(self, lines: Sequence[str]) -> tuple[str, ...]:
        """The same for lines, over whose ends one may go on."""
        left = list(lines)
        for number, (line, following) in enumerate(pairwise(lines)):
            cut = _folded_at(line)
            for found in self._mentions.finditer(line[:cut] + following.lstrip()):
                if found.start() < cut < found.end():
                    left[number] = left[number][: found.start()]
                    left[number + 1] = following.lstrip()[found.end() - cut :]
        return tuple(map(self.hidden_in, left))


def _folded_at(line: str) -> int:
    """The length of a line that a mail program has broken, without the sign of quoted-printable for it."""
    return len(line.rstrip().removesuffix("="))


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
_ADDRESS = re.compile(rb"(?:^|[<\s])([^<>\s]{1,64}@[^<>\s]{1,255})>?\Z")
_LONGEST_ADDRESS = 400
_OF_MACHINES = frozenset((b"auto-submitted", b"precedence", b"list-id"))
"""A mailing list's copy of a letter, which is ignored, is not the letter."""


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


def claimed_senders(raw: bytes, envelope: Envelope) -> tuple[str, ...]:
    """The addresses that a letter says it is from, in its envelope and in its head; anyone can write them.

    Only plain addresses in the head are seen: nothing is parsed before a letter is safe.
    """
    values = (field.partition(b":")[2] for field in split_letter(raw)[0] if field[:5].lower() == b"from:")
    found = [_ADDRESS.search(value.strip()[-_LONGEST_ADDRESS:]) for value in values]
    said = [match[1].decode("ascii", "replace") for match in found if match]
    return tuple(dict.fromkeys(filter(None, [envelope.sender.removeprefix("<>"), *said[:1]])))


_BOARD = re.compile(rb"(?:^\s*(?:re:\s*)*[a-z]+(?:\s+[a-z]+)?|\bboard)\s+([1-9][0-9]{2,8})\b", re.IGNORECASE)
_LONGEST_NAMING = 400


def board_named(raw: bytes) -> int | None:
    """The board in a Subject like ``superbo move 101 …`` or ``Re: Summary of superbo Board 101``; None if none is.

    It is not known whether that is meant, so it may decide the order of letters, and nothing else.
    """
    values = (field.partition(b":")[2] for field in split_letter(raw)[0] if field[:8].lower() == b"subject:")
    found = _BOARD.search(next(values, b"")[:_LONGEST_NAMING])
    return int(found[1]) if found else None


def letter_key(raw: bytes, envelope: Envelope) -> tuple[str, bool]:
    """The key of a letter, and whether it names the letter for good: it has a Message-ID, or lies in a mailbox.

    A letter that has one is the same whoever it is brought for: an MTA may hand it over once for each of our
    addresses; but what shows that a machine sent it makes it another. Of a report, which has the null sender, the
    address that it comes to says what it is about. Without a Message-ID it is the same only from the same sender to
    the same addresses.
    """
    fields, body = split_letter(raw)
    named = list(_named(fields))
    has_message_id = any(name == b"message-id" and value for name, value in named)
    told = [_line(name, value) for name, value in named]
    told += sorted(field for field in fields if field.partition(b":")[0].strip().lower() in _OF_MACHINES)
    told += [b"\n", body.rstrip()]
    if not has_message_id:
        told.append(b"\0" + envelope.sender.casefold().encode("utf-8", "surrogateescape"))
        told.append(envelope.fetched.encode())
    if not has_message_id or envelope.sender in ("", "<>"):
        told += _recipients(envelope)
    return hashlib.sha256(b"".join(told)).hexdigest(), has_message_id or bool(envelope.fetched)


def key_until_0003(raw: bytes, envelope: Envelope) -> str:
    """The key that a letter had before the database came to revision 0004.

    A letter that was stored before an upgrade may be brought again after it. Not needed any more once no database is
    upgraded that was in use within `pbem.storage.arrivals.KEYS_KEPT` with revision 0003.
    """
    fields, body = split_letter(raw)
    told = [_line(name, value) for name, value in _named(fields) if name]
    return hashlib.sha256(b"".join([*told, b"\n", body.rstrip(), *_recipients(envelope)])).hexdigest()


def _named(fields: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Names and values of the headers that do not change on the way; a field without a name is no header.

    Then the letter is only words.
    """
    for field in fields:
        name, colon, value = field.partition(b":")
        name = name.strip().lower()
        if not colon:
            yield b"", field
        elif name in _NAMED or name.startswith(b"content-"):
            yield name, b" ".join(value.split())


def _line(name: bytes, value: bytes) -> bytes:
    return name + b":" * bool(name) + value + b"\n"


def _recipients(envelope: Envelope) -> list[bytes]:
    keys = sorted({each.casefold() for each in envelope.recipients})
    return [b"\0" + each.encode("utf-8", "surrogateescape") for each in keys]
