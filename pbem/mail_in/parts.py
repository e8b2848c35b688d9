"""Parts of a letter within limits, and their charsets."""

from __future__ import annotations

import binascii
import codecs
import re
from bisect import bisect_left
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from email.policy import Policy, compat32
from typing import Any

from pbem.errors import PbemError
from pbem.mail_in.addresses import split_letter

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
"""The limits, by the error of a letter that exceeds them."""

_A_CHARACTER_EACH = "latin-1"
_PARAMETER = re.compile(r';\s*([a-z0-9-]{1,40})\s*=\s*(?:"([^"]*)"|([^\s;"]*))', re.IGNORECASE)
_NESTING = re.compile(
    rb"^--([^\s]{1,70}?)(--)?[ \t]*\r?$|boundary[ \t]*=[ \t]*\"?([^\"\s;]{1,70})|^content-type[ \t]*:\s*(message)/",
    re.IGNORECASE | re.MULTILINE,
)
"""A line between parts, or behind the last of them; where it is said what these lines are; a letter as a part."""
_EMPTY_LINE = re.compile(rb"\n(?=\r?\n)")
_FIELD = re.compile(rb"[!-9;-~]+:")
_FOLDER_LINE = re.compile(rb"From [^\s:]")

_LONGEST_PLAIN, _LONGEST_PLAIN_HEAD = 16_384, 8192
"""Bytes of a plain letter, and of its head; a move on a quoted board takes some five thousand."""
_LONGEST_PLAIN_LINE, _MOST_PLAIN_LINES = 400, 400
"""Bytes; looking for quotes and footers may take the square of a line's length."""
_PLAIN_FIELD = re.compile(rb"[!-9;-~]{1,80}:(?:[\t -~]|\r?\n(?=[\t ])){0,2000}")
_PLAIN_CONTENT = re.compile(
    rb"content-(?:type:\s*text/plain(?:;\s*(?:charset=\"?(?:us-ascii|utf-8)\"?|format=\"?flowed\"?|delsp=\"?(?:yes|no)\"?))*"
    rb"|transfer-encoding:\s*[78]bit|language:[ a-z,-]{0,60})\s*",
    re.IGNORECASE,
)
_ENCODED = b"=?"

TOO_SLOW, READER_DIED = "TooSlow", "ReaderDied"
"""Errors that may be the machine's rather than the letter's."""


