"""Watching a board: its mails for who does not play there, less of them for who does."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.model import Subscribe, Unsubscribe
from pbem.commands.unwritten import UnsubscribeByLink
from pbem.domain.boards import Board
from pbem.domain.notices import Notice
from pbem.domain.players import Player, address_key
from pbem.domain.watches import ANY_BOARD, ANY_GAME, ANYBODY, Watch, WatchKind
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.finding import find_board
from pbem.usecases.notices.audience import is_subscriber
from pbem.usecases.notices.notifications import about_board
from pbem.usecases.watching.quiet import NoMoreMails, set_quiet

MOST_WATCHES = 200
"""Of one player."""


class UnsubscribedFromElsewhere(NotAllowed):
    """The link to have less mail of a board was used from an address that is none of its player's."""

    sender: str


class NotSubscribed(NotAllowed):
    """What the speaker no longer wants to watch he does not watch: a board, the boards of a player, or of a game.

    ``waits_for_ends``: he is told when boards end, which is another thing.
    """

    number: BoardNumber | None = None
    other: str | None = None
    of_game: str | None = None
    waits_for_ends: bool = False


class TooManyWatches(NotAllowed):
    """The speaker watches enough."""

    most: int


def subscribe(command: Subscribe, context: Context) -> list[Notice]:
    """Mail the speaker everything of a board, whether he plays there or not.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails: not here, or not any more.
        TooManyWatches: he watches enough.
    """
    board, player = find_board(command.board, command.game, context), context.speaker.known
    if board.seats_of(player.id):
        return [set_quiet(board, player, context, quiet=False)]
    was = is_subscriber(board, player.id, context)
    watch_board(board, player, context)
    check_room(player.id, context)
    return [about_board("watched", board, context, {"watched": True, "was": was}, reader=player)]


def unsubscribe(command: Unsubscribe, context: Context) -> list[Notice]:
    """Mail the speaker nothing of a board; if he plays there, only when it is for him to act, and at the end.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails: not here, or not any more.
        NotSubscribed: he gets no mail of it.
    """
    board = find_board(command.board, command.game, context)
    return [unsubscribed(board, context.speaker.known, context)]


def unsubscribe_by_link(command: UnsubscribeByLink, context: Context) -> list[Notice]:
    """Do what `unsubscribe` does for whoever has the link from a mail of his.

    Raises:
        UnsubscribedFromElsewhere: the letter comes from somebody else.
        NoSuchBoard, NoMoreMails, NotSubscribed: not here, or not any more.
    """
    player, sender = context.uow.players.get(command.player), context.evidence.from_address or ""
    if address_key(sender) not in map(address_key, player.confirmed):
        raise UnsubscribedFromElsewhere(sender)
    context = replace(context, speaker=Speaker(player, Proof.CLAIMED), comment="")
    return [unsubscribed(find_board(command.board, None, context), player, context)]


def unsubscribed(board: Board, player: Player, context: Context) -> Notice:
    """Mail somebody less of a board, or nothing, and say so.

    Raises:
        NoMoreMails, NotSubscribed: he gets no mail of it.
    """
    if board.seats_of(player.id):
        return set_quiet(board, player, context, quiet=True)
    _leave_board(board, player, context)
    return about_board("watched", board, context, {"watched": False, "was": True}, reader=player)


def watch_of(
    player: Player,
    kind: WatchKind,
    game: str = ANY_GAME,
    *,
    board: BoardNumber = ANY_BOARD,
    other: PlayerId = ANYBODY,
) -> Watch:
    """A watch of a player's."""
    return Watch(player.id, kind, game, board, other, player.userid)


def watch_board(board: Board, player: Player, context: Context) -> None:
    """Have the mails of a board go to somebody who does not play there."""
    if context.course(board).result is not None:
        raise NoMoreMails(board.number)
    context.uow.watches.drop(watch_of(player, WatchKind.NONE, board=board.number))
    if not is_subscriber(board, player.id, context):
        context.uow.watches.add(watch_of(player, WatchKind.MAILS, board=board.number))


def _leave_board(board: Board, player: Player, context: Context) -> None:
    """Have no mails of a board go to somebody any more, whatever else he watches."""
    if not is_subscriber(board, player.id, context):
        raise NotSubscribed(number=board.number)
    context.uow.watches.drop(watch_of(player, WatchKind.MAILS, board=board.number))
    if is_subscriber(board, player.id, context):
        context.uow.watches.add(watch_of(player, WatchKind.NONE, board=board.number))


def check_room(player: PlayerId, context: Context) -> None:
    """Accept what somebody watches by now; boards that are over are forgotten before that becomes too much."""
    if len(context.uow.watches.of(player)) > MOST_WATCHES:
        for each in context.uow.watches.over(player):
            context.uow.watches.drop(each)
    if len(context.uow.watches.of(player)) > MOST_WATCHES:
        raise TooManyWatches(MOST_WATCHES)
