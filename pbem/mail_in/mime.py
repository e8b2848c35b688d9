"""Raw bytes → what a letter says, whatever its charset and structure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from email.utils import getaddresses
from textwrap import dedent
from typing import TYPE_CHECKING

import mailparser
from inscriptis import get_text
from lxml import etree
from lxml import html as lxml_html

from pbem.domain.letters import CUT, Letter
from pbem.domain.players import is_mailable
from pbem.errors import PbemError
from pbem.mail_in.bounces import Failures, failures_in
from pbem.mail_in.keys import split_letter
from pbem.mail_in.loops import machine_in
from pbem.mail_in.quotes import own_lines

if TYPE_CHECKING:
    from email.message import Message

    from mailparser.core import MailParser

    from pbem.mail_in.addresses import OwnAddress

_ONLY_ONCE = ("From", "Subject", "Date", "Message-ID")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,200}>")
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,200}>")
"""lxml takes no text that says which bytes it was."""
_LONGEST_PAGE = 65536
"""Characters of an HTML letter that are read."""
_LONGEST_HEADER = 8192
_LONGEST_SUBJECT = 2 * _LONGEST_HEADER
"""A player's move of absurd length, encoded, is still refused as a move."""
_MOST_LINES = 2000
_MOST_RECIPIENTS = 10
_MOST_RESULTS = 20
_LONGEST_RESULT = 2000
_PLAIN = str.maketrans({0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2018: "'", 0x2019: "'", 0x201A: "'"})
"""Quotation marks that mail programs make round."""


class UnreadableLetter(PbemError):
    """The parser gave up; not a player's error, since nobody writes such letters by hand."""


@dataclass(frozen=True, slots=True)
class ReadLetter:
    """What a letter says of itself and in its own words: plain data, made by `read_letter_bytes`."""

    subject: str
    """Decoded and on one line, reply marks still on it."""
    body: tuple[str, ...]
    """The sender's own lines, as `pbem.domain.letters.Letter` has them."""
    message_id: str | None = None
    from_address: str | None = None
    """The one address of the From header; None if there is none, or more than one."""
    is_double: bool = False
    """Whether a header that stands once in honest mail (RFC 5322 s 3.6) stands twice: that proves nothing."""
    in_reply_to: str | None = None
    """The first Message-ID of In-Reply-To; None where that header stands twice."""
    to: tuple[str, ...] = ()
    """The addresses of the To header, the first of them if they are many."""
    authentication_results: tuple[str, ...] = ()
    """The values of these headers (RFC 8601), topmost first, forged ones among them."""
    machine: str | None = None
    """Which header shows that a machine wrote the letter; see `pbem.mail_in.loops`."""
    failures: Failures | None = None
    """What a delivery report tells; None where the letter does not look like one."""

    @property
    def letter(self) -> Letter:
        """What the use cases are handed of it."""
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
    if any(len(each) > _longest(each) for each in split_letter(raw)[0]):
        raise UnreadableLetter(error="LongHeader")
    try:
        return _read(mailparser.parse_from_bytes(raw), ours, may_be_bounce=may_be_bounce)
    except Exception as failed:  # noqa: BLE001 - a parser of hostile input may fail in any way
        raise UnreadableLetter(error=type(failed).__name__) from None


def _read(mail: MailParser, ours: OwnAddress, *, may_be_bounce: bool) -> ReadLetter:
    head: Message = mail.message
    is_double = any(len(head.get_all(name, [])) > 1 for name in _ONLY_ONCE)
    is_report = head.get_content_type() == "multipart/report"
    return ReadLetter(
        subject=" ".join(_clean(str(mail.subject or "")).split()),
        body=_own_words(mail, ours),
        message_id=_message_id(head, "Message-ID"),
        from_address=None if is_double else _from_address(head),
        is_double=is_double,
        in_reply_to=_message_id(head, "In-Reply-To"),
        to=tuple(_addresses(head, "To")[:_MOST_RECIPIENTS]),
        authentication_results=_authentication_results(head),
        machine=machine_in(head),
        failures=failures_in(head) if may_be_bounce or is_report else None,
    )


def _message_id(head: Message, name: str) -> str | None:
    """The first Message-ID of a header that stands once."""
    values = head.get_all(name, [])
    found = _MESSAGE_ID.search(str(values[0])) if len(values) == 1 else None
    return found[0] if found else None


def _addresses(head: Message, name: str) -> list[str]:
    """The addresses of a header that can be written to."""
    headers = [str(value) for value in head.get_all(name, [])]
    return [address for _, address in getaddresses(headers) if is_mailable(address)]


def _from_address(head: Message) -> str | None:
    """The one address of the From header; None if there is none that can be written to, or more than one."""
    headers = [str(value) for value in head.get_all("From", [])]
    addresses = [address for _, address in getaddresses(headers) if "@" in address]
    return addresses[0] if len(addresses) == 1 and is_mailable(addresses[0]) else None


def _authentication_results(head: Message) -> tuple[str, ...]:
    values = head.get_all("Authentication-Results", [])[:_MOST_RESULTS]
    return tuple(" ".join(_clean(str(value)).split())[:_LONGEST_RESULT] for value in values)


def _own_words(mail: MailParser, ours: OwnAddress) -> tuple[str, ...]:
    """The words of the letter, cleaned of what a mail program put around them."""
    lines = _body(mail).rstrip().splitlines()
    cut = [CUT] if len(lines) > _MOST_LINES else []
    own = tuple(ours.hidden_in(line) for line in own_lines([*map(_clean, lines[:_MOST_LINES]), *cut]))
    return () if own == (CUT,) else own


def _body(mail: MailParser) -> str:
    text = "\n".join(str(each) for each in mail.text_plain)
    if text.strip() or not mail.text_html:
        return text
    return "\n".join(_html_text(str(page)) for page in mail.text_html)


def _longest(field: bytes) -> int:
    return _LONGEST_SUBJECT if field[:8].lower() == b"subject:" else _LONGEST_HEADER


def _clean(text: str) -> str:
    """One line of plain characters: control and format characters out, breaks and tabs to blanks."""
    spaced = re.sub(r"\s", " ", text.translate(_PLAIN))
    return "".join(each for each in spaced if unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Co", "Cn"))


def _html_text(page: str) -> str:
    """The text of an HTML letter, its quotes taken out.

    Layout is left out too: a table or a margin can blow a small page up to gigabytes of blanks.
    """
    try:
        tree = lxml_html.document_fromstring(_XML_DECLARATION.sub("", page[:_LONGEST_PAGE]))
        for quote in tree.xpath("//blockquote | //*[contains(@class, 'gmail_quote')]"):
            quote.drop_tree()
        for element in tree.iter(etree.Element):
            element.attrib.clear()
        for cell in tree.iter("table", "thead", "tbody", "tfoot", "tr", "td", "th", "ul", "ol", "li"):
            cell.tag = "div"
        return dedent(str(get_text(lxml_html.tostring(tree, encoding="unicode")))[:_LONGEST_PAGE])
    except (ValueError, TypeError, AssertionError, LookupError, RecursionError, etree.LxmlError):
        return ""
