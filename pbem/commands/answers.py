"""What the answer to a question says."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS_READ = 30
_NO_WORDS = (
    "no not n nope never nein nicht non pas cancel stop reject refuse decline "
    "t cant cannot dont didnt doesnt isnt wasnt wont"  # "t" is what the apostrophe leaves of all that end in n't
)
_ASSENTING_WORDS = "yes yeah yep ja oui si s\u00ed"
_YES_WORDS = f"{_ASSENTING_WORDS} y ok okay sure confirm confirmed agree agreed accept"
_NO, _ASSENTING, _YES = (frozenset(words.split()) for words in (_NO_WORDS, _ASSENTING_WORDS, _YES_WORDS))


class Said(Enum):
    """What the words of an answer say."""

    NO = auto()
    """There is a no among them."""
    YES = auto()
    """The first line is nothing but one word that says yes: no machine answers so by chance."""
    ASSENT = auto()
    """The first line begins with yes and goes on."""
    NOTHING = auto()
    """There are none, as when somebody has only pressed the buttons for answering and sending."""
    UNCLEAR = auto()
    """Anything else; also what asks back."""

    @property
    def is_clear(self) -> bool:
        """Whether it is an answer at all."""
        return self not in (Said.NOTHING, Said.UNCLEAR)


def answer_in(body: Sequence[str]) -> Said:
    """What the lines of an answer say, of which none is quoted."""
    lines = [words for words in map(_words, body) if words]
    if not lines:
        return Said.NOTHING if not any(line.strip() for line in body) else Said.UNCLEAR
    if _NO.intersection([word for words in lines for word in words][:_WORDS_READ]):
        return Said.NO
    if any("?" in line for line in body):
        return Said.UNCLEAR
    first, *more = lines[0]
    if not more and first in _YES:
        return Said.YES
    return Said.ASSENT if first in _ASSENTING else Said.UNCLEAR


def is_no(line: str) -> bool:
    """Whether a line is nothing but one word that says no."""
    return len(words := _words(line)) == 1 and words[0] in _NO


def _words(line: str) -> list[str]:
    return re.findall(r"[^\W_]+", line.lower())
