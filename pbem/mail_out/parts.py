"""What a mail consists of: text, HTML with its pictures, a file.

The parts are written as they travel: all that is in them is ours to choose, but for the text, which is encoded, and
the name of a file, which `email` writes.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Callable
from email.message import Message
from email.quoprimime import body_encode
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from pbem.domain.notices import Attachment
from pbem.mail_out.header_lines import LONGEST_LINE
from pbem.wording.mails import Picture, Words


class MailPart(NamedTuple):
    """A part of a mail."""

    head: bytes
    """The lines that tell what it is."""
    body: bytes

    @property
    def whole(self) -> bytes:
        """As it stands between boundaries."""
        return self.head + _BREAK + self.body


_BREAK = b"\r\n"
_ANY_BREAK = re.compile("\r\n|\r|\n")
_LONGEST_ENCODED = 76
"""Characters of a line of quoted-printable (RFC 2045 s 6.7)."""
_MISTAKEN = re.compile(r"^(?:F(?=rom )|-(?=-$))", re.MULTILINE)
"""The first letter of a line that mail programs would take for something else."""

_PICTURES = 16
"""Pictures that are kept encoded: a board is mailed to all its players at once."""


def content(words: Words, attachment: Attachment | None, boundary: str) -> MailPart:
    """All that stands below the headers of a mail.

    Args:
        words: the text, and perhaps HTML beside it or alone.
        attachment: a file to go with it.
        boundary: what no line of the content is; a number is put behind it for each level.
    """
    number = count()

    def several(subtype: str, *parts: MailPart) -> MailPart:
        return _multipart(subtype, parts, f"{boundary}.{next(number)}")

    said = _said(words, several)
    return said if attachment is None else several("mixed", said, _file(attachment))


def _said(words: Words, several: Callable[..., MailPart]) -> MailPart:
    """The text, the HTML, or both: who reads mail chooses among alternatives (RFC 2046 s 5.1.4)."""
    if words.html is None:
        return _text(words.body, "plain")
    page = _text(words.html, "html")
    if words.pictures:
        page = several('related; type="text/html"', page, *map(_picture, words.pictures))  # RFC 2387 s 3.1
    return page if words.html_alone else several("alternative", _text(words.body, "plain"), page)


def _text(text: str, subtype: str) -> MailPart:
    if text.isascii() and max(map(len, text.split("\n"))) <= LONGEST_LINE:
        return _part(f'text/{subtype}; charset="us-ascii"', "7bit", text)
    return _part(f'text/{subtype}; charset="utf-8"', "quoted-printable", _quoted_printable(text))


def _quoted_printable(text: str) -> str:
    """The text encoded; the lines that folding makes are tidy too, as the text was before."""
    room_to_escape = 2
    as_characters = text.encode().decode("latin-1")  # the encoder wants a character for each byte
    encoded = body_encode(as_characters, _LONGEST_ENCODED - room_to_escape)
    return _MISTAKEN.sub(lambda first: f"={ord(first[0]):02X}", encoded)


@lru_cache(maxsize=_PICTURES)
def _picture(picture: Picture) -> MailPart:
    more = f"Content-ID: <{picture.cid}>", "Content-Disposition: inline"
    return MailPart(_head("image/png", "base64", *more), _base64(picture.content))


def _file(attachment: Attachment) -> MailPart:
    named: Message[str, str] = Message()
    named.add_header("Content-Disposition", "attachment", filename=attachment.name)
    more = f"Content-Disposition: {named['Content-Disposition']}"
    return MailPart(_head(attachment.content_type, "base64", more), _base64(attachment.content))


def _base64(content: bytes) -> bytes:
    encoded = b2a_base64(content, newline=False)
    lines = (encoded[start : start + _LONGEST_ENCODED] + _BREAK for start in range(0, len(encoded), _LONGEST_ENCODED))
    return b"".join(lines)


def _multipart(subtype: str, parts: tuple[MailPart, ...], boundary: str) -> MailPart:
    mark = f"--{boundary}".encode()
    lines = [each for part in parts for each in (mark, part.whole)]
    return MailPart(
        f'Content-Type: multipart/{subtype}; boundary="{boundary}"\r\n'.encode(),
        _BREAK.join((*lines, mark + b"--", b"")),
    )


def _part(content_type: str, encoding: str, payload: str) -> MailPart:
    breaks = payload.replace("\n", "\r\n") if "\r" not in payload else _ANY_BREAK.sub("\r\n", payload)
    return MailPart(_head(content_type, encoding), breaks.encode("ascii"))


def _head(content_type: str, encoding: str, *more: str) -> bytes:
    lines = f"Content-Type: {content_type}", f"Content-Transfer-Encoding: {encoding}", *more
    return b"".join(line.encode("ascii") + _BREAK for line in lines)
