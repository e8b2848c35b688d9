"""Why a turn is refused: one class a reason, with the facts that its template words.

``placement`` is what was typed, or the space's label and the state if nothing was typed; ``which`` is 1
for the first tile of the turn, 2 for the second. Corners are called W, NE and SE, colours o and x.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.game import LONGEST_QUOTE, IllegalMove, UnreadableMove


class UnreadablePlacement(UnreadableMove):
    """A word of the move is no placement; empty if the move has no words."""

    def __init__(self, word: str, which: int) -> None:
        super().__init__(word=word[:LONGEST_QUOTE], which=which)


class NoPassing(UnreadableMove):
    """A turn of these games is always to lay tiles, so that ``pass`` is none in any position."""


class TooManyTiles(UnreadableMove):
    """The move has more placements than any turn of the game has tiles, of which ``most`` is the number."""

    def __init__(self, placement: str, most: int) -> None:
        super().__init__(placement=placement, most=most)


class UnreadableTurn(UnreadableMove):
    """Tile ``which`` of a turn in a game record is not in the format; 0: the turn is no list of tiles."""

    def __init__(self, which: int) -> None:
        super().__init__(which=which)


class GameIsOver(IllegalMove):
    """No move can be made any more."""


class SwapNotAgreed(IllegalMove):
    """The challenge did not provide for a swap of sides."""


class SwapTooLate(IllegalMove):
    """Sides are swapped by the second player instead of his first turn, or not at all."""


class IllegalPlacement(IllegalMove):
    """One tile of the turn cannot be laid as told."""

    def __init__(self, placement: str, which: int, **facts: object) -> None:
        super().__init__(placement=placement, which=which, **facts)


class NoSuchSpace(IllegalPlacement):
    """No empty cell beside a tile is meant; ``filled`` if there is a tile by now."""

    def __init__(self, placement: str, which: int, *, space: str, filled: bool) -> None:
        super().__init__(placement, which, space=space, filled=filled)


class NothingToPointFrom(IllegalPlacement):
    """The first placement of a turn names its space by a direction."""

    def __init__(self, placement: str, which: int, *, direction: str) -> None:
        super().__init__(placement, which, direction=direction)


class NoSuchState(IllegalPlacement):
    """The tiles of this game have no state of this number."""

    def __init__(self, placement: str, which: int, *, state: int, lowest: int, highest: int) -> None:
        super().__init__(placement, which, state=state, lowest=lowest, highest=highest)


class CornerMismatch(IllegalPlacement):
    """A corner of the space has been decided, and the tile shows another colour there."""

    def __init__(
        self, placement: str, which: int, *, space: str, state: int, corner: str, needed: str, shown: str
    ) -> None:
        facts = {"space": space, "state": state, "corner": corner, "needed": needed, "shown": shown}
        super().__init__(placement, which, **facts)


class NullPoint(IllegalPlacement):
    """The three corners of the space have one colour, and no state of this game fits that."""

    def __init__(self, placement: str, which: int, *, space: str) -> None:
        super().__init__(placement, which, space=space)


class NoTileLeft(IllegalPlacement):
    """The supply has no tile with this face any more."""

    def __init__(self, placement: str, which: int, *, state: int, kind: str) -> None:
        super().__init__(placement, which, state=state, kind=kind)


class NotJoined(IllegalPlacement):
    """The second tile does not lie together with the first as the game asks."""

    def __init__(self, placement: str, which: int, *, joined: str) -> None:
        super().__init__(placement, which, joined=joined)


class ColourMissing(IllegalPlacement):
    """The corners of the turn's tiles, automatic ones included, all have one colour."""

    def __init__(self, placement: str, which: int, *, colour: str) -> None:
        super().__init__(placement, which, colour=colour)


class NothingCouldFollow(IllegalPlacement):
    """After this first tile no second could be laid."""


class TileNeeded(IllegalPlacement):
    """The turn ends before tile ``which``; ``placement`` is the tile laid last, empty if there is none."""


class TileNotAllowed(IllegalPlacement):
    """The turn has a tile too many; it was complete with ``allowed`` tiles.

    ``supply_empty`` tells whether it ended because no tile was left.
    """

    def __init__(self, placement: str, which: int, *, allowed: int, supply_empty: bool) -> None:
        super().__init__(placement, which, allowed=allowed, supply_empty=supply_empty)


class AlreadyDecided(IllegalPlacement):
    """The first tile has ended the game; ``deciding`` is that placement."""

    def __init__(self, placement: str, which: int, *, deciding: str, winners: Sequence[int]) -> None:
        super().__init__(placement, which, deciding=deciding, winners=tuple(winners))
