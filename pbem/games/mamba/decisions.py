"""Which choices matter: a player is asked only if two continuations differ (RULES, "Notation").

Two continuations differ if the board comes to rest otherwise, or if somebody is asked something else on the way.
So the tree of all that could be asked is grown, and branches that come to the same are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.mamba.balance import advance, take

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pbem.games.mamba.balance import Balance, Choice

MOST_CHOICES = 600
"""Choices that are gone through to find out whether one of them matters."""

Tree: TypeAlias = "Hashable"
"""What can come of a board: where it comes to rest, or who is asked what, with what comes of each answer."""


class _TooMuch(Exception):
    """More choices would have to be gone through than are allowed."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A choice that somebody has to make."""

    choice: Choice
    certain: bool = True
    """Whether it is known to matter; else it was too much to find out, and the owner is asked to be safe."""


def settle(balance: Balance, rest: Callable[[Balance], Hashable]) -> tuple[Balance, Pending | None]:
    """Bring the board to rest, or to the next choice that matters; others take the lowest cell.

    Args:
        balance: the board.
        rest: what a board at rest comes to, where only that counts.
    """
    while True:
        balance, choice = advance(balance)
        if choice is None:
            return balance, None
        pending = _pending(balance, choice, rest)
        if pending is not None:
            return balance, pending
        balance = take(balance, choice, choice.options[0])


def _pending(balance: Balance, choice: Choice, rest: Callable[[Balance], Hashable]) -> Pending | None:
    if len(choice.options) == 1:
        return None
    try:
        return Pending(choice) if _Explorer(rest).matters(balance, choice) else None
    except _TooMuch:
        return Pending(choice, certain=False)


class _Explorer:
    """Grows the tree of one choice, up to a limit."""

    def __init__(self, rest: Callable[[Balance], Hashable]) -> None:
        self._rest = rest
        self._left = MOST_CHOICES

    def matters(self, balance: Balance, choice: Choice) -> bool:
        """Whether two options lead to different trees.

        Raises:
            _TooMuch: that cannot be told within the limit.
        """
        trees = (self._tree(take(balance, choice, option)) for option in choice.options)
        first = next(trees)
        return any(tree != first for tree in trees)

    def _tree(self, balance: Balance) -> Tree:
        balance, choice = advance(balance)
        if choice is None:
            return self._rest(balance)
        self._left -= 1
        if self._left < 0:
            raise _TooMuch
        trees = tuple(self._tree(take(balance, choice, option)) for option in choice.options)
        if all(tree == trees[0] for tree in trees):
            return trees[0]
        return choice.kind, choice.owner, choice.options, trees
