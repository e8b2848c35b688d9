"""Seats, and the players who may hold them."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any, Literal, TypeAlias

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.game_state import GameState
from pbem.domain.players import Player, Standing
from pbem.errors import NotAllowed
from pbem.games.game import Game, Options
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context

Bar: TypeAlias = Literal["banned", "gone", "frozen", "unconfirmed", "unreachable"]
"""A reason why a player cannot hold a seat."""


class CannotBeSeated(NotAllowed):
    """The operator wants to give a seat to a player who could not play; ``bar`` says why."""

    userid: str
    bar: Bar


def bar_to_seats(player: Player) -> Bar | None:
    """The reason why a player cannot hold a seat; None if there is none."""
    match player.standing:
        case Standing.BANNED:
            return "banned"
        case Standing.GONE:
            return "gone"
        case Standing.FROZEN:
            return "frozen"
    if player.is_robot:
        return None
    if not player.confirmed:
        return "unconfirmed"
    return "unreachable" if player.is_unreachable else None


def room_left(player: Player, game: str, context: Context) -> int:
    """The number of boards of a game that a player still wants; rejecting challenges does not limit their own."""
    most = context.uow.readiness.most(player.id, game)
    return most - context.uow.boards.active_of(player.id, game) if most else sys.maxsize


def seated(player: Player, uow: UnitOfWork) -> SeatHolder:
    """The player as the holder of a seat.

    The player is held, so that a change of their account meanwhile conflicts with the seat, and one is decided anew.
    """
    uow.players.hold(player)
    return SeatHolder(player.id, player.userid)


_NOBODY = ("first", "second", "third", "fourth")
"""The players, by seat, of a board that was never begun."""


def board_of_nobody(game: Game[Any, Any], options: Options, players: int, at: datetime) -> Board:
    """A board that nobody has begun, for so many players."""
    seats = tuple(SeatHolder(PlayerId(0), userid) for userid in _NOBODY[:players])
    return Board(BoardNumber(0), game.name, options, game.rules, 0, seats, at)


def facts_of_nobodys(board: Board, course: GameState, game: Game[Any, Any]) -> dict[str, object]:
    """The facts for the template, for no particular reader: as if whoever reads it were to play."""
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
