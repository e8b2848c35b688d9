"""What a position is worth to each seat, judged as it stands."""

from __future__ import annotations

import math
from collections.abc import MutableSequence

from pbem.bots.boards import NOBODY, SEATS, WINNER
from pbem.bots.compiling import compiled
from pbem.bots.mamba.board import (
    OWNER_BITS,
    PIECES,
    PLAYING,
    TEAMS,
    TOO_FEW,
    end_of_cells,
    first_cell,
    is_isolated,
    supply_of,
)

_PIECE, _LAYER, _MARGIN = 0.22, 0.13, 0.8
"""The weights of a piece, of one that can lay, and of the logarithm of how many pieces a player has more than are too
few. A side's share of the points goes with the exponential of their sum.

They were fitted (conditional logit) to who won 242 games of two players that chose the best of one to six moves by lot,
from positions of the last 250 turns; games of three and four players say much the same. What rows there are, who
touches whom, who stands at the edge and who is on turn told hardly more. Only a layer was fitted at twice as much; in
40 games with 125 playouts a step that did a little worse (0.45 of the points)."""


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
def _judge(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    """Fill in how strong each player stands, as numbers whose relations count."""
    if supply_of(board):
        for cell in range(first_cell(board), end_of_cells(board)):
            if board[cell] & OWNER_BITS and is_isolated(board, cell):
                worths[board[cell] - 1] += _LAYER
    for seat in range(board[SEATS]):
        if board[PLAYING + seat]:
            pieces = board[PIECES + seat]
            margin = max(1, pieces - board[TOO_FEW])
            worths[seat] = math.exp(worths[seat] + _PIECE * pieces) * margin**_MARGIN


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
