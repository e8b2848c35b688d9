"""Watching boards and players; fewer mails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pbem.commands.accounts import SetPreferences
from pbem.commands.internal import StopMailsByLink, UnsubscribeByLink
from pbem.commands.watching import NotifyOfEnd, Subscribe, SubscribeTo, Unsubscribe, UnsubscribeFrom, Watched
from pbem.domain.boards import Board
from pbem.domain.mails import Notice
from pbem.domain.players import Player, address_key
from pbem.domain.replies import QuietReply, StopReply, UnsubscribeReply
from pbem.domain.watches import ANY_BOARD, ANY_GAME, ANYBODY, Watch, WatchKind
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context, Proof, Speaker, handles
from pbem.usecases.notices import about_board, is_subscriber, to_sender
from pbem.usecases.preferences import set_preferences
from pbem.usecases.refusals import Reasons
from pbem.usecases.understanding import BoardOver, find_board, find_player


class NoMoreMails(BoardOver):
    """The board is finished, so there is no more mail about it, and no end to wait for."""


def set_quiet(board: Board, player: Player, context: Context, *, quiet: bool) -> Notice:
    """Mail a player only when they are to act at a board and when it is over; or everything again.

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


MOST_WATCHES = 200
"""The most watches of one player."""


class UnsubscribedFromElsewhere(NotAllowed):
    """The link for less mail was used from an address that is not its player's."""

    sender: str


class NotSubscribed(NotAllowed):
    """The speaker does not watch what they want to stop watching: a board, the boards of a player, or of a game.

    ``waits_for_ends``: they are told when boards end, which is another thing.
    """

    number: BoardNumber | None = None
    other: str | None = None
    of_game: str | None = None
    waits_for_ends: bool = False


class TooManyWatches(NotAllowed):
    """The speaker has as many watches as a player may."""

    most: int


@handles(Subscribe)
def subscribe(command: Subscribe, context: Context) -> list[Notice]:
    """Mail the speaker everything of a board, as a player there or a watcher.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails: not here, or not any more.
        TooManyWatches: the speaker watches enough.
    """
    board, player = find_board(command.board, command.game, context), context.speaker.known
    if board.seats_of(player.id):
        return [set_quiet(board, player, context, quiet=False)]
    was = is_subscriber(board, player.id, context)
    watch_board(board, player, context)
    check_room(player.id, context)
    return [about_board("watched", board, context, {"watched": True, "was": was}, reader=player)]


@handles(Unsubscribe)
def unsubscribe(command: Unsubscribe, context: Context) -> list[Notice]:
    """Mail the speaker nothing of a board; if they play there, only when they are to act, and at the end.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails: not here, or not any more.
        NotSubscribed: they get no mail of it.
    """
    board = find_board(command.board, command.game, context)
    return [unsubscribed(board, context.speaker.known, context)]


@handles(UnsubscribeByLink)
def unsubscribe_by_link(command: UnsubscribeByLink, context: Context) -> list[Notice]:
    """Do what `unsubscribe` does for whoever has the link from a mail of theirs.

    Raises:
        UnsubscribedFromElsewhere: it is a letter, and comes from somebody else.
        NoSuchBoard, NoMoreMails, NotSubscribed: not here, or not any more.
    """
    context = _by_link(command, context)
    return [unsubscribed(find_board(command.board, None, context), context.speaker.known, context)]


@handles(StopMailsByLink)
def stop_mails_by_link(command: StopMailsByLink, context: Context) -> list[Notice]:
    """Do what `set` does for whoever has the link from a mail of theirs.

    Raises:
        UnsubscribedFromElsewhere: it is a letter, and comes from somebody else.
    """
    return set_preferences(SetPreferences(((command.preference, "off"),)), _by_link(command, context))


def command_of_link(link: UnsubscribeReply, *, is_click: bool = False) -> UnsubscribeByLink | StopMailsByLink:
    """The command of a link to unsubscribe; ``is_click``: it was used on the web, not by a letter."""
    match link:
        case QuietReply(player, board):
            return UnsubscribeByLink(board, player, is_click)
        case StopReply(player, preference):
            return StopMailsByLink(preference, player, is_click)


def _by_link(command: UnsubscribeByLink | StopMailsByLink, context: Context) -> Context:
    """The context with the player of a link as speaker.

    Raises:
        UnsubscribedFromElsewhere: it is a letter, and comes from somebody else.
    """
    player, sender = context.uow.players.get(command.player), context.evidence.from_address or ""
    if not command.is_click and address_key(sender) not in map(address_key, player.confirmed):
        raise UnsubscribedFromElsewhere(sender)
    return replace(context, speaker=Speaker(player, Proof.CLAIMED), comment="")


