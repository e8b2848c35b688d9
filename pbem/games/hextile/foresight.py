"""What can be said of a tile without laying it: whether the rules of turns allow it.

A limited auto move fills a space whose corners are all decided, so it decides no corner itself: what follows from
a tile by itself lies around that tile, and shows both colours. As long as tiles of every kind are left,
this settles nearly every placement at the price of a few look-ups; the rest must be laid to tell. Full
auto moves reach farther, and nothing is foretold of them but that what may lie anywhere is legal.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import SHARED, neighbours
from pbem.games.hextile.layout import UNTOUCHED
from pbem.games.hextile.ruleset import Auto, Joined
from pbem.games.hextile.tiles import UNDECIDED, decide

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pbem.games.hextile.fills import Laid
    from pbem.games.hextile.grid import Cell
    from pbem.games.hextile.position import Position
    from pbem.games.hextile.ruleset import Ruleset
    from pbem.games.hextile.tiles import Colour, State

PLENTY = 8
"""Tiles of a kind that are enough for one laid by hand, six automatic ones around it, and one more."""

ENOUGH = 2
"""The same where nothing is filled by itself."""


class Beside(NamedTuple):
    """An empty cell next to the one looked at."""

    cell: Cell
    decided: str
    ours: int
    """The corner the two cells share, as an index of the cell looked at."""
    theirs: int

    def decided_by(self, state: State) -> str:
        """Its decided corners once a tile lies in the cell looked at."""
        return decide(self.decided, self.theirs, state.colours[self.ours])


class Foresight:
    """Looks at the next tile of the turn under way in one position."""

    def __init__(self, position: Position) -> None:
        self._rules, self._board, self._supply = position.rules, position.layout, position.supply
        laid, joined = by_hand(position.turn), position.rules.joined
        self._is_single = position.tiles_to_lay == 1
        self._is_last = len(laid) + 1 == position.tiles_to_lay
        self._lacking = colours_lacking(position.rules, position.turn)
        self._anywhere = not laid or joined is Joined.ANYWHERE
        self._autos_join = joined is Joined.CONNECTED
        joining = position.turn if self._autos_join else laid
        self._beside_turn = {cell for tile in joining for cell in neighbours(tile.cell)}
        self._fills = position.rules.auto is not Auto.NONE
        self._foretold = position.rules.auto is not Auto.FULL
        self._plenty = min(position.supply.values()) >= (PLENTY if self._fills else ENOUGH)
        self._looked_around: dict[Cell, tuple[Beside, ...]] = {}

    def settles_all(self, cell: Cell) -> bool | None:
        """Whether every tile that fits ``cell`` is legal there, or none is; None if that depends."""
        if not self._is_last:
            foreseen = self._plenty and self._foretold
            return (foreseen and any(self._always_followed(beside) for beside in self._around(cell))) or None
        if self._anywhere or cell in self._beside_turn:
            return None if self._lacking else True
        if self._autos_join and not self._beside_turn.isdisjoint(neighbours(cell)):
            return None
        return False

    def settles(self, cell: Cell, state: State) -> bool | None:
        """Whether a tile that fits is legal; None if only laying it can tell."""
        if not self._foretold:
            return None
        around = [(beside.cell, beside.decided_by(state)) for beside in self._around(cell)]
        forced_here = ((beside, self._rules.forced[decided]) for beside, decided in around)
        autos = {beside: auto for beside, auto in forced_here if auto is not None}
        left = self._left_after(state, *autos.values())
        if min(left.values()) < 0:
            return None
        lacking = self._lacking.difference(state.colours, *(auto.colours for auto in autos.values()))
        if not self._is_last:
            free = (decided for beside, decided in around if beside not in autos)
            return any(self._takes(decided, lacking, left) for decided in free) or None
        if self._is_single:
            return None if lacking else True
        return not lacking and self._is_joined(cell, autos)

    def _left_after(self, *laid: State) -> Mapping[str, int]:
        """The supply once these tiles are laid, as far as it matters; below 0 if they are not there."""
        if self._plenty:
            return self._supply
        left = Counter(self._supply)
        left.subtract(tile.kind for tile in laid)
        return left

    def _is_joined(self, cell: Cell, autos: Collection[Cell]) -> bool:
        if self._anywhere or cell in self._beside_turn:
            return True
        return self._autos_join and not self._beside_turn.isdisjoint(autos)

    def _around(self, cell: Cell) -> tuple[Beside, ...]:
        """The empty cells beside one, remembered while its states are looked at."""
        if cell not in self._looked_around:
            tiles, spaces = self._board.tiles, self._board.spaces
            self._looked_around[cell] = tuple(
                Beside(neighbour, spaces.get(neighbour, UNTOUCHED).decided, ours, theirs)
                for neighbour, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True)
                if neighbour not in tiles
            )
        return self._looked_around[cell]

    def _always_followed(self, beside: Beside) -> bool:
        """Whether, with plenty of tiles, a second completes the turn there whatever is laid first."""
        outcomes = [decide(beside.decided, beside.theirs, colour) for colour in self._rules.colours]
        stays = all(UNDECIDED in decided for decided in outcomes) if self._fills else True
        return stays and all(self._takes(decided, self._lacking, self._supply) for decided in outcomes)

    def _takes(self, decided: str, lacking: frozenset[Colour], supply: Mapping[str, int]) -> bool:
        """Whether a tile that is left fits there and shows the colours that are lacking."""
        return any(supply[state.kind] and lacking <= state.shown for state in self._rules.states.fitting(decided))


def colours_lacking(rules: Ruleset, turn: Collection[Laid]) -> frozenset[Colour]:
    """The colours that the corners of a turn's tiles must show and do not."""
    needed = frozenset(rules.colours if rules.both_colours else ())
    return needed.difference(*(tile.state.colours for tile in turn))
