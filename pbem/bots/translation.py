"""Positions of every family as boards of integers, and back from the numbers of steps."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from pbem.bots.boards import FAMILY, MAMBA
from pbem.bots.hextile import translation as hextile
from pbem.bots.mamba import translation as mamba
from pbem.games.game import Position
from pbem.games.hextile.position import Placement, Swap
from pbem.games.hextile.position import Position as HexTilePosition
from pbem.games.mamba.position import Position as MambaPosition
from pbem.games.mamba.steps import Lay, Move, Pass


def from_position(position: Position[Any]) -> tuple[MutableSequence[int], MutableSequence[int]]:
    """The board of integers that shows a position where nothing has to be decided, and its log.

    Raises:
        TypeError: it is of no family that is played on integers.
    """
    match position:
        case HexTilePosition():
            return hextile.from_position(position)
        case MambaPosition():
            return mamba.from_position(position)
    raise TypeError(position)


def to_step(board: MutableSequence[int], number: int) -> Any:
    """A step by its number."""
    return mamba.to_step(board, number) if board[FAMILY] == MAMBA else hextile.to_step(board, number)


def to_number(board: MutableSequence[int], step: Any) -> int:
    """The number of a step; -1 if it answers a decision, which boards of integers do not know."""
    match step:
        case Placement() | Swap():
            return hextile.to_number(board, step)
        case Lay() | Move() | Pass():
            return mamba.to_number(board, step)
    return -1
