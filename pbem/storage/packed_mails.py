"""Mails in few bytes, for the time after the relay has taken them: compressed, without pictures that boards give again.

Words are compressed against phrases that most mails have. The phrases are numbered, and the number is the first byte:
old ones stay as long as mails may be kept that need them. ``python -m tests.storage.mail_phrases`` makes new ones.
"""

from __future__ import annotations

import re
import zlib
from base64 import encodebytes
from collections.abc import Callable
from functools import cache
from pathlib import Path

from pbem.domain.mails import PictureSource

PHRASES = Path(__file__).parent / "mail_phrases"
"""The folder of the phrases: ``1.txt``."""
NEWEST = 1
"""The number of those that mails are compressed against."""
_LEVEL = 3
"""More takes twice the time and saves a tenth."""
_BOUNDARY = re.compile(rb'boundary="(=_[0-9a-f]{24})\.[0-9]+"')
_PICTURE = re.compile(
    rb"(?P<head>\r\n--(?P<boundary>=_[0-9a-f]{24})\.[0-9]+\r\n"
    rb"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
    rb"Content-ID: <(?P<source>[0-9a-f]{24}\.[0-9.]+)@picture>\r\nContent-Disposition: inline\r\n\r\n)"
    rb"(?:[A-Za-z0-9+/=]+\r\n)*"
)
"""A part of a mail that is a picture of a stored position."""


class _PictureMissing(Exception):
    """A picture cannot be drawn again."""


def pack(raw: bytes) -> bytes:
    """A mail of ours in few bytes."""
    compressor = _compressor(NEWEST).copy()
    return bytes((NEWEST,)) + compressor.compress(without_pictures(raw)) + compressor.flush()


def unpack(packed: bytes, draw: Callable[[PictureSource], bytes | None]) -> bytes | None:
    """The mail again; None if one of its pictures cannot be drawn.

    Args:
        packed: the mail as `pack` has left it.
        draw: draws a position as PNG; None if that is not possible any more.
    """

    def drawn(source: PictureSource) -> bytes:
        picture = draw(source)
        if picture is None:
            raise _PictureMissing
        return encodebytes(picture).replace(b"\n", b"\r\n")

    try:
        return _with_pictures(zlib.decompressobj(zdict=_phrases(packed[0])).decompress(packed[1:]), drawn)
    except _PictureMissing:
        return None


def without_pictures(raw: bytes) -> bytes:
    """A mail with nothing in place of the pictures that can be drawn again."""
    return _with_pictures(raw, lambda _: b"")


def _with_pictures(raw: bytes, make: Callable[[PictureSource], bytes]) -> bytes:
    """A mail with other bytes for its pictures.

    Only parts behind the mail's own boundary are pictures: no player can write that (see `pbem.mail_out.message`).
    """
    boundary = _BOUNDARY.search(raw.partition(b"\r\n\r\n")[0])

    def made(found: re.Match[bytes]) -> bytes:
        source = PictureSource.read(found["source"].decode())
        is_ours = boundary is not None and found["boundary"] == boundary[1]
        return found["head"] + make(source) if is_ours and source is not None else found[0]

    return raw if boundary is None else _PICTURE.sub(made, raw)


@cache
def _phrases(number: int) -> bytes:
    return (PHRASES / f"{number}.txt").read_bytes()


@cache
def _compressor(number: int) -> zlib._Compress:
    """A compressor that has read the phrases, to be copied."""
    return zlib.compressobj(_LEVEL, zdict=_phrases(number))
