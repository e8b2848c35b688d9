"""Letters that are HTML pages, as plain text."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Any

from inscriptis import get_text
from lxml import etree
from lxml import html as lxml_html

_LONGEST = 65536
"""Characters of a page that are read."""
_MOST_TAGS = 6000
"""That are read; each costs time, a letter of that length has fewer."""
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,200}>")
"""lxml takes no text that says which bytes it was."""
_UNSEEN = (
    "s",
    "strike",
    "del",
    "head",
    "title",
    "script",
    "style",
    "template",
    "noscript",
    "object",
    "svg",
    "math",
    "select",
    "textarea",
)
_INVISIBLE = re.compile(
    r"display\s*:\s*none|line-through|visibility\s*:\s*hidden"
    r"|mso-hide\s*:\s*all|(?:font-size|max-height|opacity)\s*:\s*0(?![.0-9])"
)
_QUOTES = ("gmail_quote", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix", "zmail_extra")
"""Classes in which mail programs put what is answered."""
_QUOTE_NAMES = ("quote", "quoted-content")
"""The names that GMX and web.de use."""
_SIGNATURES = ("protonmail_signature_block", "moz-signature", "gmail_signature")
"""Classes of what mail programs put below every letter."""
_DIVIDERS = ("divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container")
"""Ids that mail programs give to what stands above the letter that is answered."""
_QUOTE_MARK, _DIVIDER_MARK = ">", "_" * 32


def text_of_page(page: str) -> str:
    """The text of an HTML letter; a quote leaves a line ``>``, so that the reader of plain text sees where it was.

    Layout is left out: a table or a margin can blow a small page up to gigabytes of blanks.
    """
    try:
        tree = lxml_html.document_fromstring(_XML_DECLARATION.sub("", _bounded(page)))
        _take_out(tree)
        for element in tree.iter(etree.Element):
            element.attrib.clear()
        for cell in tree.iter("table", "thead", "tbody", "tfoot", "tr", "td", "th", "ul", "ol", "li"):
            cell.tag = "div"
        return dedent(str(get_text(lxml_html.tostring(tree, encoding="unicode")))[:_LONGEST])
    except (ValueError, TypeError, AssertionError, LookupError, RecursionError, etree.LxmlError):
        return ""


def _bounded(page: str) -> str:
    return "<".join(page[:_LONGEST].replace("\0", "").split("<", _MOST_TAGS)[:_MOST_TAGS])


def _take_out(tree: Any) -> None:
    """Take out what is not seen, and put marks where quotes and dividers stand."""
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, *_UNSEEN, with_tail=False)
    for element in list(tree.iter(etree.Element)):
        kind = element.get("class", "")
        if _is_unseen(element) or any(each in kind for each in _SIGNATURES):
            _replace(element, None)
        elif element.tag == "blockquote" or _is_named_quote(element) or any(each in kind for each in _QUOTES):
            _replace(element, _QUOTE_MARK)
        elif element.get("id", "").removeprefix("x_") in _DIVIDERS:
            _replace(element, _DIVIDER_MARK)


def _is_unseen(element: Any) -> bool:
    return element.get("hidden") is not None or _INVISIBLE.search(element.get("style", "").lower()) is not None


def _is_named_quote(element: Any) -> bool:
    return element.tag == "div" and element.get("name") in _QUOTE_NAMES


def _replace(element: Any, mark: str | None) -> None:
    """Empty an element but for a mark; what stands behind it stays."""
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "div" if mark else "span", mark, tail
