"""Less mail of a board for one of its players, and all of it again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.domain.players import address_key
from pbem.errors import NotAllowed
from pbem.usecases.context import Proof, Speaker
from pbem.usecases.moves import BoardOver, NotAtBoard, find_board
from pbem.usecases.notifications import about_board

if TYPE_CHECKING:
    from pbem.commands.model import Subscribe, Unsubscribe
    from pbem.domain.notices import Notice
    from pbem.domain.replies import QuietReply
    from pbem.ids import BoardNumber
    from pbem.usecases.context import Context


class UnsubscribedFromElsewhere(NotAllowed):
    """The link to have less mail of a board was used from an address that is none of its player's."""

    def __init__(self, sender: str) -> None:
        super().__init__(sender=sender)


def unsubscribe(command: Unsubscribe, context: Context) -> list[Notice]:
    """Mail the speaker of a board only when it is for him to act, and when it is over.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver: not here, or not any more.
    """
    return _set_quiet(command.board, command.game, context, quiet=True)


def subscribe(command: Subscribe, context: Context) -> list[Notice]:
    """Mail the speaker everything of a board again.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver: not here, or not any more.
    """
    return _set_quiet(command.board, command.game, context, quiet=False)


def quieten_by_link(reply: QuietReply, context: Context) -> list[Notice]:
    """Do what `unsubscribe` does for whoever has the link from a mail of his.

    Raises:
        UnsubscribedFromElsewhere: the letter comes from somebody else.
        NoSuchBoard, NotAtBoard, BoardOver: not here, or not any more.
    """
    player, sender = context.uow.players.get(reply.player), context.evidence.from_address or ""
    if address_key(sender) not in map(address_key, player.confirmed):
        raise UnsubscribedFromElsewhere(sender)
    context = replace(context, speaker=Speaker(player, Proof.CLAIMED), comment="")
    return _set_quiet(reply.board, None, context, quiet=True)


def _set_quiet(number: BoardNumber, game: str | None, context: Context, *, quiet: bool) -> list[Notice]:
    board, player = find_board(number, game, context), context.speaker.known
    if not board.seats_of(player.id):
        raise NotAtBoard(board.number, player.userid)
    if context.course(board).result is not None:
        raise BoardOver(board.number)
    after = board.with_quiet(player.id, quiet)
    if after != board:
        context.uow.boards.save(after)
    return [about_board("quiet", after, context, {"quiet": quiet}, reader=player)]
