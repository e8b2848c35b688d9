"""Wanting nothing from somebody: ``block`` and ``unblock``. He is not told."""

from __future__ import annotations

from pbem.commands.model import Block, Unblock
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.errors import NotAllowed
from pbem.usecases.challenges.seeks import meet_again
from pbem.usecases.context import Context
from pbem.usecases.finding import find_player
from pbem.usecases.notices.notifications import to_sender

_MOST = 200
"""That one player may block."""


class BlocksOneself(NotAllowed):
    """The speaker means to block himself."""


class TooManyBlocks(NotAllowed):
    """The speaker has blocked as many as a player may."""

    most: int


def block(command: Block, context: Context) -> list[Notice]:
    """Let nothing come to the speaker from somebody; who is blocked already stays so.

    Raises:
        NoSuchPlayer, BlocksOneself, TooManyBlocks: it cannot be.
    """
    player, other = context.speaker.known, find_player(command.other, context)
    if other.id == player.id:
        raise BlocksOneself
    blocked = context.uow.blocks.blocked_by(player.id)
    if other.id in blocked:
        return [_told("blocked_already", other, context)]
    if len(blocked) >= _MOST:
        raise TooManyBlocks(_MOST)
    context.uow.blocks.block(player.id, other.id)
    return [_told("blocked", other, context)]


def unblock(command: Unblock, context: Context) -> list[Notice]:
    """Let everything come to the speaker again from somebody.

    Raises:
        NoSuchPlayer: there is no such player.
    """
    player, other = context.speaker.known, find_player(command.other, context)
    if other.id not in context.uow.blocks.blocked_by(player.id):
        return [_told("not_blocked", other, context)]
    context.uow.blocks.unblock(player.id, other.id)
    found = [notice for game in sorted(context.games) for notice in meet_again(player, game, context)]
    return [*found, _told("unblocked", other, context)]


def _told(what: str, other: Player, context: Context) -> Notice:
    blocked = map(context.uow.players.userid_of, context.uow.blocks.blocked_by(context.speaker.known.id))
    userids = sorted(blocked, key=str.lower)
    return to_sender("blocks", context, {"what": what, "other": other, "blocked": userids})
