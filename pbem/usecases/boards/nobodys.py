"""Boards that nobody has begun: previews of games, and puzzles."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.courses import Course
from pbem.games.game import Game, Options
from pbem.ids import BoardNumber, PlayerId

_NOBODY = ("first", "second", "third", "fourth")
"""Who sits, by seat, at a board that was never begun."""


def board_of_nobody(game: Game[Any, Any], options: Options, players: int, at: datetime) -> Board:
    """A board that nobody has begun, for so many players."""
    seats = tuple(SeatHolder(PlayerId(0), userid) for userid in _NOBODY[:players])
    return Board(BoardNumber(0), game.name, options, game.rules, 0, seats, at)


def facts_of_nobodys(board: Board, course: Course, game: Game[Any, Any]) -> dict[str, object]:
    """What the template needs; it tells nobody in particular, as if whoever reads it were to play."""
    return {
        "board": board,
        "course": course,
        "game": game,
        "sides": game.sides(course.position),
        "to_act": None if course.to_act is None else board.seats[course.to_act],
        "reader": None,
        "plays": False,
        "readers_turn": True,
        "subscribers": (),
    }
