"""What a mail consists of: text, HTML with its pictures, a file.

The parts are plain `Message` objects: their headers are ours and need none of the parsing with which
`EmailMessage` checks every header that it is given, at several times the cost of the whole mail.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from email.message import Message
from email.quoprimime import body_encode
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.notices import Attachment
    from pbem.wording.mails import Picture, Words

Part: TypeAlias = "Message[str, str]"

LONGEST_LINE = 998
"""Characters of a line (RFC 5322 s 2.1.1)."""

_LONGEST_ENCODED = 76
"""Characters of a line of quoted-printable (RFC 2045 s 6.7)."""
_MISTAKEN = re.compile(r"^(?:F(?=rom )|-(?=-$))", re.MULTILINE)
"""The first letter of a line that mail programs would take for something else."""

_CONTENT = "Content-Type"
_ENCODING = "Content-Transfer-Encoding"


def content(words: Words, attachment: Attachment | None, boundary: str) -> Part:
    """All that stands below the headers of a mail.

    Args:
        words: the text, and perhaps HTML beside it or alone.
        attachment: a file to go with it.
        boundary: what no line of the content is; a number is put behind it for each level.
    """
    number = count()

    def several(subtype: str, *parts: Part) -> Part:
        return _multipart(subtype, parts, f"{boundary}.{next(number)}")

    said = _said(words, several)
    return said if attachment is None else several("mixed", said, _file(attachment))


def _said(words: Words, several: Callable[..., Part]) -> Part:
    """The text, the HTML, or both: who reads mail chooses among alternatives (RFC 2046 s 5.1.4)."""
    if words.html is None:
        return _text(words.body, "plain")
    page = _text(words.html, "html")
    if words.pictures:
        page = several('related; type="text/html"', page, *map(_picture, words.pictures))  # RFC 2387 s 3.1
    return page if words.html_alone else several("alternative", _text(words.body, "plain"), page)


def _text(text: str, subtype: str) -> Part:
    if text.isascii() and max(map(len, text.split("\n"))) <= LONGEST_LINE:
        return _part(f'text/{subtype}; charset="us-ascii"', "7bit", text)
    return _part(f'text/{subtype}; charset="utf-8"', "quoted-printable", _quoted_printable(text))


def _quoted_printable(text: str) -> str:
    """The text encoded; the lines that folding makes are tidy too, as the text was before."""
    room_to_escape = 2
    as_characters = text.encode().decode("latin-1")  # the encoder wants a character for each byte
    encoded = body_encode(as_characters, _LONGEST_ENCODED - room_to_escape)
    return _MISTAKEN.sub(lambda first: f"={ord(first[0]):02X}", encoded)


def _picture(picture: Picture) -> Part:
    part = _part("image/png", "base64", encodebytes(picture.content).decode())
    part["Content-ID"] = f"<{picture.cid}>"
    part["Content-Disposition"] = "inline"
    return part


def _file(attachment: Attachment) -> Part:
    part = _part(attachment.content_type, "base64", encodebytes(attachment.content).decode())
    part.add_header("Content-Disposition", "attachment", filename=attachment.name)
    return part


def _multipart(subtype: str, parts: tuple[Part, ...], boundary: str) -> Part:
    whole: Part = Message()
    whole[_CONTENT] = f'multipart/{subtype}; boundary="{boundary}"'
    for part in parts:
        whole.attach(part)
    return whole


def _part(content_type: str, encoding: str, payload: str) -> Part:
    part: Part = Message()
    part[_CONTENT] = content_type
    part[_ENCODING] = encoding
    part.set_payload(payload)
    return part