def unsubscribed(board: Board, player: Player, context: Context) -> Notice:
    """Mail a player less of a board, or nothing, and say so.

    Raises:
        NoMoreMails, NotSubscribed: they get no mail of it.
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
    """A watch of a player, of every game, board and opponent unless given."""
    return Watch(player.id, kind, game, board, other, player.userid)


def watch_board(board: Board, player: Player, context: Context) -> None:
    """Send the mails of a board to a player who does not play there."""
    if context.course(board).result is not None:
        raise NoMoreMails(board.number)
    context.uow.watches.drop(watch_of(player, WatchKind.NONE, board=board.number))
    if not is_subscriber(board, player.id, context):
        context.uow.watches.add(watch_of(player, WatchKind.MAILS, board=board.number))


def _leave_board(board: Board, player: Player, context: Context) -> None:
    """Send a player no more mails of a board, whatever else they watch."""
    if not is_subscriber(board, player.id, context):
        raise NotSubscribed(number=board.number)
    context.uow.watches.drop(watch_of(player, WatchKind.MAILS, board=board.number))
    if is_subscriber(board, player.id, context):
        context.uow.watches.add(watch_of(player, WatchKind.NONE, board=board.number))


def check_room(player: PlayerId, context: Context) -> None:
    """Accept the watches of a player; boards that are over are forgotten before there are too many."""
    if len(context.uow.watches.of(player)) > MOST_WATCHES:
        for each in context.uow.watches.over(player):
            context.uow.watches.drop(each)
    if len(context.uow.watches.of(player)) > MOST_WATCHES:
        raise TooManyWatches(MOST_WATCHES)


class WatchesOwn(NotAllowed):
    """The speaker asks for something they get anyway: the mails of their own boards, or word of their end."""

    number: BoardNumber | None = None


@handles(SubscribeTo)
def subscribe_to(command: SubscribeTo, context: Context) -> list[Notice]:
    """Mail the speaker everything of several boards, of those of some players, or of all, future ones too.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails, NoSuchPlayer, NoSuchGame: there is nothing to watch.
        WatchesOwn: a player named is the speaker.
        TooManyWatches: the speaker watches enough.
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
    """The watches asked for beside single boards: the boards of players, and all."""
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


@handles(UnsubscribeFrom)
def unsubscribe_from(command: UnsubscribeFrom, context: Context) -> list[Notice]:
    """Undo what `subscribe_to` does; with ``all`` for everything, or for everything of a game.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails, NoSuchPlayer, NoSuchGame: there is nothing to watch.
        NotSubscribed: the speaker does not watch it.
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
    """Stop watching a player's boards: those of a game, or of every game in which they are watched."""
    mine = [each for each in context.uow.watches.of(watch.player) if each.kind is WatchKind.MAILS]
    meant = [each for each in mine if each.other == watch.other and watch.game in (ANY_GAME, each.game)]
    if not meant:
        raise NotSubscribed(other=context.uow.players.userid_of(watch.other), of_game=watch.game or None)
    for each in meant:
        context.uow.watches.drop(each)


def _drop_all(player: Player, game: str | None, context: Context) -> None:
    """Stop watching everything, or everything of a game; watches of all games go on for the others."""
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


@handles(NotifyOfEnd)
def notify_of_end(command: NotifyOfEnd, context: Context) -> list[Notice]:
    """Tell the speaker when boards end, or every board of a game; if asked for again, no longer.

    Raises:
        NoSuchBoard, OtherGame, NoMoreMails, NoSuchGame: there is nothing to wait for.
        WatchesOwn: the speaker plays there.
        TooManyWatches: the speaker watches enough.
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
    """All that the speaker watches by now, and the other changes.

    Args:
        context: of the command.
        ends: those of which the speaker is ``told`` from now on, and ``untold``.
        heard: own boards of which the speaker gets all mails from now on.
        quieted: own boards of which the speaker gets few.
    """
    player = context.speaker.known
    watches = context.uow.watches.of(player.id)
    others = {each.other: context.uow.players.userid_of(each.other) for each in watches if each.other != ANYBODY}
    facts = {"player": player, "watches": watches, "userids": others, "ends": ends}
    return to_sender("watches", context, {**facts, "heard": heard, "quieted": quieted})
