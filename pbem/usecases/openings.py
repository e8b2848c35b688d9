"""Openings of finished games, kept up as games end."""

from __future__ import annotations

from typing import Any

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.openings import counted, opening_of
from pbem.domain.robots import robots_at
from pbem.games.game import Game
from pbem.storage.unit_of_work import UnitOfWork


def count_opening(board: Board, course: GameState, game: Game[Any, Any], uow: UnitOfWork) -> None:
    """Count the opening of a board that is over, once; or no longer, if its game does not count after all.

    Call this after it was rated. If it is one of a pair, the two were rated as one, perhaps with the other.
    """
    numbers = [board.number] if board.pair is None else [board.number, board.pair]
    changes = (change for number in numbers for change in uow.ratings.changes(number) if change.undone_at is None)
    ratings = {each.player: each.after for each in changes}
    uow.openings.count(board.number, counted(board, course, robots_at(board), ratings), opening_of(board, game))
