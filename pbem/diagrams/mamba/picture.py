"""Pictures of boards of Mamba: what one shows, and from which side of the table."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.game import Seat
from pbem.games.mamba.grid import Cell
from pbem.games.mamba.squares import Squares


@dataclass(frozen=True, slots=True)
class Picture:
    """What a picture of a board shows."""

    squares: Squares
    size: int
    edges: tuple[str, ...]
    """Where each seat sits, as `Ruleset.edges` has it: ``bottom``, ``left``, ``top`` or ``right``."""
    changed: frozenset[Cell] = frozenset()
    """The cells that are marked, those that were emptied too."""
    viewer: Seat | None = None
    """Whose own edge is drawn below; if nobody's, row 1 is."""
