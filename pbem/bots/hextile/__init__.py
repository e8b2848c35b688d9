"""Positions as boards of integers, and steps as integers: a placement is ``cell * 16 + state``."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import DRAWN, FAMILY, HEXTILE, LOT, NOBODY, SEATS, WINNER
from pbem.bots.compiling import compiled, integers
from pbem.bots.hextile.board import (
    AT,
    BY_HAND,
    CELLS,
    FIRST,
    LARGEST,
    LARGEST_CLOSED_OF,
    LEFT_IN_ALL,
    LISTS,
    PLY,
    RECORD,
    ROOM,
    RULES,
    SPACES,
    SUPPLY,
    SWAPPED,
    TILE,
    TURN,
    spaces_at,
    turn_at,
)
from pbem.bots.hextile.ruleset import KINDS, SIDE, START, TILES_A_TURN, TILES_OF, encode
from pbem.bots.hextile.turns import SWAPS, lay_one
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.position import SWAP, Placement, Position, Step


@compiled
def begin(board: MutableSequence[int], log: MutableSequence[int], first: int) -> None:
    """The position before the first turn, on a board of zeros; it is not noted, so it cannot be taken back."""
    side, start, left = board[RULES + SIDE], board[RULES + START], 0
    middle = CELLS + side // 2 * (side + 1) * RECORD
    for kind in range(board[RULES + KINDS]):
        board[SUPPLY + kind] = board[RULES + TILES_OF + kind]
        left += board[SUPPLY + kind]
    board[LEFT_IN_ALL] = left
    board[FIRST] = first
    board[WINNER] = NOBODY
    for colour in range(3):
        board[LARGEST + colour] = -1
        board[LARGEST_CLOSED_OF + colour] = -1
    board[spaces_at(board)] = middle
    board[SPACES] = 1
    board[middle + AT] = 1
    log[0] = 0
    if start:
        lay_one(board, log, middle, start)
        log[0] = 0


def new_board(table: list[int]) -> tuple[MutableSequence[int], MutableSequence[int]]:
    """A board of zeros for the rules in a table, and its log."""
    side = table[SIDE]
    board = [0] * (CELLS + side * side * RECORD + ROOM * LISTS * side)
    board[RULES : RULES + len(table)] = table
    board[FAMILY], board[SEATS], board[LOT] = HEXTILE, 2, 1
    return integers(board), integers([0] * (4000 + 200 * side))


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


def has_single_steps(board: MutableSequence[int]) -> bool:
    """Return True if one tile is laid by hand in a turn."""
    return bool(board[RULES + TILES_A_TURN] == 1)


def address(board: MutableSequence[int], cell: Cell) -> int:
    """The index at which the record of a cell begins."""
    side = int(board[RULES + SIDE])
    return CELLS + ((cell.q + side // 2) * side + cell.r + side // 2) * RECORD


def cell_at(board: MutableSequence[int], at: int) -> Cell:
    """The cell whose record begins there."""
    side = int(board[RULES + SIDE])
    q, r = divmod((int(at) - CELLS) // RECORD, side)
    return Cell(q - side // 2, r - side // 2)
