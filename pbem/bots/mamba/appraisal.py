"""What a position is worth to each seat, judged as it stands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pbem.bots.boards import NOBODY, SEATS, WINNER
from pbem.bots.compiling import compiled
from pbem.bots.mamba.board import (
    PIECES,
    PLAYING,
    TEAMS,
)

if TYPE_CHECKING:
    from collections.abc import MutableSequence


@compiled
def appraise(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    """Fill in what the position is worth to each seat: from 0 to 1, and 1 for all sides together."""
    for seat in range(board[SEATS]):
        worths[seat] = 0.0
    if board[WINNER] == NOBODY:
        _judge(board, worths)
    elif board[WINNER] >= 0:
        worths[board[WINNER]] = 1.0
    else:
        for seat in range(2 if board[TEAMS] else board[SEATS]):
            worths[seat] = 1.0
    _share(board, worths)


@compiled
def _share(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    """Let the worths of all sides be 1 together, and partners have the same."""
    total = 0.0
    for seat in range(board[SEATS]):
        total += worths[seat]
    for seat in range(board[SEATS]):
        worths[seat] /= total
    if board[TEAMS]:
        for seat in range(2):
            worths[seat] += worths[seat + 2]
            worths[seat + 2] = worths[seat]


@compiled
def _judge(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    for seat in range(board[SEATS]):
        if board[PLAYING + seat]:
            worths[seat] = math.exp(0.3 * board[PIECES + seat])
