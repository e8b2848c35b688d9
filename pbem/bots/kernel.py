"""What a search asks of a board of integers, whichever family it is of; one place for each new family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots.boards import DRAWN, MOST_STEPS, SEATS, WINNER
from pbem.bots.compiling import compiled
from pbem.bots.hextile import endings, playouts, turns
from pbem.bots.hextile.board import TILE

CAREFUL, TURNS = 0, 1
"""Settings of playouts: how many turns that lose at once are taken back, in each turn; and how many turns of a game are
played that has no end soon, before it is judged as it stands."""

if TYPE_CHECKING:
    from collections.abc import MutableSequence


@compiled
def to_act(board: MutableSequence[int]) -> int:
    """The seat that plays the next step."""
    return endings.on_turn(board)


@compiled
def steps(board: MutableSequence[int], log: MutableSequence[int], room: MutableSequence[int]) -> int:
    """Fill in every step that the rules allow, and `MOST_STEPS` behind it who has won then; how many there are.

    Where it is not known who has won, `NOBODY` stands there.
    """
    return turns.steps(board, log, room, MOST_STEPS)


@compiled
def play(board: MutableSequence[int], log: MutableSequence[int], step: int) -> None:
    """Play one of the steps that the rules allow, and what follows from it by itself."""
    turns.play(board, log, step)


@compiled
def stands(board: MutableSequence[int], step: int) -> int:
    """1 if the board shows what a step would have made, whoever did it and when; 0 where that means nothing."""
    return 1 if step != turns.SWAPS and board[step // 16 + TILE] == step % 16 else 0


@compiled
def share(board: MutableSequence[int], winner: int, seat: int) -> float:
    """What a game is worth to a seat, from 0 to 1, which ``winner`` has won; or nobody."""
    if winner == DRAWN:
        return 1.0 / board[SEATS]
    return 1.0 if winner == seat else 0.0


@compiled
def finish(
    board: MutableSequence[int],
    log: MutableSequence[int],
    worths: MutableSequence[float],
    settings: MutableSequence[float],
) -> None:
    """Play by lot until it can be said what the game is worth, and fill that in for each seat, from 0 to 1."""
    playouts.play_out(board, log, int(settings[CAREFUL]))
    for seat in range(board[SEATS]):
        worths[seat] = share(board, board[WINNER], seat)
