"""Positions of Mamba as boards of integers, and steps as integers."""

from __future__ import annotations

from collections.abc import MutableSequence
from random import Random

from pbem.bots.boards import DRAWN, FAMILY, LOT, MAMBA, NOBODY, SEATS, WINNER
from pbem.bots.compiling import integers
from pbem.bots.mamba.board import (
    AREA,
    FIRST,
    HASH,
    IN_PLAY,
    LAID,
    LAID_AT,
    MUST_MOVE,
    OFF,
    ON_TURN,
    PIECES,
    PLAYING,
    PLY,
    QUIET,
    ROUND,
    ROUNDS,
    SEAT_KEYS,
    SLOTS,
    SQUARES,
    START_COUNTS,
    STIRRED,
    STOOD_AT,
    STRICT,
    TEAMS,
    TOO_FEW,
    WIDTH,
)
from pbem.bots.mamba.turns import LAY, MOVE, PASS, count_stood
from pbem.games.mamba.events import is_quiet
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import EMPTY, MARKS, Cell, Squares
from pbem.games.mamba.steps import PASS as PASSES
from pbem.games.mamba.steps import Lay, Move, Pass, Step

LEAST_SLOTS = 4096
"""Slots for boards that have stood, a power of 2; there are four for each that stands there already."""
LOG = 1 << 18
"""Numbers that a log has room for: thousands of turns."""

_KEYS = 0x5EED
"""The keys of hashes are always the same ones."""


def new_board(rules: Ruleset) -> list[int]:
    """A board of zeros under these rules, with the border and the keys, and no slots."""
    width = rules.size + 2
    board = [0] * STOOD_AT
    board[WIDTH], board[TEAMS], board[STRICT] = width, int(rules.teams), int(rules.strict_isolation)
    board[MUST_MOVE], board[ROUNDS], board[TOO_FEW] = int(rules.must_move), rules.rounds or 0, rules.too_few
    board[START_COUNTS] = int(rules.version == 1)
    board[FAMILY], board[SEATS], board[LOT], board[WINNER] = MAMBA, rules.players, 1, NOBODY
    inside = range(1, width - 1)
    for place in range(width * width):
        board[SQUARES + place] = 0 if place // width in inside and place % width in inside else OFF
    lots = Random(_KEYS)  # noqa: S311 - not a secret
    for at in range(SQUARES + AREA, SEAT_KEYS + len(MARKS)):
        board[at] = lots.randrange(-(1 << 31), 1 << 31)
    return board


def from_position(position: Position) -> tuple[MutableSequence[int], MutableSequence[int]]:
    """The board that shows a position where nothing has to be decided, and its log."""
    rules = position.rules
    slots = LEAST_SLOTS
    while slots < 4 * len(position.stood):
        slots *= 2
    board = new_board(rules) + [0] * (2 * slots)
    board[SLOTS] = slots
    board[ON_TURN], board[FIRST], board[PLY] = position.on_turn, position.first, position.ply
    board[ROUND], board[QUIET] = position.round, position.quiet
    board[STIRRED] = int(not is_quiet(position.turn.happened))
    for seat in position.playing:
        board[PLAYING + seat] = 1
    board[IN_PLAY] = len(position.playing)
    for place, cell in enumerate(sorted(position.turn.laid)):
        board[LAID_AT + place] = address(board, cell)
    board[LAID] = len(position.turn.laid)
    for cell, mark in enumerate(position.squares):
        board[address(board, cell)] = owner = MARKS.find(mark) + 1
        if owner:
            board[PIECES + owner - 1] += 1
    board[HASH] = _hash_of(board, position.squares)
    if position.outcome is not None:
        winners = position.outcome.winners
        board[WINNER] = rules.party(winners[0]) if winners else DRAWN
    numbers, log = integers(board), integers([0] * LOG)
    for (squares, seat), times in position.stood.items():
        count_stood(numbers, log, _hash_of(board, squares) ^ board[SEAT_KEYS + seat], times)
        log[0] = 0
    return numbers, log


def _hash_of(board: MutableSequence[int], squares: Squares) -> int:
    """The hash of cells."""
    key = 0
    for cell, mark in enumerate(squares):
        if mark != EMPTY:
            key ^= int(board[address(board, cell) + (MARKS.index(mark) + 1) * AREA])
    return key


def address(board: MutableSequence[int], cell: Cell) -> int:
    """The index of a cell."""
    width = int(board[WIDTH])
    row, column = divmod(cell, width - 2)
    return SQUARES + (row + 1) * width + column + 1


def cell_at(board: MutableSequence[int], at: int) -> Cell:
    """The cell at an index."""
    width = int(board[WIDTH])
    row, column = divmod(int(at) - SQUARES, width)
    return (row - 1) * (width - 2) + column - 1


def to_step(board: MutableSequence[int], number: int) -> Step:
    """A step by its number."""
    kind, first, second = int(number) >> 16, int(number) >> 8 & 255, int(number) & 255
    if kind == PASS:
        return PASSES
    one, other = cell_at(board, first), cell_at(board, second)
    return Lay(one, other) if kind == LAY else Move(one, other)


def to_number(board: MutableSequence[int], step: Step) -> int:
    """The number of a step.

    Raises:
        ValueError: it answers a decision, and so has none.
    """
    match step:
        case Lay(one, other):
            kind = LAY
        case Move(one, other):
            kind = MOVE
        case Pass():
            return PASS
        case _:
            raise ValueError(step)
    return kind << 16 | address(board, one) << 8 | address(board, other)