class UnreadableLetter(PbemError):
    """A letter that was given up; not a player's error, since nobody writes such letters by hand."""

    @property
    def is_final(self) -> bool:
        """The letter cannot be read another time either."""
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
        """The content of a text part, still transfer-encoded."""
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

    What is nested is guessed by the lines that part it, and by the heads of letters that are parts, read once;
    whatever passes is looked at when it is parsed.

    Raises:
        UnreadableLetter: it is over a limit.
    """
    _check_head(raw)
    lower = raw.lower()
    if lower.count(b"boundary") + lower.count(b"message/") < DEEPEST:  # as in nearly all letters
        return
    empty_lines = [found.end() for found in _EMPTY_LINE.finditer(raw)]

    def end_of_head(start: int) -> int:
        """The empty line that ends the head which begins there."""
        at = bisect_left(empty_lines, start)
        return empty_lines[at] if at < len(empty_lines) else len(raw)

    depths: dict[bytes, int] = {}
    depth, head_end = 1, end_of_head(0)
    for found in _NESTING.finditer(raw):
        line, end, declared, letter = found.groups()
        if letter is not None and found.start() < head_end:
            depth, head_end = depth + 1, end_of_head(head_end + 1)
        elif declared is not None:
            depths[declared] = depth + (2 if _is_digest(raw, found.start()) else 1)
        elif line in depths:
            depth, head_end = depths[line] - (end is not None), end_of_head(found.end())
        if depth > DEEPEST:
            raise UnreadableLetter(error="TooDeep")


def _is_digest(raw: bytes, boundary: int) -> bool:
    """Return True if a boundary is that of a digest, each part of which is a letter (RFC 2046 s 5.1.5)."""
    return b"digest" in raw[max(0, boundary - 200) : boundary].lower().rpartition(b"content-type")[2]


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
    """Return True if each line of the head is a field or continues one (RFC 5322 s 2.2), so that all read it alike.

    Python's parser takes the first line that is not a field for the end of the head, and a bare CR for the end of a
    line; others do not. The line that mail folders begin with may come first.
    """
    fields, _ = split_letter(raw)
    head = fields[1:] if not fields[0] or _FOLDER_LINE.match(fields[0]) else fields
    return all(_FIELD.match(field) and b"\r" not in field for field in head)


def is_plain(raw: bytes) -> bool:
    """Return True if a letter is short, of one part, in plain text, with a head that all read alike.

    No charset but UTF-8 has to be decoded for it, and no part be found. So it cannot lead a library astray, and may
    be read where others need a process of their own.
    """
    if len(raw) > _LONGEST_PLAIN:
        return False
    fields, body = split_letter(raw)
    if len(fields) > MOST_FIELDS or sum(map(len, fields)) > _LONGEST_PLAIN_HEAD:
        return False
    return all(map(_is_plain_field, fields)) and _is_plain_body(body)


def _is_plain_field(field: bytes) -> bool:
    if _PLAIN_FIELD.fullmatch(field) is None or _ENCODED in field:
        return False
    return field[:8].lower() != b"content-" or _PLAIN_CONTENT.fullmatch(field) is not None


def _is_plain_body(body: bytes) -> bool:
    lines = body.split(b"\n")
    if len(lines) > _MOST_PLAIN_LINES or max(map(len, lines)) > _LONGEST_PLAIN_LINE:
        return False
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return False
    return text.replace("\r\n", "").replace("\n", "").replace("\t", "").isprintable()


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


_ALIASES = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "hz-gb-2312": "hz",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
}
_WESTERN = frozenset(("ascii", "iso8859-1", "cp1252"))
"""The charsets that mail programs write when they do not know: it may be any of these, or UTF-8."""
_NO_CHARSETS = frozenset(("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"))
"""Codecs that are no charsets of mail; some take the square of the length."""
_LABEL = re.compile(r"[a-z0-9_.:-]{1,40}")
_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bq])\?([^?]*)\?=", re.IGNORECASE)
"""An encoded word (RFC 2047, the language of RFC 2231 on it), blanks within it allowed as some programs write them."""
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")


def decoded(data: bytes, label: str | None) -> str:
    """The text of some bytes: by their label if that can be, else as UTF-8, else as Latin letters."""
    name = _codec(label)
    if name in _WESTERN or name is None or (name.startswith(("utf-16", "utf-32")) and _is_ascii(data)):
        return _guessed(data)
    if name == "utf-16" and data[:1] == b"\0":
        name = "utf-16-be"  # without a mark that is how it is sent (RFC 2781 s 4.3), but not how Python takes it
    for each in (name, "utf-8"):
        try:
            return data.decode(each)
        except UnicodeError:
            continue
    return _mended(data, name)


def _mended(data: bytes, name: str) -> str:
    """The text by its label, what is broken replaced; or what it may be if all but ASCII is broken."""
    try:
        text = data.decode(name, "replace")
    except UnicodeError:
        return _guessed(data)
    return text if any("\x7f" < each != "\ufffd" for each in text) else _guessed(data)


def _codec(label: str | None) -> str | None:
    """Python's name of a charset; None if there is none such."""
    text = (label or "").strip().strip("'\"").lower()
    if not _LABEL.fullmatch(text):
        return None
    try:
        name = codecs.lookup(_ALIASES.get(text, text)).name
        bytes(4).decode(name, "replace")  # fails for what makes no text of bytes
    except (LookupError, ValueError, ImportError):
        return None
    return None if name.replace("-", "_") in _NO_CHARSETS else name


def _is_ascii(data: bytes) -> bool:
    return data.isascii() and b"\0" not in data


def _guessed(data: bytes) -> str:
    for name in ("utf-8", "cp1252"):
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def unbase64(data: bytes) -> bytes:
    """The bytes behind base64: what does not belong there is skipped, padding may be missing or stand in between."""
    return b"".join(_unpadded(each) for each in _NOT_BASE64.sub(b"", data).split(b"=") if each)


def _unpadded(data: bytes) -> bytes:
    whole = data[:-1] if len(data) % 4 == 1 else data
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def decoded_header(value: str) -> str:
    """The text of a header, its encoded words decoded; bytes above ASCII stand in ``value`` as surrogates.

    Words that follow each other belong together, a character may begin in one and end in the next.
    """
    unfolded = re.sub(r"\r?\n(?=[ \t])|\r?\n\Z", "", value)
    pieces: list[tuple[str | None, bytes]] = []
    end = 0
    for word in _WORD.finditer(unfolded):
        between = unfolded[end : word.start()]
        if between.strip() or end == 0:
            pieces.append((None, _bytes(between)))
        charset, data = word[1].lower(), _word_bytes(word)
        if pieces and pieces[-1][0] == charset:
            data = pieces.pop()[1] + data
        pieces.append((charset, data))
        end = word.end()
    pieces.append((None, _bytes(unfolded[end:])))
    return "".join(decoded(data, charset) for charset, data in pieces)


def _word_bytes(word: re.Match[str]) -> bytes:
    data = _bytes(word[3])
    return unbase64(data) if word[2] in "bB" else binascii.a2b_qp(data, header=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
