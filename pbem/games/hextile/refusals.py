"""Why a turn is refused: one class a reason, with the facts that its template words.

``placement`` is what was typed, or the space's label and the state if nothing was typed; ``which`` is 1
for the first tile of the turn, 2 for the second. Corners are called W, NE and SE, colours o and x.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pbem.games.game import LONGEST_QUOTE, IllegalMove, UnreadableMove


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
    """Sides are swapped by the second player instead of his first turn, or not at all."""


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
