"""Known words that resemble a mistyped one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_FEW = 3
_LIKENESS = 0.7
"""The least likeness of two words, from 0 to 1, for one to be taken as a slip for the other."""
_BEGINNING = 3
_LONGEST = 40


def closest(word: str, known: Iterable[str]) -> list[str]:
    """A few of the known words: those that begin with the word, and those that are much like it."""
    folded, choices = word.lower()[:_LONGEST], list(known)
    begun = [each for each in choices if len(folded) >= _BEGINNING and each.startswith(folded)]
    near = difflib.get_close_matches(folded, choices, _FEW, _LIKENESS)
    return list(dict.fromkeys((*begun, *near)))[:_FEW]
