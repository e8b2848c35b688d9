"""Lines of plain characters."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.domain.letters import LETTERS_LIKE_MARKS, one_line, plain


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a1,j12", "a1,j12"),
        ("\uff41\uff11\uff0c\uff4a\uff11\uff12", "a1,j12"),
        ("a\u00a01\u3000b", "a 1 b"),
        ("\ufb01x", "fix"),
        ("don\u2019t don\u00b4t \u201cdo\u201d", "don't don't \"do\""),
        ("he\u00adl\u200bp\x00\x1b\ufeff\u202e", "help"),
        ("a\r\n\tb", "a   b"),
        ("e\u0301", "\u00e9"),
        ("\u2026", "..."),
    ],
)
def test_a_line_is_what_a_keyboard_could_have_typed(text: str, line: str) -> None:
    assert plain(text) == line


def test_one_line_has_single_blanks() -> None:
    assert one_line(" a \n\u00a0 b\t") == "a b"


@given(st.text())
def test_no_line_bears_what_is_not_seen_and_folding_it_again_changes_nothing(text: str) -> None:
    line = plain(text)
    assert all(unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for each in line)
    assert len(line.splitlines()) <= 1
    assert plain(line) == line


def test_accents_are_not_heaped_up() -> None:
    assert len(plain("a" + "\u0301\u0316" * 1000)) <= 9


def test_whatever_decomposes_to_a_mark_counts_as_one() -> None:
    """Else a run of it would take the square of its length to put in order."""
    others = {
        each
        for each in map(chr, range(sys.maxunicode + 1))
        if unicodedata.combining(unicodedata.normalize("NFKD", each)[0]) and unicodedata.category(each)[0] != "M"
    }
    assert others == LETTERS_LIKE_MARKS
