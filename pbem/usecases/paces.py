"""How fast a player moves, as far as his last boards tell."""

from __future__ import annotations

from datetime import timedelta

from pbem.domain.boards import Board
from pbem.domain.paces import MOST_BOARDS, pace
from pbem.domain.players import Player
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context


def pace_of(player: PlayerId, context: Context, without: BoardNumber | None = None) -> timedelta | None:
    """The median time per move of a player, ``without`` what he did at one board; None if he has made none."""
    numbers = (each for each in context.uow.rankings.newest_boards(player, MOST_BOARDS) if each != without)
    return pace((board for board in map(context.uow.boards.find_listed, numbers) if board is not None), player)


def known_pace(player: Player, context: Context) -> timedelta | None:
    """The pace of a player as it was noted when a board of his last ended; until one has, as far as his boards tell."""
    return pace_of(player.id, context) if player.pace is None else player.pace


def renew_paces(board: Board, context: Context) -> None:
    """Note how fast the players of a board that is over have moved lately, but of nobody who has left the server.

    To be called once it is saved.
    """
    result = context.course(board).result
    unplayed = board.number if result is not None and not result.was_played else None
    for player in board.players:
        if not context.uow.players.get(player).has_left:
            context.uow.players.moves_at(player, pace_of(player, context, unplayed))
