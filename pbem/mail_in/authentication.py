"""Evidence of the sender of a letter: Authentication-Results (RFC 8601), From, and reply addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.domain.letters import Envelope, Evidence
from pbem.domain.preferences import ENGLISH, preferred_language
from pbem.domain.replies import AnsweredMail, MessageIds, Reply, Signer
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mime import ReadLetter

_LONGEST = 1999
"""Characters of a header that is believed: of a longer one the end has been cut off."""
_HEADER_FROM = "header.from"
_SEEMING_ID = re.compile(r"[\s\"]*([^\s;\"(]*)")
_BLANK = re.compile(r"[ \t\r\n]+")
_OF_REMARK = re.compile(r"[()]|(?:\\.|[^\\()])+", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_TOKEN = re.compile(r"[^\x00-\x20\x7f\"(),/:;<=>?@\[\\\]]+")
"""RFC 2045 s 5.1."""
_OF_PROPERTY = re.compile(r"[^\x00-\x20\x7f\"(),;<>\[\\\]]+")
"""A token or an address; many MTAs write other values without quotes, too: signatures, addresses of IPv6."""
_KEYWORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?")
_DIGITS = re.compile(r"[0-9]{1,9}")
_WITHOUT_TYPE = ("reason", "action")
"""The second is of a draft, and still written."""


@dataclass(frozen=True, slots=True)
class _Result:
    """An MTA's finding by one method."""

    method: str
    """In lower case."""
    version: int
    result: str
    """In lower case."""
    properties: tuple[tuple[str, str], ...]
    """``header.from`` and the like in lower case, and their values."""


@dataclass(frozen=True, slots=True)
class _Header:
    """A header that can be read."""

    authserv_id: str
    version: int
    results: tuple[_Result, ...]


@dataclass(frozen=True, slots=True)
class MailIdentity:
    """Our identity in mail."""

    ours: OwnAddress
    """Our addresses."""
    signer: Signer
    """Signs the tokens in them."""
    authserv_id: str | None
    """The MTA whose Authentication-Results we believe; None: nobody's."""


def is_authenticated(headers: Sequence[str], authserv_id: str | None, from_address: str | None) -> bool:
    """Return True if our own MTA says ``dmarc=pass`` for the domain of the From address.

    Only the topmost header that bears our MTA's name counts: those below it came with the letter.

    Args:
        headers: the values of all Authentication-Results headers, topmost first.
        authserv_id: the name of our MTA in lower case; None: nobody is believed.
        from_address: the single From address, if there is one.
    """
    if authserv_id is None or from_address is None:
        return False
    ours = next((each for each in headers if named_in(each) == authserv_id), None)
    return ours is not None and _passes(ours, from_address.rpartition("@")[2].lower())


def named_in(header: str) -> str:
    """The name of the MTA that wrote a header; an unreadable header is still known by its first word."""
    read = _read(header)
    name = _SEEMING_ID.match(header) if read is None else None
    return str(read.authserv_id if read else name and name[1]).lower()


def _passes(header: str, domain: str) -> bool:
    read = _read(header)
    if read is None or read.version != 1:
        return False
    found = [each for each in read.results if each.method == "dmarc"]
    if len(found) != 1 or found[0].result != "pass" or found[0].version != 1:
        return False
    return [value.lower() for name, value in found[0].properties if name == _HEADER_FROM] == [domain]


def _read(header: str) -> _Header | None:
    """A header as RFC 8601 s 2.2 has it; None if it is not so, and therefore no evidence."""
    if len(header) > _LONGEST:
        return None
    try:
        return _Parser(header).header()
    except _Malformed:
        return None


class _Malformed(Exception):
    """The grammar does not have it so."""


