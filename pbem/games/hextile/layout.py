"""The table: tiles, the spaces beside them with their labels, and the regions they form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbem.games.hextile import notation
from pbem.games.hextile.grid import SHARED, UNDECIDED, Cell, State, States, decide, neighbours, reading_order
from pbem.games.hextile.regions import Regions


class Space(NamedTuple):
    """An empty cell beside a tile."""

    label: str
    decided: str
    """The colours of its corners W, NE and SE, a letter each; ``.`` where no tile has decided it."""


UNTOUCHED = Space("", UNDECIDED * 3)
"""An empty cell that touches no tile and so has no label yet."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Tiles of one game that lie together; a new layout has none, and `lay` starts anywhere."""

    states: States
    """The states that the game has."""
    tiles: Mapping[Cell, State] = field(default_factory=dict)
    """In the order in which they were laid."""
    spaces: Mapping[Cell, Space] = field(default_factory=dict)
    """In the order of their labels."""
    labels_given: int = 0
    regions: Regions = field(default_factory=Regions)

    @property
    def labels(self) -> dict[Cell, str]:
        """The label of each space."""
        return {cell: space.label for cell, space in self.spaces.items()}

    @property
    def null_points(self) -> tuple[Cell, ...]:
        """The spaces whose decided corners no state of the game fits (Browne, Mambo, "Null points")."""
        fitting = self.states.fitting
        return tuple(cell for cell, space in self.spaces.items() if not fitting(space.decided))

    def space_labelled(self, label: str) -> Cell | None:
        """The space with this label in capitals, or None if there is none (any more)."""
        return next((cell for cell, space in self.spaces.items() if space.label == label), None)

    def was_labelled(self, label: str) -> bool:
        """Return True if some space has or had this label in capitals."""
        index = notation.label_index(label)
        return index is not None and index < self.labels_given

    def lay(self, cell: Cell, state: State) -> Layout:
        """The layout with one more tile, in an empty cell whose decided corners it matches.

        The new spaces get the next labels, clockwise from n.
        """
        tiles = {**self.tiles, cell: state}
        spaces = dict(self.spaces)
        spaces.pop(cell, None)
        given = self.labels_given
        for neighbour, (ours, theirs) in zip(neighbours(cell), SHARED, strict=True):
            if neighbour in tiles:
                continue
            label, decided = spaces.get(neighbour, UNTOUCHED)
            if not label:
                label = notation.label(given)
                given += 1
            spaces[neighbour] = Space(label, decide(decided, theirs, state.colours[ours]))
        return Layout(self.states, tiles, spaces, given, self.regions.lay(cell, state))

    def open_at(self, cell: Cell) -> Layout:
        """The layout with a first space in a cell that touches no tile."""
        space = Space(notation.label(self.labels_given), UNTOUCHED.decided)
        return replace(self, spaces={**self.spaces, cell: space}, labels_given=self.labels_given + 1)


def survey(tiles: Mapping[Cell, State], states: States) -> Layout:
    """The layout that loose tiles make, as if they had been laid from top to bottom, left to right."""
    layout = Layout(states)
    for cell in sorted(tiles, key=reading_order):
        layout = layout.lay(cell, tiles[cell])
    return layout
