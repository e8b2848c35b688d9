"""The operations of a search on a board of integers, with a branch for each family of games."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from pbem.bots import hextile, mamba
from pbem.bots.boards import DRAWN, FAMILY, MAMBA, MOST_STEPS, SEATS, WINNER
from pbem.bots.compiling import compiled
from pbem.bots.hextile import endings
from pbem.bots.hextile import playouts as hextile_playouts
from pbem.bots.hextile import turns as hextile_turns
from pbem.bots.hextile import wins as hextile_wins
from pbem.bots.hextile.board import TILE
from pbem.bots.mamba import playouts as mamba_playouts
from pbem.bots.mamba import turns as mamba_turns
from pbem.bots.mamba.board import TEAMS, party_of
from pbem.games.game import Position
from pbem.games.hextile.position import Placement, Swap
from pbem.games.hextile.position import Position as HexTilePosition
from pbem.games.mamba.position import Position as MambaPosition
from pbem.games.mamba.steps import Lay, Move, Pass

TURNS, TRIES, WINS = range(3)
"""Settings of playouts: see `pbem.bots.tree.Settings`."""


@compiled
def to_act(board: MutableSequence[int]) -> int:
    """The seat that plays the next step."""
    return mamba_turns.to_act(board) if board[FAMILY] == MAMBA else endings.on_turn(board)


@compiled
def steps(board: MutableSequence[int], log: MutableSequence[int], room: MutableSequence[int]) -> int:
    """Fill in every legal step and, `MOST_STEPS` places after it, the winner then; return the number of steps.

    Where nobody has won, or it is not known, the winner is `NOBODY`.
    """
    if board[FAMILY] == MAMBA:
        return mamba_turns.steps(board, log, room, MOST_STEPS)
    return hextile_turns.steps(board, log, room, MOST_STEPS)


@compiled
def play(board: MutableSequence[int], log: MutableSequence[int], step: int) -> None:
    """Play one of the steps that the rules allow, and what follows from it by itself."""
    if board[FAMILY] == MAMBA:
        mamba_turns.play(board, log, step)
    else:
        hextile_turns.play(board, log, step)


@compiled
def win_at_once(board: MutableSequence[int], log: MutableSequence[int]) -> int:
    """Play the turn, or the rest of one, so that it wins; return 0, and change nothing, if none was found quickly."""
    return 0 if board[FAMILY] == MAMBA else hextile_wins.win_at_once(board, log)


@compiled
def is_in_either_order(board: MutableSequence[int], log: MutableSequence[int], first: int, second: int) -> int:
    """1 if a step just played and one that may follow in the turn come to the same in the other order.

    It is for the caller to know that the second one could have been played before the first.
    """
    if board[FAMILY] == MAMBA or first == hextile_turns.SWAPS:
        return 0
    return hextile_turns.is_in_either_order(board, log, first, second)


@compiled
def stands(board: MutableSequence[int], step: int) -> int:
    """1 if the board shows what a step would have made, whoever did it and when; 0 where that means nothing."""
    if board[FAMILY] == MAMBA or step == hextile_turns.SWAPS:
        return 0
    return 1 if board[step // 16 + TILE] == step % 16 else 0


@compiled
def share(board: MutableSequence[int], winner: int, seat: int) -> float:
    """The worth of a finished game to a seat, from 0 to 1; partners share it. ``winner`` may be nobody."""
    if board[FAMILY] == MAMBA:
        if winner == DRAWN:
            return 0.5 if board[TEAMS] else 1.0 / board[SEATS]
        return 1.0 if winner == party_of(board, seat) else 0.0
    if winner == DRAWN:
        return 0.5
    return 1.0 if winner == seat else 0.0


@compiled
def finish(
    board: MutableSequence[int],
    log: MutableSequence[int],
    worths: MutableSequence[float],
    settings: MutableSequence[float],
) -> None:
    """Play at random until the game can be judged, and fill in its worth for each seat, from 0 to 1."""
    if board[FAMILY] == MAMBA:
        mamba_playouts.play_out(board, log, worths, int(settings[TURNS]), int(settings[TRIES]))
        return
    hextile_playouts.play_out(board, log, int(settings[WINS]))
    for seat in range(board[SEATS]):
        worths[seat] = share(board, board[WINNER], seat)


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
