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


class Neighbour(NamedTuple):
    """An empty cell beside the one looked at."""

    cell: Cell
    ours: int
    """The corner the two have in common, as an index of the cell looked at."""
    theirs: int
    """The same corner, as an index of this one."""
    decided: str
    """Its decided corners."""
    fills: Mapping[str, State]
    """The state that fills it by itself, by the colour of the common corner; some colours may have none."""


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
        self._plentiful = frozenset(kind for kind, left in supply.items() if left >= PLENTY)
        self._fewest = min((left for left in supply.values() if left), default=0)
        self._open = rules.stay_open(self._lacking, self._plentiful)
        self._centre: Cell | None = None
        self._neighbours: list[Neighbour] = []

    def eligible(self) -> Iterable[Cell]:
        """The spaces for which `settles_all` does not rule every tile out, in the order of labels."""
        spaces = self._board.spaces
        if not self._is_last or self._anywhere or not self._foretold:
            return spaces
        return [cell for cell in spaces if cell in self._beside_turn or cell in self._reaching]

    def fitting(self, cell: Cell) -> tuple[State, ...]:
        """The states that fit a space by corners and supply alone."""
        return self._rules.available(self._board.spaces[cell].decided, self._kinds)

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
        lacking = self._lacking - state.shown
        if autos:
            lacking = lacking.difference(*(auto.shown for auto in autos.values()))
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

    def _around(self, cell: Cell) -> list[Neighbour]:
        """The empty cells beside a cell, remembered while its states are looked at."""
        if self._centre != cell:
            tiles, spaces, prompted = self._board.tiles, self._board.spaces, self._rules.prompted
            self._centre, self._neighbours = cell, []
            for beside, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True):
                if beside not in tiles:
                    decided = spaces.get(beside, UNTOUCHED).decided
                    self._neighbours.append(Neighbour(beside, ours, theirs, decided, prompted[decided, theirs]))
        return self._neighbours

    def _autos(self, cell: Cell, state: State) -> Mapping[Cell, State]:
        """The auto moves that would follow, as far as there are tiles."""
        autos = {}
        for beside in self._around(cell):
            auto = beside.fills.get(state.colours[beside.ours]) if beside.fills else None
            if auto is not None and self._supply[auto.kind] > (auto.kind == state.kind):
                autos[beside.cell] = auto
        return autos

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
        if not self._foretold:
            return False
        if not self._open.isdisjoint(self._beside(cell)):
            return True
        if self._plentiful == self._kinds:
            return False
        prompted = self._rules.prompted
        most = 2 + sum(bool(prompted[corner]) for corner in self._beside(cell))
        enough = frozenset(kind for kind, left in self._supply.items() if left >= most)
        if enough == self._plentiful:
            return False
        return not self._rules.stay_open(self._lacking, enough).isdisjoint(self._beside(cell))

    def _beside(self, cell: Cell) -> Iterator[tuple[str, int]]:
        """The decided corners of each empty cell beside one, and which of its corners the two share."""
        tiles, spaces = self._board.tiles, self._board.spaces
        for beside, (_, theirs) in zip(neighbours(cell), SHARED, strict=True):
            if beside not in tiles:
                yield spaces.get(beside, UNTOUCHED).decided, theirs

    def _is_followed(
        self, cell: Cell, state: State, autos: Collection[Cell], lacking: frozenset[Colour], left: frozenset[str]
    ) -> bool | None:
        """Return True if a second tile completes the turn that this one begins, None if only laying it can tell."""
        if not left:
            return None
        takes, colours = self._rules.takes, state.colours
        around = [each for each in self._around(cell) if each.cell not in autos] if autos else self._around(cell)
        for beside in around:
            if takes(decide(beside.decided, beside.theirs, colours[beside.ours]), lacking, left):
                return True
        if autos or self._rules.joined is Joined.ANYWHERE or self._may_decide(cell, state):
            return None
        decided = (decide(beside.decided, beside.theirs, colours[beside.ours]) for beside in around)
        may_join = self._autos_join and any(self._rules.prompted.get((each, each.find(UNDECIDED))) for each in decided)
        return None if may_join else False

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
