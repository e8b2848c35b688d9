"""Watching many boards at once: by their numbers, those of players or games; and word of their end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pbem.commands.model import NotifyOfEnd, SubscribeTo, UnsubscribeFrom, Watched
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.domain.watches import ANY_BOARD, ANY_GAME, ANYBODY, Watch, WatchKind
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.finding import find_board, find_player
from pbem.usecases.notices.notifications import to_sender
from pbem.usecases.reasons import Reasons
from pbem.usecases.watching.quiet import NoMoreMails, set_quiet
from pbem.usecases.watching.subscriptions import NotSubscribed, check_room, unsubscribed, watch_board, watch_of


class WatchesOwn(NotAllowed):
    """The speaker asks for what he gets anyway: the mails of his own boards, or word of their end."""

    number: BoardNumber | None = None


def subscribe_to(command: SubscribeTo, context: Context) -> list[Notice]:
    """Mail the speaker everything of several boards, of those of some players, or of all, future ones too.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails, NoSuchPlayer, NoSuchGame: there is nothing to watch.
        WatchesOwn: a player named is himself.
        TooManyWatches: he watches enough.
        SeveralReasons: more than one of these.
    """
    player, reasons = context.speaker.known, Reasons()
    own: list[BoardNumber] = []
    for number in command.watched.boards:
        with reasons.gathered():
            board = find_board(number, command.game, context)
            if board.seats_of(player.id):
                set_quiet(board, player, context, quiet=False)
                own.append(number)
            else:
                watch_board(board, player, context)
    for watch in _of_kinds(command.watched, command.game, context, reasons):
        context.uow.watches.drop(replace(watch, kind=WatchKind.NONE))
        context.uow.watches.add(watch)
    reasons.check()
    check_room(player.id, context)
    return [_told(context, heard=own)]


def _of_kinds(watched: Watched, game: str | None, context: Context, reasons: Reasons) -> list[Watch]:
    """What is asked for beside single boards: the boards of players, and all."""
    player, of_game, found = context.speaker.known, ANY_GAME, []
    with reasons.gathered():
        of_game = ANY_GAME if game is None else context.game(game).name
    for userid in watched.userids:
        with reasons.gathered():
            other = _other(userid, player, context)
            found.append(watch_of(player, WatchKind.MAILS, of_game, other=other.id))
    return [*found, watch_of(player, WatchKind.MAILS, of_game)] if watched.everything else found


def _other(userid: str, player: Player, context: Context) -> Player:
    other = find_player(userid, context)
    if other.id == player.id:
        raise WatchesOwn
    return other


def unsubscribe_from(command: UnsubscribeFrom, context: Context) -> list[Notice]:
    """Take back what `subscribe_to` does; with ``all`` everything, or everything of a game.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails, NoSuchPlayer, NoSuchGame: there is nothing to watch.
        NotSubscribed: he does not.
        SeveralReasons: more than one of these.
    """
    player, reasons = context.speaker.known, Reasons()
    own: list[BoardNumber] = []
    for number in command.watched.boards:
        with reasons.gathered():
            board = find_board(number, command.game, context)
            unsubscribed(board, player, context)
            own += [number] if board.seats_of(player.id) else []
    for watch in _of_kinds(replace(command.watched, everything=False), command.game, context, reasons):
        with reasons.gathered():
            _drop(watch, context)
    if command.watched.everything:
        with reasons.gathered():
            _drop_all(player, command.game, context)
    reasons.check()
    return [_told(context, quieted=own)]


def _drop(watch: Watch, context: Context) -> None:
    """Watch a player's boards no more: those of a game, or of every game in which they are watched."""
    mine = [each for each in context.uow.watches.of(watch.player) if each.kind is WatchKind.MAILS]
    meant = [each for each in mine if each.other == watch.other and watch.game in (ANY_GAME, each.game)]
    if not meant:
        raise NotSubscribed(other=context.uow.players.userid_of(watch.other), of_game=watch.game or None)
    for each in meant:
        context.uow.watches.drop(each)


def _drop_all(player: Player, game: str | None, context: Context) -> None:
    """Watch nothing any more, or nothing of a game; watches of all games go on for the others."""
    of_game = ANY_GAME if game is None else context.game(game).name
    mine = [each for each in context.uow.watches.of(player.id) if each.kind is not WatchKind.END]
    meant = [each for each in mine if of_game in (ANY_GAME, _game_of(each, context))]
    nothing = watch_of(player, WatchKind.NONE, of_game)
    goes_on = of_game != ANY_GAME and watch_of(player, WatchKind.MAILS) in mine
    if not any(each.kind is WatchKind.MAILS for each in meant) and (not goes_on or nothing in mine):
        ends = any(each.kind is WatchKind.END for each in context.uow.watches.of(player.id))
        raise NotSubscribed(of_game=of_game or None, waits_for_ends=ends)
    for each in meant:
        context.uow.watches.drop(each)
    if goes_on:
        context.uow.watches.add(nothing)


def _game_of(watch: Watch, context: Context) -> str:
    board = None if watch.board == ANY_BOARD else context.uow.boards.find_listed(watch.board)
    return watch.game if board is None else board.game


def notify_of_end(command: NotifyOfEnd, context: Context) -> list[Notice]:
    """Tell the speaker when boards end, or every board of a game; asked for again, no longer.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails, NoSuchGame: there is nothing to wait for.
        WatchesOwn: he plays there.
        TooManyWatches: he watches enough.
        SeveralReasons: more than one of these.
    """
    player, reasons = context.speaker.known, Reasons()
    wanted: list[Watch] = []
    for number in command.boards:
        with reasons.gathered():
            board = find_board(number, command.game, context)
            if context.course(board).result is not None:
                raise NoMoreMails(board.number)
            if board.seats_of(player.id):
                raise WatchesOwn(board.number)
            wanted.append(watch_of(player, WatchKind.END, board=board.number))
    if not command.boards and command.game is not None:
        wanted.append(watch_of(player, WatchKind.END, context.game(command.game).name))
    reasons.check()
    known = context.uow.watches.of(player.id)
    for watch in wanted:
        (context.uow.watches.drop if watch in known else context.uow.watches.add)(watch)
    check_room(player.id, context)
    untold = [each for each in wanted if each in known]
    return [_told(context, {"told": [each for each in wanted if each not in known], "untold": untold})]


def _told(
    context: Context,
    ends: Mapping[str, Sequence[Watch]] = MappingProxyType({}),
    *,
    heard: Sequence[BoardNumber] = (),
    quieted: Sequence[BoardNumber] = (),
) -> Notice:
    """All that the speaker watches by now, and what has been changed beside that.

    Args:
        context: of the command.
        ends: of which he is ``told`` from now on, and ``untold``.
        heard: boards of his own of which he gets all mails from now on.
        quieted: boards of his own of which he gets few.
    """
    player = context.speaker.known
    watches = context.uow.watches.of(player.id)
    others = {each.other: context.uow.players.userid_of(each.other) for each in watches if each.other != ANYBODY}
    facts = {"player": player, "watches": watches, "userids": others, "ends": ends}
    return to_sender("watches", context, {**facts, "heard": heard, "quieted": quieted})
