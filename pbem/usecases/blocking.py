"""Blocks, and limits on boards."""

from __future__ import annotations

from pbem.commands.accounts import Block, Unblock
from pbem.commands.challenges import AcceptChallenges, LimitBoards, RejectChallenges, ShowLimit
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.errors import NotAllowed
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import to_sender
from pbem.usecases.seeks import meet_again
from pbem.usecases.understanding import find_player

_MOST = 200
"""The most players that one player may block."""


class BlocksOneself(NotAllowed):
    """The speaker tries to block themselves."""


class TooManyBlocks(NotAllowed):
    """The speaker has blocked as many as a player may."""

    most: int


@handles(Block)
def block(command: Block, context: Context) -> list[Notice]:
    """Block a player; one who is blocked already stays blocked.

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


@handles(Unblock)
def unblock(command: Unblock, context: Context) -> list[Notice]:
    """Unblock a player.

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


HIGHEST_LIMIT = 999
"""Most boards of a game that a limit can allow."""


class LimitTooHigh(NotAllowed):
    """Nobody plays at so many boards; ``most`` is the highest limit."""

    most: int


@handles(AcceptChallenges)
def accept_challenges(command: AcceptChallenges, context: Context) -> list[Notice]:
    """Accept challenges to any number of boards of a game.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return _set(command.game, None, context)


@handles(RejectChallenges)
def reject_challenges(command: RejectChallenges, context: Context) -> list[Notice]:
    """Accept no challenges to boards of a game; the speaker's own challenges and seeks go on.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return _set(command.game, 0, context)


@handles(LimitBoards)
def limit_boards(command: LimitBoards, context: Context) -> list[Notice]:
    """Accept challenges while the speaker has fewer active boards of a game than this.

    Raises:
        NoSuchGame: the server does not play it.
        LimitTooHigh: that is no limit.
    """
    if command.most > HIGHEST_LIMIT:
        raise LimitTooHigh(HIGHEST_LIMIT)
    return _set(command.game, command.most, context)


@handles(ShowLimit)
def show_limit(command: ShowLimit, context: Context) -> list[Notice]:
    """Show the number of boards of a game to which the speaker may be challenged.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return [_limit_notice(context.game(command.game).name, context, changed=False)]


def _set(game: str, most: int | None, context: Context) -> list[Notice]:
    name = context.game(game).name
    context.uow.readiness.save(context.speaker.known.id, name, most)
    found = meet_again(context.speaker.known, name, context)
    return [*found, _limit_notice(name, context, changed=True)]


def _limit_notice(game: str, context: Context, *, changed: bool) -> Notice:
    player = context.speaker.known
    facts = {
        "game": context.games[game],
        "changed": changed,
        "most": context.uow.readiness.most(player.id, game),
        "active": context.uow.boards.active_of(player.id, game),
        "seeks": [each for each in context.uow.seeks.of_game(game) if each.player == player.id],
    }
    return to_sender("limit", context, facts)
