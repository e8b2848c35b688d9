"""Positions as boards of integers, and steps as integers: a placement is ``cell * 16 + state``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots.boards import DRAWN, WINNER
from pbem.bots.hextile.board import (
    BY_HAND,
    CELLS,
    LEFT_IN_ALL,
    PLY,
    RECORD,
    RULES,
    SUPPLY,
    SWAPPED,
    TILE,
    TURN,
    turn_at,
)
from pbem.bots.hextile.fills import begin, lay_one, new_board
from pbem.bots.hextile.ruleset import SIDE, encode
from pbem.bots.hextile.turns import SWAPS
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.turns import SWAP, Placement

if TYPE_CHECKING:
    from collections.abc import MutableSequence

    from pbem.games.hextile.position import Position
    from pbem.games.hextile.turns import Step


def from_position(position: Position) -> tuple[MutableSequence[int], MutableSequence[int]]:
    """The board of integers that shows a position, and its log; nothing before it can be taken back."""
    board, log = new_board(encode(position.rules))
    begin(board, log, position.first)
    for cell, state in position.layout.tiles.items():
        if not board[address(board, cell) + TILE]:  # the start tile lies there
            lay_one(board, log, address(board, cell), state.number)
    for kind, left in enumerate(position.supply[kind] for kind in sorted(position.supply)):
        board[SUPPLY + kind] = left
    board[LEFT_IN_ALL] = sum(position.supply.values())
    board[PLY], board[SWAPPED] = position.ply, int(position.swapped)
    board[TURN], board[BY_HAND] = len(position.turn), len(by_hand(position.turn))
    for place, tile in enumerate(position.turn):
        board[turn_at(board) + place] = address(board, tile.cell) * 16 + tile.state.number
    if position.outcome is not None:
        board[WINNER] = position.outcome.winners[0] if position.outcome.winners else DRAWN
    log[0] = 0
    return board, log


def to_step(board: MutableSequence[int], number: int) -> Step:
    """A step by its number."""
    return SWAP if number == SWAPS else Placement(cell_at(board, number // 16), number % 16)


def to_number(board: MutableSequence[int], step: Step) -> int:
    """The number of a step."""
    return SWAPS if not isinstance(step, Placement) else address(board, step.cell) * 16 + step.state


def address(board: MutableSequence[int], cell: Cell) -> int:
    """Where the record of a cell begins."""
    side = int(board[RULES + SIDE])
    return CELLS + ((cell.q + side // 2) * side + cell.r + side // 2) * RECORD


def cell_at(board: MutableSequence[int], at: int) -> Cell:
    """The cell whose record begins there."""
    side = int(board[RULES + SIDE])
    q, r = divmod((int(at) - CELLS) // RECORD, side)
    return Cell(q - side // 2, r - side // 2)
