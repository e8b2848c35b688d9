"""Notation of moves: reads what players type, and refuses what is unreadable or illegal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pbem.games.game import LONGEST_QUOTE, IllegalMove, UnreadableMove
from pbem.games.hextile.grid import DIRECTIONS


class UnreadablePlacement(UnreadableMove):
    """A word of the move is no placement; empty if the move has no words."""

    word: Annotated[str, LONGEST_QUOTE]
    which: int


class NoPassing(UnreadableMove):
    """A turn of these games is always to lay tiles, so that ``pass`` is none in any position."""


class TooManyTiles(UnreadableMove):
    """The move has more placements than any turn of the game has tiles, of which ``most`` is the number."""

    placement: str
    most: int


class UnreadableTurn(UnreadableMove):
    """Tile ``which`` of a turn in a game record is not in the format; 0: the turn is no list of tiles."""

    which: int


class GameIsOver(IllegalMove):
    """No move can be made any more."""


class SwapNotAgreed(IllegalMove):
    """The challenge did not provide for a swap of sides."""


class SwapTooLate(IllegalMove):
    """Only the second player can swap sides, and only instead of their first turn."""


class IllegalPlacement(IllegalMove):
    """One tile of the turn cannot be laid as told."""

    placement: str
    which: int


class NoSuchSpace(IllegalPlacement):
    """No empty cell beside a tile is meant; ``filled`` if there is a tile by now."""

    space: str
    filled: bool


class NothingToPointFrom(IllegalPlacement):
    """The first placement of a turn names its space by a direction."""

    direction: str


class NoSuchState(IllegalPlacement):
    """The tiles of this game have no state of this number."""

    state: int
    lowest: int
    highest: int


class CornerMismatch(IllegalPlacement):
    """A corner of the space has been decided, and the tile shows another colour there."""

    space: str
    state: int
    corner: str
    needed: str
    shown: str


class NullPoint(IllegalPlacement):
    """The three corners of the space have one colour, and no state of this game fits that."""

    space: str


class NoTileLeft(IllegalPlacement):
    """The supply has no tile with this face any more."""

    state: int
    kind: str


class NotJoined(IllegalPlacement):
    """The second tile does not lie together with the first as the game asks."""

    joined: str


class ColourMissing(IllegalPlacement):
    """The corners of the turn's tiles, automatic ones included, all have one colour."""

    colour: str


class NothingCouldFollow(IllegalPlacement):
    """After this first tile no second could be laid."""


class TileNeeded(IllegalPlacement):
    """The turn ends before tile ``which``; ``placement`` is the tile laid last, empty if there is none."""


class TileNotAllowed(IllegalPlacement):
    """The turn has a tile too many; it was complete with ``allowed`` tiles.

    ``supply_empty`` tells whether it ended because no tile was left.
    """

    allowed: int
    supply_empty: bool


class AlreadyDecided(IllegalPlacement):
    """The first tile has ended the game; ``deciding`` is that placement."""

    deciding: str
    winners: Sequence[int]


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
