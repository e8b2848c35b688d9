"""The words of a move: labels of spaces, placements, and the text of a turn (our reading of the rules).

A space is labelled A B C … over twenty letters, then AA AB …; a placement is a label and a state, ``j12``,
or for the second tile of a turn a direction and a state, ``ne9``. Placements are set apart by commas,
blanks, ``;`` or ``+``, in either case of letters.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pbem.games.hextile.grid import DIRECTIONS
from pbem.games.hextile.refusals import UnreadablePlacement

LETTERS = "ABCDEFGHJKMPQRTUVWYZ"
"""I and O look like digits, L, S, N, X like digits, directions and colours."""

_SEPARATORS = re.compile(r"[\s,;+]+")
_PLACEMENT = re.compile(r"([A-Za-z]{1,4})(0|[1-9][0-9]{0,3})")


class Word(NamedTuple):
    """A placement as it was typed: a label or a direction, and the number of a state."""

    typed: str
    where: str
    state: int

    @property
    def label(self) -> str:
        """The label as it is printed."""
        return self.where.upper()

    @property
    def direction(self) -> str | None:
        """The direction, if the word names one: every direction has a letter that labels have not."""
        lower = self.where.lower()
        return lower if lower in DIRECTIONS else None


def label(index: int) -> str:
    """The label of the space found as number ``index``, from 0."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(LETTERS))
        letters = LETTERS[letter] + letters
    return letters


def label_index(text: str) -> int | None:
    """Which space, counted from 0, a printed label belongs to; None if it is no label."""
    index = 0
    for letter in text:
        if letter not in LETTERS:
            return None
        index = index * len(LETTERS) + LETTERS.index(letter) + 1
    return index - 1


def read_words(text: str) -> tuple[Word, ...]:
    """The placements of a turn as typed, at least one.

    Raises:
        UnreadablePlacement: a piece of the text is no placement, or there is none at all.
    """
    pieces = _SEPARATORS.split(text.strip())
    return tuple(_read_word(piece, which) for which, piece in enumerate(pieces, start=1))


def _read_word(piece: str, which: int) -> Word:
    match = _PLACEMENT.fullmatch(piece)
    if match is None:
        raise UnreadablePlacement(piece, which)
    where, state = match.groups()
    return Word(piece, where, int(state))
