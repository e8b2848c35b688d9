"""What happens at a board of Mamba, one thing after the other: for the sentences of the mails, and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.game import Seat
from pbem.games.mamba.grid import Cell


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece laid a new one beside it (RULES 5)."""

    seat: Seat
    by: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece moved (RULES 6)."""

    seat: Seat
    start: Cell
    end: Cell


@dataclass(frozen=True, slots=True)
class Passed:
    """A player ended the turn without a move (RULES 6)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Suffocated:
    """A piece had no empty cell at its sides and was removed (RULES 8)."""

    seat: Seat
    """Whose it was."""
    cell: Cell


@dataclass(frozen=True, slots=True)
class Cut:
    """Surplus pieces were taken off one end of an alignment (RULES 10)."""

    seat: Seat
    """Whose alignment it was."""
    cells: tuple[Cell, ...]
    """The end first."""
    length: int
    """Of the alignment before."""
    line: str
    """``row 4`` is 4, ``column e`` is e."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A piece changed its owner (RULES 11)."""

    cell: Cell
    old: Seat
    new: Seat
    longer: int
    """The alignment that it was turned by."""
    shorter: int
    """The alignment that it was in, on the same line."""
    line: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """A piece was turned in a circle and stays as it is (RULES 12)."""

    cell: Cell
    seat: Seat
    """Whose it is."""


@dataclass(frozen=True, slots=True)
class Out:
    """A player has too few pieces, or has left the game; his pieces are taken off the board (RULES 14)."""

    seat: Seat
    cells: tuple[Cell, ...]
    left: bool = False
    """Whether he has left of his own will or by the clock, rather than by the rules."""


Event: TypeAlias = Laid | Moved | Passed | Suffocated | Cut | Turned | Blocked | Out
