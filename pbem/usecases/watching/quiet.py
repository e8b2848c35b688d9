"""Less mail of a board for one of its players, and all of it again."""

from __future__ import annotations

from pbem.domain.boards import Board
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.usecases.context import Context
from pbem.usecases.finding import BoardOver
from pbem.usecases.notices.notifications import about_board


class NoMoreMails(BoardOver):
    """The board is finished, so that there is nothing to be told of it any more, nor is its end to come."""


def set_quiet(board: Board, player: Player, context: Context, *, quiet: bool) -> Notice:
    """Mail a player of a board only when it is for him to act, and when it is over; or everything again.

    Raises:
        NoMoreMails: it is over.
    """
    if context.course(board).result is not None:
        raise NoMoreMails(board.number)
    was_quiet = any(board.seats[seat].quiet for seat in board.seats_of(player.id))
    after = board.with_quiet(player.id, quiet)
    if after != board:
        context.uow.boards.save(after)
    return about_board("quiet", after, context, {"quiet": quiet, "was_quiet": was_quiet}, reader=player)
