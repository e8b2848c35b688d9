"""The steps of a turn, and how they are written (RULES, "Notation")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from pbem.games.mamba.squares import Cell, Grid


@dataclass(frozen=True, slots=True)
class Lay:
    """An isolated piece lays a new one: ``lay b2>b3``."""

    by: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class Move:
    """A piece goes one or two cells: ``move e5-e7``."""

    start: Cell
    end: Cell


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn ends without a move: ``pass``."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The piece to be treated next: ``turn e6``."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Cut:
    """The end of an alignment to lose: ``cut e2``, or ``cut c8-c7`` with another cell of the alignment behind it."""

    end: Cell
    towards: Cell | None = None


PASS: Final = Pass()

Step: TypeAlias = Lay | Move | Pass | Turn | Cut
"""What is played."""


class Typed(NamedTuple):
    """A step, and the words it was made of."""

    text: str
    step: Step


def in_words(grid: Grid, step: Step) -> str:
    """A step as it is printed and recorded."""
    match step:
        case Lay(by, cell):
            return f"lay {grid.names[by]}>{grid.names[cell]}"
        case Move(start, end):
            return f"move {grid.names[start]}-{grid.names[end]}"
        case Pass():
            return "pass"
        case Turn(cell):
            return f"turn {grid.names[cell]}"
        case Cut(end, towards):
            return f"cut {grid.names[end]}" + ("" if towards is None else f"-{grid.names[towards]}")
