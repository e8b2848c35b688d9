"""Whether a game begins anew for the others when a player takes himself off its board."""

from __future__ import annotations

from typing import Any

from pbem.domain.boards import Board
from pbem.domain.players import is_robot
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Game
from pbem.ids import PlayerId


class TooFewStay(NotAllowed):
    """The game is not for so few."""

    game: str
    players: int
    least: int


class OnlyRobotsStay(NotAllowed):
    """Nobody but computer opponents would play on."""


def obstacle(board: Board, game: Game[Any, Any], player: PlayerId) -> PlayerError | None:
    """What keeps the others from beginning anew without a player, under the same options; None if nothing does."""
    staying = board.staying_without(player)
    stay = len(staying)
    if staying and all(is_robot(board.seats[seat].userid) for seat in staying):
        return OnlyRobotsStay()
    if stay not in game.players:
        return TooFewStay(game.title, stay, game.players.start)
    try:
        game.begin(board.options, stay)
    except PlayerError as wrong:
        return wrong
    return None
