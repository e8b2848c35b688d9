"""How fast a player moves, as far as his last boards tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.domain.paces import MOST_BOARDS, pace

if TYPE_CHECKING:
    from datetime import timedelta

    from pbem.ids import PlayerId
    from pbem.usecases.context import Context


def pace_of(player: PlayerId, context: Context) -> timedelta | None:
    """The median time per move of a player; None if he has made none."""
    boards = map(context.uow.boards.find, context.uow.rankings.newest_boards(player, MOST_BOARDS))
    return pace((board for board in boards if board is not None), player)
