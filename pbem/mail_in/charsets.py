"""Bytes → text, whatever they claim to be written in."""

from __future__ import annotations

import binascii
import codecs
import re

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
"""What mail programs write when they do not know: it may be any of these, or UTF-8."""
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
