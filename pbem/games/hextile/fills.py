"""Laying a tile and what follows by itself: auto moves (Browne, Mambo, "Auto moves").

A space with three decided corners that only one state fits is filled at once; that tile may decide
corners of further spaces. First come, first filled; among equals top to bottom, then left to right. A
kind of tile that has run out fills nothing, and the others go on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.games.hextile.grid import Cell, neighbours, reading_order
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.ruleset import Ruleset
from pbem.games.hextile.tiles import State


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
