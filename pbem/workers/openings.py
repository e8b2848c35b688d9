"""The openings of all finished games, counted anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Engine

from pbem.domain.boards import Board
from pbem.errors import Conflict, PlayerError
from pbem.games.game import Game
from pbem.storage.engine import writing
from pbem.storage.openings import OpeningRepository
from pbem.storage.operators import UnreadableBoard, count_boards, each_board
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import GameStateCache
from pbem.usecases.openings import count_opening

_AT_ONCE = 100
"""Boards of one transaction."""


def count_anew(engine: Engine, games: Mapping[str, Game[Any, Any]], told: Callable[[int, int], None]) -> int:
    """Forget all openings and count those of all finished games; servers may go on meanwhile.

    Args:
        engine: of the database.
        games: that are here; the boards of others are left out.
        told: the number of boards looked at, and of all.

    Returns:
        The number of games that count.
    """
    with writing(engine) as connection:
        OpeningRepository.forget_all(connection)
    total, done, counted = count_boards(engine), 0, 0
    boards = each_board(engine)
    while some := list(islice(boards, _AT_ONCE)):
        found = [each.board for each in some if not isinstance(each, UnreadableBoard) and each.board.game in games]
        counted += _count(engine, games, found)
        done += len(some)
        told(done, max(done, total))
    return counted


def _count(engine: Engine, games: Mapping[str, Game[Any, Any]], boards: Sequence[Board]) -> int:
    """Count some boards; return how many of them count. Whoever is quicker has counted one already."""
    courses = GameStateCache(games, size=len(boards) + 1)
    while True:
        with UnitOfWork(engine, courses) as uow:
            counted = sum(1 for board in boards if _is_counted(board, courses, games, uow))
            try:
                uow.commit()
            except Conflict:
                continue
            return counted


def _is_counted(board: Board, courses: GameStateCache, games: Mapping[str, Game[Any, Any]], uow: UnitOfWork) -> bool:
    try:
        count_opening(board, courses.of(board), games[board.game], uow)
    except (PlayerError, LookupError, ValueError):  # damaged, as `pbem db check` says
        return False
    return uow.openings.counted(board.number) is not None
