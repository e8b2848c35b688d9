"""Reads the raw bytes of a letter, whatever its charsets and structure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from email.utils import getaddresses

from pbem.domain.letters import CUT, Letter, plain
from pbem.domain.players import is_mailable
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.bodies import body_of, subject_of
from pbem.mail_in.machines import Failures, failures_in, machine_in
from pbem.mail_in.parts import LetterPart, UnreadableLetter, is_sound, parse
from pbem.mail_in.quotes import is_quote, own_lines

_ONLY_ONCE = ("From", "Subject", "Date", "Message-ID")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,200}>")
_MOST_LINES = 2000
_MOST_CHARACTERS = 65536
"""Of a body, before its words are folded and after."""
_MOST_RECIPIENTS = 10
_MOST_REMARKS = 50
"""In parentheses in a header of addresses; the parser calls itself for one in another."""
_MOST_RESULTS = 20
_LONGEST_LANGUAGE = 100
_LONGEST_RESULT = 2000


@dataclass(frozen=True, slots=True)
class ReadLetter:
    """The contents of a letter as plain data, made by `read_letter_bytes`."""

    subject: str
    """Decoded and on one line, reply marks still on it."""
    body: tuple[str, ...]
    """The sender's own lines, as `pbem.domain.letters.Letter` has them."""
    message_id: str | None = None
    from_address: str | None = None
    """The one address of the From header; None if there is none, or more than one."""
    is_double: bool = False
    """A header that honest mail has once (RFC 5322 s 3.6) occurs twice, or may: the head has lines that are no fields,
    and another reader may have read it differently. Such a letter proves nothing."""
    in_reply_to: str | None = None
    """The first Message-ID of In-Reply-To; None where that header stands twice."""
    to: tuple[str, ...] = ()
    """The addresses of the To header, the first of them if they are many."""
    authentication_results: tuple[str, ...] = ()
    """The values of these headers (RFC 8601), topmost first, forged ones among them."""
    machine: str | None = None
    """Which header shows that a machine wrote the letter; see `pbem.mail_in.machines`."""
    language: str = ""
    """The languages that the sender writes or reads (RFC 3282): the value of Content-Language or Accept-Language."""
    failures: Failures | None = None
    """The contents of a delivery report; None where the letter does not look like one."""

    @property
    def letter(self) -> Letter:
        """The part of it that the use cases get."""
        return Letter(self.subject, self.body, self.message_id)


def read_letter_bytes(raw: bytes, ours: OwnAddress, *, may_be_bounce: bool = False) -> ReadLetter:
    """Read a letter.

    Args:
        raw: the bytes as they came.
        ours: our addresses, to be taken out of the words.
        may_be_bounce: whether to look for failures though the letter does not say that it is a report.

    Raises:
        UnreadableLetter: the bytes are no mail that can be read.
    """
    try:
        read = _read(parse(raw), ours, may_be_bounce=may_be_bounce)
        if not is_sound(raw):
            read = replace(read, is_double=True, from_address=None)
        return replace(read, machine=machine_in(raw))
    except (UnreadableLetter, MemoryError):
        raise
    except Exception as failed:  # noqa: BLE001 - a parser of hostile input may fail in any way
        raise UnreadableLetter(error=type(failed).__name__) from None


def _read(letter: LetterPart, ours: OwnAddress, *, may_be_bounce: bool) -> ReadLetter:
    is_double = any(len(letter.get_all(name, [])) > 1 for name in _ONLY_ONCE)
    is_report = letter.get_content_type() == "multipart/report"
    return ReadLetter(
        subject=subject_of(letter),
        body=_own_words(letter, ours),
        message_id=_message_id(letter, "Message-ID"),
        from_address=None if is_double else _from_address(letter),
        is_double=is_double,
        in_reply_to=_message_id(letter, "In-Reply-To"),
        to=tuple(_addresses(letter, "To")[:_MOST_RECIPIENTS]),
        authentication_results=_authentication_results(letter),
        language=_language(letter),
        failures=failures_in(letter) if may_be_bounce or is_report else None,
    )


def _language(letter: LetterPart) -> str:
    value = letter.get("Content-Language") or letter.get("Accept-Language") or ""
    return str(value)[:_LONGEST_LANGUAGE]


def _message_id(letter: LetterPart, name: str) -> str | None:
    """The first Message-ID of a header that stands once."""
    values = letter.get_all(name, [])
    found = _MESSAGE_ID.search(str(values[0])) if len(values) == 1 else None
    return found[0] if found else None


def _addresses(letter: LetterPart, name: str) -> list[str]:
    """The addresses of a header that can be written to."""
    return [address for address in _all_addresses(letter, name) if is_mailable(address)]


def _from_address(letter: LetterPart) -> str | None:
    """The one address of the From header; None if there is none that can be written to, or more than one."""
    addresses = _all_addresses(letter, "From")
    return addresses[0] if len(addresses) == 1 and is_mailable(addresses[0]) else None


def _all_addresses(letter: LetterPart, name: str) -> list[str]:
    headers = [str(value) for value in letter.get_all(name, [])]
    if any(value.count("(") > _MOST_REMARKS for value in headers):
        return []
    return [address for _, address in getaddresses(headers) if "@" in address]


def _authentication_results(letter: LetterPart) -> tuple[str, ...]:
    values = letter.get_all("Authentication-Results", [])[:_MOST_RESULTS]
    return tuple(" ".join(str(value).split())[:_LONGEST_RESULT] for value in values)


def _own_words(letter: LetterPart, ours: OwnAddress) -> tuple[str, ...]:
    """The words of the letter, cleaned of what a mail program put around them."""
    body = body_of(letter).rstrip()
    lines, is_whole = _folded(body[:_MOST_CHARACTERS].splitlines())
    cut = [] if (is_whole and len(body) <= _MOST_CHARACTERS) or any(map(is_quote, lines[-1:])) else [CUT]
    own = ours.hidden_in_lines(own_lines([*lines, *cut]))
    return () if own == (CUT,) else own


def _folded(lines: list[str]) -> tuple[list[str], bool]:
    """The lines made plain, and whether they are all there; one letter may become eighteen."""
    folded: list[str] = []
    left = _MOST_CHARACTERS
    for line in lines[:_MOST_LINES]:
        folded.append(plain(line))
        left -= len(folded[-1])
        if left < 0:
            return folded[:-1], False
    return folded, len(lines) <= _MOST_LINES