class _Parser:
    """Reads a header from left to right, once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def header(self) -> _Header:
        """All of it: ``authserv-id [version] (";" "none" / 1*(";" result))``."""
        self._skip()
        authserv_id = self._value(_TOKEN)
        has_blank = self._skip()
        version = self._take(_DIGITS) if has_blank and self._next not in ("", ";") else "1"
        results: list[_Result] = []
        self._skip()
        while self._next:
            self._need(";")
            self._skip()
            if not results and self._is_none():
                break
            if not self._next and results:  # some MTAs write a semicolon at the end
                break
            results.append(self._result())
        return _Header(authserv_id, int(version), tuple(results))

    def _is_none(self) -> bool:
        """Return True if nothing was found and nothing else is said."""
        start = self._at
        is_none = self._take(_KEYWORD).lower() == "none"
        self._skip()
        if is_none and not self._next:
            return True
        self._at = start
        return False

    def _result(self) -> _Result:
        """``method ["/" version] "=" result [reason] *property``."""
        method = self._take(_KEYWORD).lower()
        self._skip()
        version = "1"
        if self._next == "/":
            self._need("/")
            self._skip()
            version = self._take(_DIGITS)
            self._skip()
        self._need("=")
        self._skip()
        result = self._take(_KEYWORD).lower()
        properties = []
        while self._skip() and self._next not in ("", ";"):
            properties.append(self._property())
        if self._next not in ("", ";"):
            raise _Malformed
        return _Result(method, int(version), result, tuple(properties))

    def _property(self) -> tuple[str, str]:
        """``ptype "." property "=" value``, or ``reason "=" value``."""
        name = self._take(_KEYWORD).lower()
        self._skip()
        if self._next == ".":
            self._need(".")
            self._skip()
            name += "." + self._take(_KEYWORD).lower()
            self._skip()
        elif name not in _WITHOUT_TYPE:
            raise _Malformed
        self._need("=")
        self._skip()
        return name, self._value(_OF_PROPERTY)

    def _value(self, plain: re.Pattern[str]) -> str:
        """A quoted string, behind which the domain of an address may stand, or else words without quotes."""
        quoted = _QUOTED.match(self._text, self._at)
        if quoted is None:
            return self._take(plain)
        self._at = quoted.end()
        said = re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
        return said + self._take(plain) if self._next == "@" else said

    @property
    def _next(self) -> str:
        """The next character; nothing at the end."""
        return self._text[self._at : self._at + 1]

    def _need(self, sign: str) -> None:
        if self._next != sign:
            raise _Malformed
        self._at += 1

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise _Malformed
        self._at = found.end()
        return found[0]

    def _skip(self) -> bool:
        """Skip blanks and remarks (CFWS of RFC 5322 s 3.2.2); whether there were any."""
        start, depth = self._at, 0
        while found := (_OF_REMARK if depth or self._next == "(" else _BLANK).match(self._text, self._at):
            self._at = found.end()
            depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth:
            raise _Malformed
        return self._at > start


def evidence_of(
    read: ReadLetter,
    envelope: Envelope,
    ours: OwnAddress,
    signer: Signer,
    now: datetime,
    authserv_id: str | None = None,
) -> Evidence:
    """Gather the From address, what the address that the letter came to proves, and what our own MTA says.

    The mail that it answers by In-Reply-To counts only for a letter that came to our plain address: a reply
    address goes first, and one that does not verify is not healed.
    """
    sender = read.from_address
    if read.is_double:
        return Evidence(answer_to=envelope.sender, client=envelope.client)
    tokens = [token for token in map(ours.token, envelope.recipients) if token]
    replies = [reply for reply in (signer.read(token, now) for token in tokens) if reply is not None]
    return Evidence(
        answer_to=sender or envelope.sender,
        from_address=sender,
        reply=_strongest(replies),
        stale_reply=bool(tokens) and not replies,
        answered_mail=None if tokens else _answered_mail(read, MessageIds(signer, ours.domain), now),
        authenticated=is_authenticated(read.authentication_results, authserv_id, sender),
        client=envelope.client,
        language=preferred_language(read.language) or ENGLISH,
    )


def _answered_mail(read: ReadLetter, ids: MessageIds, now: datetime) -> AnsweredMail | None:
    """The mail of ours that a letter answers, if it was sent to the From address of the letter."""
    if read.in_reply_to is None or read.from_address is None:
        return None
    return ids.read(read.in_reply_to, read.from_address, now)


def _strongest(replies: list[Reply]) -> Reply | None:
    """Of several reply addresses of ours a letter can answer but one; two that differ prove nothing."""
    return replies[0] if len(set(replies)) == 1 else None
