"""The steps of a turn, and which choices matter to anyone (RULES, "Notation")."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from pbem.games.mamba.balance import Balance, Choice, Kind, advance, take
from pbem.games.mamba.squares import Cell, Grid, Squares


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
"""One step of a turn."""


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


MOST_CHOICES = 250
"""Choices that are gone through to find out whether one of them matters."""

Tree: TypeAlias = int
"""The possible futures of a board: where it comes to rest, or a question to a player with the tree of each answer.

Trees are numbered as they are found; equal ones have one number.
"""


class _TooMuch(Exception):
    """More choices would have to be gone through than are allowed."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A choice that a player has to make."""

    choice: Choice
    certain: bool = True
    """It is known to matter; if False, that was too much to find out, and the owner is asked to be safe."""


def settle(balance: Balance, rest: Callable[[Balance], Hashable]) -> tuple[Balance, Pending | None]:
    """Bring the board to rest, or to the next choice that matters; others take the lowest cell.

    Args:
        balance: the board.
        rest: what a board at rest comes to, where only that counts.
    """
    explorer = Explorer(rest)
    while True:
        balance, choice = advance(balance)
        if choice is None:
            return balance, None
        pending = _pending(balance, choice, explorer)
        if pending is not None:
            return balance, pending
        balance = take(balance, choice, choice.options[0])


def _pending(balance: Balance, choice: Choice, explorer: Explorer) -> Pending | None:
    if len(choice.options) == 1:
        return None
    try:
        return Pending(choice) if explorer.matters(balance, choice) else None
    except _TooMuch:
        return Pending(choice, certain=False)


class _Grown(NamedTuple):
    """The tree of a board, and what it depends on."""

    tree: Tree
    looked_for: frozenset[Squares]
    """Boards of which it has been asked whether they stood at an earlier moment of choice (RULES 13c)."""


class Explorer:
    """Grows the trees of choices, equal ones once, up to a limit.

    What comes of a choice depends on the moments of choice before it only through the boards that are looked for
    among them. So it is the same wherever the same of those boards stood before.
    """

    def __init__(self, rest: Callable[[Balance], Hashable]) -> None:
        self._rest = rest
        self._left = MOST_CHOICES
        self._numbers: dict[Hashable, Tree] = {}
        self._known: defaultdict[Hashable, list[tuple[_Grown, frozenset[Squares]]]] = defaultdict(list)

    def matters(self, balance: Balance, choice: Choice) -> bool:
        """Return True if two options lead to different trees.

        Raises:
            _TooMuch: that cannot be told within the limit.
        """
        trees = (self._after(take(balance, choice, option)).tree for option in choice.options)
        first = next(trees)
        return any(tree != first for tree in trees)

    def _after(self, balance: Balance) -> _Grown:
        """The tree of a board on its way to the next choice."""
        balance, choice = advance(balance)
        if choice is None:
            return _Grown(self._number(self._rest(balance)), frozenset((balance.squares,)))
        grown = self.of_choice(balance, choice)
        return _Grown(grown.tree, grown.looked_for | {balance.squares})

    def of_choice(self, balance: Balance, choice: Choice) -> _Grown:
        """The tree of a board at a choice, grown once for all boards that it fits."""
        known = self._known[balance.squares, balance.blocked, balance.resting, balance.series]
        for grown, found in known:
            if grown.looked_for & balance.moments == found:
                return grown
        self._left -= 1
        if self._left < 0:
            raise _TooMuch
        grown = self._grow(balance, choice)
        known.append((grown, grown.looked_for & balance.moments))
        return grown

    def _grow(self, balance: Balance, choice: Choice) -> _Grown:
        following = [self._after(take(balance, choice, option)) for option in choice.options]
        looked_for: frozenset[Squares] = frozenset()
        if choice.kind is Kind.TURN:  # a cut is a removal, after which no earlier moment counts
            looked_for = frozenset().union(*(each.looked_for for each in following))
            if balance.start_counts:  # else it also matters if this very board has occurred before
                looked_for -= {balance.squares}
        trees = tuple(each.tree for each in following)
        alike = len(set(trees)) == 1
        return _Grown(trees[0] if alike else self._number((choice, trees)), looked_for)

    def _number(self, tree: Hashable) -> Tree:
        return self._numbers.setdefault(tree, len(self._numbers))
