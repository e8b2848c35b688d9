"""Raw bytes → a tree of MIME parts, within limits that keep the parser from being led astray."""

from __future__ import annotations

import re
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from email.policy import Policy, compat32
from typing import Any

from pbem.errors import PbemError
from pbem.mail_in.keys import split_letter

LONGEST_HEAD = 65536
"""Bytes of all header fields of a letter together."""
LONGEST_FIELD = 8192
LONGEST_SUBJECT = 18_432
"""A player's move of absurd length, encoded, is still refused as a move."""
LONGEST_OF_PART = 4096
"""Of a field that describes a part; reading its parameters takes the square of its length."""
MOST_FIELDS = 200
MOST_PARTS = 50
DEEPEST = 10
"""Levels of parts in parts. The parser calls itself for each, and looks at each line once for each."""
LIMITS = {
    "LongHeader": LONGEST_FIELD,
    "LongHead": LONGEST_HEAD,
    "TooManyFields": MOST_FIELDS,
    "TooManyParts": MOST_PARTS,
    "TooDeep": DEEPEST,
}
"""What each error of a letter that is over a limit is about."""

_A_CHARACTER_EACH = "latin-1"
_PARAMETER = re.compile(r';\s*([a-z0-9-]{1,40})\s*=\s*(?:"([^"]*)"|([^\s;"]*))', re.IGNORECASE)
_PARTING = re.compile(
    rb"^--([^\s]{1,70}?)(--)?[ \t]*\r?$|boundary[ \t]*=[ \t]*\"?([^\"\s;]{1,70})", re.IGNORECASE | re.MULTILINE
)
"""A line between parts, or behind the last of them; where it is said what these lines are."""
_FIELD = re.compile(rb"[!-9;-~]+:")
_FOLDER_LINE = re.compile(rb"From [^\s:]")

TOO_SLOW, READER_DIED = "TooSlow", "ReaderDied"
"""Errors that may be the machine's rather than the letter's."""


class UnreadableLetter(PbemError):
    """A letter that was given up; not a player's error, since nobody writes such letters by hand."""

    @property
    def is_final(self) -> bool:
        """Whether the letter could not be read another time either."""
        return self.facts.get("error") not in (TOO_SLOW, READER_DIED)


class LetterPart(Message):
    """A letter or a part of one; making one that is over a limit fails while the letter is still being parsed."""

    def __init__(self, policy: Policy[Any] = compat32) -> None:
        super().__init__(policy)
        self._depth = 1
        self._fields = 0

    def attach(self, payload: Any) -> None:
        """Take in a part, unless it lies too deep."""
        payload._depth = self._depth + 1  # noqa: SLF001 - another of our kind
        if payload._depth > DEEPEST:  # noqa: SLF001
            raise UnreadableLetter(error="TooDeep")
        super().attach(payload)

    def set_raw(self, name: str, value: str) -> None:
        """Take in a header field, unless it is too long or there are too many."""
        self._fields += 1
        if self._fields > MOST_FIELDS:
            raise UnreadableLetter(error="TooManyFields")
        if len(value) > _longest(name) or (self._depth > 1 and len(value) > _longest_of_part(name)):
            raise UnreadableLetter(error="LongHeader")
        super().set_raw(name, value)

    def get_param(self, param: str, failobj: Any = None, header: str = "content-type", unquote: bool = True) -> Any:
        """A parameter as the library asks for it, which decodes by any codec of Python that is named, and may fail.

        For the library each byte is a character, whatever charset is named; `parameter` tells which one is.
        """
        if param == "charset":
            return _A_CHARACTER_EACH
        found = super().get_param(param, failobj, header, unquote)
        return found[2] if isinstance(found, tuple) else found  # charset, language and text of RFC 2231

    @property
    def encoded(self) -> bytes:
        """What a part that is made of words holds, its transfer encoding still on it."""
        return str(self.get_payload()).encode(_A_CHARACTER_EACH, "replace")

    def parameter(self, name: str, header: str = "Content-Type") -> str | None:
        """A parameter of a header; read in one go, however long it is."""
        value = str(self.get(header, ""))
        found = (match for match in _PARAMETER.finditer(value) if match[1].lower() == name)
        return next((match[2] if match[2] is not None else match[3] for match in found), None)

    @property
    def inner(self) -> list[LetterPart]:
        """The parts that it is made of; none where it is made of words."""
        payload = self.get_payload()
        return [part for part in payload if isinstance(part, LetterPart)] if isinstance(payload, list) else []


def parse(raw: bytes) -> LetterPart:
    """Parse a letter.

    Raises:
        UnreadableLetter: it is over a limit.
    """
    _check_head(raw)
    return message_from_bytes(raw, _counted())


def check_shape(raw: bytes) -> None:
    """See whether a letter is of a shape that nobody can read, without parsing it: its head, parts within parts.

    What is nested is guessed by the lines that part it, read once; whatever passes is looked at when it is parsed.

    Raises:
        UnreadableLetter: it is over a limit.
    """
    _check_head(raw)
    if raw.lower().count(b"boundary") <= DEEPEST:  # as in nearly all letters
        return
    depths: dict[bytes, int] = {}
    present = 0
    for found in _PARTING.finditer(raw):
        line, end, declared = found.groups()
        if declared is not None:
            depths[declared] = present + 1
        elif line in depths:
            present = depths[line] - (end is not None)
            if present > DEEPEST:
                raise UnreadableLetter(error="TooDeep")


def _check_head(raw: bytes) -> None:
    fields, _ = split_letter(raw)
    if len(fields) > MOST_FIELDS:
        raise UnreadableLetter(error="TooManyFields")
    names = (field[:80].partition(b":")[0].decode("ascii", "replace") for field in fields)
    if any(len(field) > _longest(name) for name, field in zip(names, fields, strict=True)):
        raise UnreadableLetter(error="LongHeader")
    if sum(map(len, fields)) > LONGEST_HEAD:
        raise UnreadableLetter(error="LongHead")


def is_sound(raw: bytes) -> bool:
    """Whether each line of the head is a field or goes on with one (RFC 5322 s 2.2), so that all read it alike.

    Python's parser takes the first line that is none for the end of the head, and a bare CR for the end of a line;
    others do not. The line that mail folders begin with may stand first.
    """
    fields, _ = split_letter(raw)
    head = fields[1:] if not fields[0] or _FOLDER_LINE.match(fields[0]) else fields
    return all(_FIELD.match(field) and b"\r" not in field for field in head)


def _counted() -> Callable[..., LetterPart]:
    """Make parts of one letter, not too many."""
    made = 0

    def make(policy: Policy[Any] = compat32) -> LetterPart:
        nonlocal made
        made += 1
        if made > MOST_PARTS + 2:  # one is the letter itself, one is made by the parser to see how it is done
            raise UnreadableLetter(error="TooManyParts")
        return LetterPart(policy)

    return make


def _longest(name: str) -> int:
    return LONGEST_SUBJECT if name.strip().lower() == "subject" else LONGEST_FIELD


def _longest_of_part(name: str) -> int:
    return LONGEST_OF_PART if name.lower().startswith("content-") else LONGEST_SUBJECT
