"""Rules that every mail of ours keeps on its way through whatever mail systems there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from io import BytesIO

from PIL import Image

from pbem.wording.layout import WIDTH
from tests.support.parsing import parsed

LONGEST_LINE = 998
"""RFC 5322 s 2.1.1."""
_DRAWN = re.compile(r"\S {2,}\S.* {2,}\S|[|_/\\`'.-]{2}.*[|_/\\`'.-]{2}|^ {12}")
"""The pattern of a line of a board: it may be wider than a mail."""
LARGEST_PICTURE = 30_000
WIDEST_PICTURE = 700
_MARKS = ("Auto-Submitted", "X-Auto-Response-Suppress", "Message-ID", "Date", "From", "To", "Subject")


def faults_of(raw: bytes, message: EmailMessage | None = None) -> list[str]:
    """The faults of a mail, which may have been parsed already; none if it is tidy."""
    message = message or parsed(raw)
    return [*_of_lines(raw), *_of_head(message), *(fault for part in message.walk() for fault in _of_part(part))]


def _of_lines(raw: bytes) -> Iterator[str]:
    if not raw.isascii():
        yield "it is not 7bit"
    if b"\n" in raw.replace(b"\r\n", b"") or b"\r" in raw.replace(b"\r\n", b""):
        yield "a line ends in half a line end"
    if max(map(len, raw.split(b"\r\n"))) > LONGEST_LINE:
        yield "a line is too long"


def _of_head(message: EmailMessage) -> Iterator[str]:
    for name in _MARKS:
        if len(message.get_all(name, [])) != 1:
            yield f"{name} does not stand there once"
    if len(message["To"].addresses) != 1:
        yield "it is to more than one"
    if message.defects:
        yield f"it has defects: {message.defects}"


def _of_part(part: EmailMessage) -> Iterator[str]:
    kind, encoding = part.get_content_type(), str(part["Content-Transfer-Encoding"] or "7bit")
    if kind.startswith("text/") and not part.is_attachment():
        yield from _of_text(part, kind, encoding)
    elif kind == "image/png":
        content = part.get_content()
        if len(content) > LARGEST_PICTURE:
            yield f"a picture has {len(content)} bytes"
        if Image.open(BytesIO(content)).width > WIDEST_PICTURE:
            yield f"a picture is {Image.open(BytesIO(content)).width} pixels wide"


def _of_text(part: EmailMessage, kind: str, encoding: str) -> Iterator[str]:
    said = str(part.get_content())
    if encoding == "7bit" and not said.isascii():
        yield f"{kind} is 7bit and not ASCII"
    longest = max(map(len, said.splitlines() or [""]))
    if encoding != "7bit" and (encoding != "quoted-printable" or (said.isascii() and longest <= LONGEST_LINE)):
        yield f"{kind} need not be {encoding}"
    if part.get_param("format") is not None:
        yield f"{kind} flows"
    if kind == "text/plain":
        yield from (
            f"it is too wide: {line!r}" for line in said.splitlines() if len(line) > WIDTH and not _DRAWN.search(line)
        )
    for line in (*str(part.get_payload()).splitlines(), *said.splitlines()):
        if line in ("--", "-- ") or line.startswith("From ") or line.rstrip(" \t") != line:
            yield f"{kind} has the line {line!r}"
