"""Raw bytes → what a letter says, whatever its charset and structure."""

from __future__ import annotations

import re
import unicodedata
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
from pbem.mail_in.keys import split_letter
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
_PLAIN = str.maketrans({0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2018: "'", 0x2019: "'", 0x201A: "'"})
"""Quotation marks that mail programs make round."""


class UnreadableLetter(PbemError):
    """The parser gave up; not a player's error, since nobody writes such letters by hand."""


class ReadLetter:
    """A parsed letter: its head, its sender and its words.

    ``from_address`` is the one address of the From header; None if there is none, or more than one.

    Raises:
        UnreadableLetter: the bytes are no mail that can be read.
    """

    def __init__(self, raw: bytes) -> None:
        if any(len(each) > _longest(each) for each in split_letter(raw)[0]):
            raise UnreadableLetter(error="LongHeader")
        try:
            self._mail: MailParser = mailparser.parse_from_bytes(raw)
            self.head: Message = self._mail.message
            self._subject = str(self._mail.subject or "")
            self._texts = [str(text) for text in self._mail.text_plain]
            self._html = [str(text) for text in self._mail.text_html]
            self.from_address = self._from_address()
        except Exception as failed:  # noqa: BLE001 - a parser of hostile input may fail in any way
            raise UnreadableLetter(error=type(failed).__name__) from None

    @property
    def is_double(self) -> bool:
        """Whether a header that stands once in honest mail (RFC 5322 s 3.6) stands twice: that proves nothing."""
        return any(len(self.head.get_all(name, [])) > 1 for name in _ONLY_ONCE)

    def _from_address(self) -> str | None:
        """The one address of the From header; None if there is none that can be written to, or more than one."""
        headers = [str(value) for value in self.head.get_all("From", [])]
        addresses = [address for _, address in getaddresses(headers) if "@" in address]
        if self.is_double or len(addresses) != 1:
            return None
        return addresses[0] if is_mailable(addresses[0]) else None

    def letter(self, ours: OwnAddress) -> Letter:
        """The words of the letter, cleaned of what a mail program put around them."""
        found = _MESSAGE_ID.search(str(self.head.get("Message-ID", "")))
        lines = self._body().rstrip().splitlines()
        cut = [CUT] if len(lines) > _MOST_LINES else []
        own = tuple(ours.hidden_in(line) for line in own_lines([*map(_clean, lines[:_MOST_LINES]), *cut]))
        if own == (CUT,):
            own = ()
        return Letter(" ".join(_clean(self._subject).split()), own, found[0] if found else None)

    def _body(self) -> str:
        text = "\n".join(self._texts)
        if text.strip() or not self._html:
            return text
        return "\n".join(_html_text(page) for page in self._html)


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
