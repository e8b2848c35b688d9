"""Laying a tile and what follows by itself: auto moves (Browne, Mambo, "Auto moves").

A space with three decided corners that only one state fits is filled at once; that tile may decide
corners of further spaces. First come, first filled; among equals top to bottom, then left to right. A
kind of tile that has run out fills nothing, and the others go on.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pbem.games.hextile.grid import neighbours, reading_order
from pbem.games.hextile.ruleset import Auto
from pbem.games.hextile.tiles import UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.games.hextile.grid import Cell
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

    Returns:
        The layout, the supply that is left, and the tiles in the order in which they were laid.
    """
    left = dict(supply)
    laid: list[Laid] = []
    waiting = deque([(cell, state)])
    while waiting:
        cell, state = waiting.popleft()
        if cell not in layout.spaces or not left[state.kind]:
            continue
        left[state.kind] -= 1
        laid.append(Laid(cell, state, layout.spaces[cell].label, automatic=bool(laid)))
        layout = layout.lay(cell, state)
        waiting.extend(_ready(rules, layout, cell))
    return layout, left, tuple(laid)


def forced(rules: Ruleset, decided: str) -> State | None:
    """The state that fills a space with these decided corners by itself, if one does."""
    if rules.auto is Auto.NONE or UNDECIDED in decided:
        return None
    fitting = rules.states.fitting(decided)
    return fitting[0] if len(fitting) == 1 else None


def _ready(rules: Ruleset, layout: Layout, cell: Cell) -> Iterator[tuple[Cell, State]]:
    """The spaces beside ``cell`` that fill by themselves now, in order."""
    for space in sorted((beside for beside in neighbours(cell) if beside in layout.spaces), key=reading_order):
        state = forced(rules, layout.spaces[space].decided)
        if state is not None:
            yield space, state
