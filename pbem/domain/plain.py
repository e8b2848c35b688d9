"""Lines of plain characters: what a keyboard could have typed."""

from __future__ import annotations

import re
import unicodedata

_QUOTATION_MARKS = str.maketrans(
    {0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2018: "'", 0x2019: "'", 0x201A: "'", 0x201B: "'", 0x00B4: "'"}
)
"""Quotation marks that mail programs make round, and the accent that is typed for an apostrophe."""
_CONTROLS = dict.fromkeys((*range(32), 127))
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_MOST_MARKS = 8
"""Accents and the like on one letter. Sorting them takes the square of their number."""
_LETTERS_LIKE_MARKS = frozenset("\uff9e\uff9f")
"""Marks of half width that count as letters until they are folded."""


def plain(text: str) -> str:
    """One line: control and format characters out, breaks, tabs and wide blanks to blanks, the rest folded by NFKC.

    Folding makes ``a1`` of full-width letters and digits. It is done to all words, so a
    password is folded alike when it is chosen and whenever it is given later.
    """
    spaced = re.sub(r"\s", " ", text)
    if spaced.isascii():
        return spaced.translate(_CONTROLS)
    return unicodedata.normalize("NFKC", _wanted(spaced.translate(_QUOTATION_MARKS)))


def one_line(text: str) -> str:
    """Plain, and with single blanks."""
    return " ".join(plain(text).split())


def plain_lines(text: str) -> str:
    """The same for a text of several lines, which end in a line feed each but for the last."""
    return "\n".join(map(plain, text.splitlines()))


def _wanted(text: str) -> str:
    """Without control and format characters, and without accents heaped up."""
    kept: list[str] = []
    marks = 0
    for each in text:
        category = unicodedata.category(each)
        if category in _UNWANTED:
            continue
        marks = marks + 1 if category[0] == "M" or each in _LETTERS_LIKE_MARKS else 0
        if marks <= _MOST_MARKS:
            kept.append(each)
    return "".join(kept)
