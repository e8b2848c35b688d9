"""Lays a tile with its auto moves (Browne, Mambo, "Auto moves"), and foretells their effects without laying it."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.games.hextile.grid import (
    SHARED,
    UNDECIDED,
    Cell,
    Colour,
    State,
    cells_at,
    corners,
    decide,
    neighbours,
    reading_order,
)
from pbem.games.hextile.layout import UNTOUCHED, Layout
from pbem.games.hextile.ruleset import Auto, Joined, Ruleset


class Laid(NamedTuple):
    """A tile as it was laid in some turn."""

    cell: Cell
    state: State
    label: str
    """The label its space had."""
    automatic: bool

    @property
    def text(self) -> str:
        """The placement in words: ``J12``."""
        return f"{self.label}{self.state.number}"


def by_hand(turn: Iterable[Laid]) -> tuple[Laid, ...]:
    """The tiles of a turn that the player laid."""
    return tuple(tile for tile in turn if not tile.automatic)


def lay(
    rules: Ruleset, layout: Layout, supply: Mapping[str, int], cell: Cell, state: State
) -> tuple[Layout, dict[str, int], tuple[Laid, ...]]:
    """Lay a tile that fits and is there, then every tile that follows by itself.

    What waits to be filled is looked at again when its turn comes: with full auto moves two spaces may
    compete for a corner, and the later one may find itself a null point.

    Returns:
        The layout, the supply that is left, and the tiles in the order in which they were laid.
    """
    left = dict(supply)
    laid: list[Laid] = []
    waiting: deque[Cell] = deque()
    while True:
        left[state.kind] -= 1
        laid.append(Laid(cell, state, layout.spaces[cell].label, automatic=bool(laid)))
        layout = layout.lay(cell, state)
        waiting.extend(_ready(rules, layout, cell))
        following = _first_forced(rules, layout, left, waiting)
        if following is None:
            return layout, left, tuple(laid)
        cell, state = following


def _ready(rules: Ruleset, layout: Layout, cell: Cell) -> list[Cell]:
    """The spaces beside ``cell`` that fill by themselves now, in order."""
    spaces, forced = layout.spaces, rules.forced
    ready = [beside for beside in neighbours(cell) if beside in spaces and forced[spaces[beside].decided]]
    return sorted(ready, key=reading_order) if len(ready) > 1 else ready


def _first_forced(
    rules: Ruleset, layout: Layout, left: Mapping[str, int], waiting: deque[Cell]
) -> tuple[Cell, State] | None:
    """The first of the waiting spaces that is still forced and has a tile left; those before it are dropped."""
    while waiting:
        cell = waiting.popleft()
        space = layout.spaces.get(cell)
        state = rules.forced[space.decided] if space else None
        if state is not None and left[state.kind]:
            return cell, state
    return None


PLENTY = 8
"""Tiles of a kind that are enough for one laid by hand, six automatic ones around it, and one more."""


class Prompt(NamedTuple):
    """A space next to the cell looked at that fills by itself once their common corner is decided."""

    cell: Cell
    ours: int
    """The corner the two have in common, as an index of the cell looked at."""
    fills: Mapping[str, State]
    """The state that fills it, by the colour of that corner; some colours may have none."""


class Foresight:
    """Looks at the next tile of the turn under way in one position."""

    def __init__(
        self, rules: Ruleset, board: Layout, supply: Mapping[str, int], turn: Sequence[Laid], tiles_to_lay: int
    ) -> None:
        self._rules, self._board, self._supply = rules, board, supply
        laid, joined = by_hand(turn), rules.joined
        self._is_single = tiles_to_lay == 1
        self._is_last = len(laid) + 1 == tiles_to_lay
        self._lacking = colours_lacking(rules, turn)
        self._anywhere = not laid or joined is Joined.ANYWHERE
        self._autos_join = joined is Joined.CONNECTED
        joining = turn if self._autos_join else laid
        self._beside_turn = {cell for tile in joining for cell in neighbours(tile.cell)}
        self._reaching = self._that_reach_the_turn() if self._autos_join and laid else frozenset()
        self._foretold = rules.auto is not Auto.FULL
        self._kinds = frozenset(kind for kind, left in supply.items() if left)
        self._fewest = min(supply.values())
        self._looked_around: dict[Cell, tuple[Prompt, ...]] = {}

    def eligible(self) -> Iterable[Cell]:
        """The spaces for which `settles_all` does not rule every tile out, in the order of labels."""
        spaces = self._board.spaces
        if not self._is_last or self._anywhere or not self._foretold:
            return spaces
        return [cell for cell in spaces if cell in self._beside_turn or cell in self._reaching]

    def settles_all(self, cell: Cell) -> bool | None:
        """Return True if every tile that fits ``cell`` is legal there, False if none is, None if that depends."""
        if not self._is_last:
            return self._always_followed(cell) or None
        if self._anywhere or cell in self._beside_turn:
            return None if self._lacking else True
        if not self._foretold:
            return None
        return None if cell in self._reaching else False

    def settles(self, cell: Cell, state: State) -> bool | None:
        """Return True if a tile that fits is legal, False if not, None if only laying it can tell."""
        if self._is_last and self._lacking <= state.shown and (self._anywhere or cell in self._beside_turn):
            return True
        if not self._foretold:
            return None
        autos = self._autos(cell, state)
        left = self._left_after(state, autos)
        if left is None:
            return None
        lacking = self._lacking.difference(state.shown, *(auto.shown for auto in autos.values()))
        if not self._is_last:
            return self._is_followed(cell, state, autos, lacking, left)
        if not self._is_single:
            return not lacking and self._is_joined(cell, autos)
        return not lacking or (None if autos or self._may_decide(cell, state) else False)

    def goes_on(self, cell: Cell, state: State) -> bool | None:
        """Return True if the turn has another tile after a legal one, False if not, None if only laying it can tell."""
        if self._is_last:
            return False
        if not self._foretold or self._autos(cell, state) or not self._left_after(state, {}):
            return None
        return None if self._may_decide(cell, state) else True

    def _that_reach_the_turn(self) -> frozenset[Cell]:
        """The cells from which a tile may prompt an automatic one that touches the turn."""
        spaces, prompted = self._board.spaces, self._rules.prompted
        one_open = (
            (cell, decided.index(UNDECIDED))
            for cell in self._beside_turn
            if cell in spaces and (decided := spaces[cell].decided).count(UNDECIDED) == 1
        )
        prompts = ((cell, corner) for cell, corner in one_open if prompted[spaces[cell].decided, corner])
        return frozenset(beside for cell, corner in prompts for beside in cells_at(corners(cell)[corner]))

    def _prompts(self, cell: Cell) -> tuple[Prompt, ...]:
        """The spaces beside a cell that some tile there would fill, remembered while its states are looked at."""
        if cell not in self._looked_around:
            spaces, prompted = self._board.spaces, self._rules.prompted
            self._looked_around[cell] = tuple(
                Prompt(neighbour, ours, fills)
                for neighbour, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True)
                if neighbour in spaces and (fills := prompted[spaces[neighbour].decided, theirs])
            )
        return self._looked_around[cell]

    def _autos(self, cell: Cell, state: State) -> dict[Cell, State]:
        """The auto moves that would follow, as far as there are tiles."""
        answers = ((prompt.cell, prompt.fills.get(state.colours[prompt.ours])) for prompt in self._prompts(cell))
        left = self._supply
        return {
            beside: auto for beside, auto in answers if auto is not None and left[auto.kind] > (auto.kind == state.kind)
        }

    def _left_after(self, state: State, autos: Mapping[Cell, State]) -> frozenset[str] | None:
        """The kinds of tiles that are left once these are laid; None if there are too few to lay them all."""
        if self._fewest > 1 + len(autos):
            return self._kinds
        left = dict(self._supply)
        for laid in (state, *autos.values()):
            left[laid.kind] -= 1
        return None if min(left.values()) < 0 else frozenset(kind for kind, count in left.items() if count)

    def _always_followed(self, cell: Cell) -> bool:
        """Return True if a second tile completes the turn whatever fits and is laid first in ``cell``."""
        if not self._foretold or (self._fewest < PLENTY and self._fewest < 2 + len(self._prompts(cell))):
            return False
        rules, tiles, spaces, lacking = self._rules, self._board.tiles, self._board.spaces, self._lacking
        return any(
            neighbour not in tiles
            and rules.stays_open(spaces.get(neighbour, UNTOUCHED).decided, theirs, lacking, self._kinds)
            for neighbour, (_, theirs) in zip(neighbours(cell), SHARED, strict=True)
        )

    def _is_followed(
        self, cell: Cell, state: State, autos: Collection[Cell], lacking: frozenset[Colour], left: frozenset[str]
    ) -> bool | None:
        """Return True if a second tile completes the turn that this one begins, None if only laying it can tell."""
        if not left:
            return None
        around = list(self._decided_around(cell, state, autos))
        if any(self._rules.takes(decided, lacking, left) for decided in around):
            return True
        may_join = any(self._rules.prompted.get((decided, decided.find(UNDECIDED))) for decided in around)
        elsewhere = autos or self._rules.joined is Joined.ANYWHERE or (self._autos_join and may_join)
        return None if elsewhere or self._may_decide(cell, state) else False

    def _decided_around(self, cell: Cell, state: State, autos: Collection[Cell]) -> Iterator[str]:
        """The decided corners of the empty cells around a tile once it and the automatic ones are laid."""
        tiles, spaces = self._board.tiles, self._board.spaces
        for neighbour, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True):
            if neighbour not in tiles and neighbour not in autos:
                yield decide(spaces.get(neighbour, UNTOUCHED).decided, theirs, state.colours[ours])

    def _is_joined(self, cell: Cell, autos: Collection[Cell]) -> bool:
        if self._anywhere or cell in self._beside_turn:
            return True
        return self._autos_join and not self._beside_turn.isdisjoint(autos)

    def _may_decide(self, cell: Cell, state: State) -> bool:
        """Return True if a tile that nothing follows could end the game."""
        return any(condition.may_be_met(self._board, cell, state) for condition in self._rules.wins)


def colours_lacking(rules: Ruleset, turn: Sequence[Laid]) -> frozenset[Colour]:
    """The colours that the corners of a turn's tiles must show and do not."""
    needed = frozenset(rules.colours if rules.both_colours else ())
    return needed.difference(*(tile.state.shown for tile in turn))
