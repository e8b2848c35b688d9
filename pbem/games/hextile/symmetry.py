"""Symmetries of the hexagonal tile games: positions that are alike but for a rotation, a reflection or the colours.

Coloured points alternate with white ones around a cell, so the plane keeps them under rotations by a third of a turn
and under reflections in the axis through W and E: six symmetries, and all shifts. Colours may be exchanged where each
state has a twin in the other colours, of which as many tiles lie in the supply.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from pbem.games.game import CanonicalForm, TurnRecord
from pbem.games.hextile.grid import NE, SE, Cell, Colour, State, States, W
from pbem.games.hextile.position import SWAP, Placement, Position, Step
from pbem.games.hextile.ruleset import Ruleset

_Tile: TypeAlias = tuple[int, int, int]
"""Coordinates and the number of the state."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the plane around the middle, and what it does with the states of a game."""

    turns: int
    """Rotations by a third, clockwise, after the reflection."""
    reflects: bool
    """It begins with the reflection that exchanges up and down."""
    states: Mapping[int, int]
    """The number of each state's image."""

    def cell(self, cell: Cell) -> Cell:
        """The image of a cell."""
        q, r = _mirrored(cell) if self.reflects else cell
        for _ in range(self.turns):
            q, r = -q - r, q
        return Cell(q, r)

    def origin(self, cell: Cell) -> Cell:
        """The cell that has this image."""
        q, r = cell
        for _ in range(self.turns):
            q, r = r, -q - r
        return _mirrored(Cell(q, r)) if self.reflects else Cell(q, r)


def _mirrored(cell: Cell) -> Cell:
    """The image of a cell in the reflection that exchanges up and down."""
    return Cell(cell.q, -cell.q - cell.r)


def _corner(corner: int, turns: int, *, reflects: bool) -> int:
    """The image of a corner: W, NE and SE follow each other clockwise."""
    mirrored = {W: W, NE: SE, SE: NE}[corner] if reflects else corner
    return (mirrored + turns) % 3


def _swapped(states: States) -> Mapping[int, State] | None:
    """The twin of each state in the other colours; None if one has none."""
    other = {Colour.O: Colour.X, Colour.X: Colour.O}
    by_look = {(state.bridge, state.tip, state.tip_at): state for state in states}
    twins = {state.number: by_look.get((other[state.bridge], other[state.tip], state.tip_at)) for state in states
             if {state.bridge, state.tip} <= other.keys()}  # fmt: skip
    found = {number: twin for number, twin in twins.items() if twin is not None}
    return found if len(found) == len(states) else None


def exchanges_colours(rules: Ruleset) -> Mapping[int, State] | None:
    """The twin of each state, if the rules are the same for both colours; else None."""
    twins = _swapped(rules.states)
    if twins is None or any(
        rules.supply[state.kind] != rules.supply[twins[state.number].kind] for state in rules.states
    ):
        return None
    return twins


@lru_cache(maxsize=64)
def symmetries(states: States) -> tuple[Symmetry, ...]:
    """The six symmetries of the plane."""
    by_look = {(state.bridge, state.tip, state.tip_at): state.number for state in states}
    return tuple(
        Symmetry(
            turns,
            reflects,
            {
                state.number: by_look[state.bridge, state.tip, _corner(state.tip_at, turns, reflects=reflects)]
                for state in states
            },
        )
        for reflects in (False, True)
        for turns in range(3)
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """The way from a position to its canonical form, and back."""

    symmetry: Symmetry
    shift: Cell
    """Added to the image of each cell."""
    exchanged: Mapping[int, int]
    """The number of each state in the colours of the form."""

    def tile(self, cell: Cell, state: int) -> _Tile:
        image = self.symmetry.cell(cell)
        return image.q + self.shift.q, image.r + self.shift.r, self.symmetry.states[self.exchanged[state]]

    def record(self, steps: Sequence[Step]) -> TurnRecord:
        if SWAP in steps:
            return "swap"
        placed = [step for step in steps if isinstance(step, Placement)]
        return [list(self.tile(step.cell, step.state)) for step in placed]

    def steps(self, record: Any) -> tuple[Step, ...]:
        if record == "swap":
            return (SWAP,)
        states = {self.symmetry.states[exchanged]: state for state, exchanged in self.exchanged.items()}
        return tuple(
            Placement(self.symmetry.origin(Cell(q - self.shift.q, r - self.shift.r)), states[state])
            for q, r, state in record
        )


def canonical(position: Position) -> CanonicalForm[Step]:
    """The form that a position shares with all that are alike; colours are then those of the side to act."""
    rules, to_act = position.rules, position.to_act
    own = None if to_act is None else position.colours[to_act]
    exchanged, twins = {state.number: state.number for state in rules.states}, exchanges_colours(rules)
    if twins is not None and own is Colour.X:
        exchanged, own = {number: twin.number for number, twin in twins.items()}, Colour.O
    (tiles, turn), frame = min(_images(position, exchanged), key=lambda found: found[0])
    said = [position.ply, position.may_swap, own, tiles, turn]
    return CanonicalForm(json.dumps(said), frame.record, frame.steps)


def _images(
    position: Position, exchanged: Mapping[int, int]
) -> Iterator[tuple[tuple[list[_Tile], list[_Tile]], _Frame]]:
    """The tiles under each symmetry, shifted so that the least coordinates are 0, and those of a turn under way.

    The way there is the other half of each pair.
    """
    for symmetry in symmetries(position.rules.states):
        cells = [symmetry.cell(cell) for cell in position.layout.tiles] or [Cell(0, 0)]
        frame = _Frame(symmetry, Cell(-min(cell.q for cell in cells), -min(cell.r for cell in cells)), exchanged)
        tiles = sorted(frame.tile(cell, state.number) for cell, state in position.layout.tiles.items())
        turn = sorted(frame.tile(tile.cell, tile.state.number) for tile in position.turn)
        yield (tiles, turn), frame
