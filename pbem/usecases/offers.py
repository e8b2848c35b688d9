"""Offers of draws and undos, resigning, and leaving a board."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from pbem.commands.command import TurnCommand
from pbem.commands.playing import AcceptOffer, AskUndo, ProposeDraw, RejectOffer
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import LEAVING, EventKind, OfferKind
from pbem.domain.mails import Notice
from pbem.domain.offers import Offer
from pbem.domain.players import Player
from pbem.domain.robots import robots_at
from pbem.domain.vacations import ROBOT, under_way
from pbem.errors import NotAllowed
from pbem.games.game import Seat, TurnRecord
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context, handles
from pbem.usecases.follow_ups import announced_by, dropped_of, go_on, to_owners
from pbem.usecases.moves import Overtaken, decline, seats_in_play
from pbem.usecases.notices import table_facts, wants


class NothingOffered(NotAllowed):
    """Nothing is offered at the board; it may be a challenge that the speaker has not answered with a move yet."""

    board: BoardNumber
    is_challenge: bool = False


class OwnOffer(NotAllowed):
    """The offer is the speaker's own."""

    board: BoardNumber
    kind: OfferKind


class AgreedAlready(NotAllowed):
    """The speaker has said yes already, and others have not yet."""

    board: BoardNumber
    kind: OfferKind


class OfferOpen(NotAllowed):
    """Something is offered already, and has to be answered first."""

    board: BoardNumber
    kind: OfferKind
    by: str
    is_own: bool


class OfferedTooSoon(NotAllowed):
    """The same was offered before and not agreed upon, and nothing has been played since."""

    board: BoardNumber
    kind: OfferKind


class TooEarlyForDraw(NotAllowed):
    """Somebody has not made a move yet: they may still decline, and need not answer."""

    board: BoardNumber
    userids: Sequence[str]


class NothingToTakeBack(NotAllowed):
    """The speaker has no move at the board to take back."""

    board: BoardNumber


class LeftSince(NotAllowed):
    """Somebody has left the game since the speaker's last move, which cannot be taken back."""

    board: BoardNumber
    userid: str


@handles(ProposeDraw)
def propose_draw(command: ProposeDraw, context: Context) -> list[Notice]:
    """Offer a draw, or agree to the one that is offered.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken, OtherMoveNumber: not here, or not now.
        AgreedAlready, OfferOpen, OfferedTooSoon, TooEarlyForDraw: not now.
    """
    board, seats = seats_in_play(command, context)
    offer = context.course(board).offer
    if offer is not None and offer.kind is OfferKind.DRAW and offer.seat not in board.seats_of(_speaker(board, seats)):
        return _agree(board, offer, seats, context)
    _check_can_offer(board, OfferKind.DRAW, seats, context)
    playing = [board.seats[seat] for seat in context.course(board).position.playing]
    unmoved = [holder.userid for holder in playing if not _has_moved(board, holder)]
    if unmoved:
        raise TooEarlyForDraw(board.number, list(dict.fromkeys(unmoved)))
    return _offer(board, OfferKind.DRAW, seats[0], 0, context)


@handles(AskUndo)
def ask_undo(command: AskUndo, context: Context) -> list[Notice]:
    """Ask to take back the speaker's last move and all that followed, including an announced resignation.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken, OtherMoveNumber: not here, or not now.
        OfferOpen, OfferedTooSoon: not now.
        NothingToTakeBack, LeftSince: there is no such move.
    """
    board, seats = seats_in_play(command, context)
    _check_can_offer(board, OfferKind.UNDO, seats, context)
    back_to = _last_move(board, seats, context) - 1
    announced = announced_by(board, _speaker(board, seats))
    if announced is not None:
        board = board.with_resigning(announced, resigning=False)
    return _offer(board, OfferKind.UNDO, seats[0], back_to, context, {"stays": announced is not None})


@handles(AcceptOffer)
def accept_offer(command: AcceptOffer, context: Context) -> list[Notice]:
    """Accept an offer; once all have accepted it, it is carried out.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken, OtherMoveNumber: not here, or not now.
        NothingOffered, OwnOffer, AgreedAlready: there is nothing for the speaker to agree to.
    """
    board, seats, offer = _open(command, context)
    if offer.seat in board.seats_of(_speaker(board, seats)):
        raise OwnOffer(board.number, offer.kind)
    return _agree(board, offer, seats, context)


@handles(RejectOffer)
def reject_offer(command: RejectOffer, context: Context) -> list[Notice]:
    """Refuse an offer; the player who has made it takes it back.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken, OtherMoveNumber: not here, or not now.
        NothingOffered: nothing is.
    """
    board, seats, offer = _open(command, context)
    seat = offer.seat if offer.seat in seats else seats[0]
    return go_on(board.with_event(EventKind.REFUSAL, seat, context.now), context)


def _speaker(board: Board, seats: Sequence[Seat]) -> PlayerId:
    return board.seats[seats[0]].player


def _open(command: TurnCommand, context: Context) -> tuple[Board, tuple[Seat, ...], Offer]:
    """The board, the speaker's seats, and the open offer; a mail from before the offer is no answer to it."""
    board, seats = seats_in_play(command, context)
    course = context.course(board)
    if course.offer is None:
        is_challenge = board.tournament is None and not board.has_answered(_speaker(board, seats))
        raise NothingOffered(board.number, is_challenge=is_challenge)
    answers = context.speaker.answers_event
    if answers is not None and answers < course.offer.event:
        raise Overtaken(board.number, can_act=course.to_act in seats, on_web=context.speaker.session is not None)
    return board, seats, course.offer


def _check_can_offer(board: Board, kind: OfferKind, seats: Collection[Seat], context: Context) -> None:
    talk = context.course(board).talk
    if talk.offer is not None:
        holder = board.seats[talk.offer.seat]
        is_own = holder.player == context.speaker.known.id
        raise OfferOpen(board.number, talk.offer.kind, holder.userid, is_own=is_own)
    if any((kind, seat) in talk.refused for seat in seats):
        raise OfferedTooSoon(board.number, kind)


def _last_move(board: Board, seats: Collection[Seat], context: Context) -> int:
    """The number of the event that was the last move of these seats by their present holder."""
    handovers = (each.number for each in board.played if each.kind is EventKind.HANDOVER and each.seat in seats)
    since = max(handovers, default=0)
    mine = [each.event for each in context.course(board).inputs if each.seat in seats and each.event > since]
    if not mine:
        raise NothingToTakeBack(board.number)
    left = next((each.seat for each in board.played if each.kind in LEAVING and each.number > mine[-1]), None)
    if left is not None:
        raise LeftSince(board.number, board.seats[left].userid)
    return mine[-1]


def _offer(
    board: Board,
    kind: OfferKind,
    seat: Seat,
    back_to: int,
    context: Context,
    to_speaker: Mapping[str, object] | None = None,
) -> list[Notice]:
    """Offer something to the others; if there are none, it is agreed at once."""
    playing = context.course(board).position.playing
    if all(board.seats[each].player == board.seats[seat].player for each in playing):
        return _done(board, kind, seat, back_to, context)
    record = {"of": kind.value, **({"back_to": back_to} if kind is OfferKind.UNDO else {})}
    return go_on(board.with_event(EventKind.OFFER, seat, context.now, record), context, to_speaker=to_speaker)


def _agree(board: Board, offer: Offer, seats: Sequence[Seat], context: Context) -> list[Notice]:
    """Say yes for the speaker, who has not offered it."""
    waits_for = offer.waits_for(board, context.course(board).position.playing)
    speaker = _speaker(board, seats)
    if speaker not in waits_for:
        raise AgreedAlready(board.number, offer.kind)
    if waits_for != (speaker,):
        return go_on(board.with_event(EventKind.CONSENT, seats[0], context.now), context)
    return _done(board, offer.kind, seats[0], offer.back_to, context)


def _done(board: Board, kind: OfferKind, seat: Seat, back_to: int, context: Context) -> list[Notice]:
    """Do what all have agreed upon, this seat as the last.

    A player who has announced a resignation, and has no move left, could decline instead, or forfeit in a tournament:
    the announcement lapses.
    """
    if kind is OfferKind.DRAW:
        return go_on(board.with_event(EventKind.DRAW, seat, context.now), context)
    undone = board.with_plans_dropped().with_event(EventKind.UNDO, seat, context.now, {"back_to": back_to})
    early = [seat for seat, holder in enumerate(undone.seats) if holder.resigning and not _has_moved(undone, holder)]
    to_each = to_owners(dropped_of(board), context)
    for each in early:
        undone = undone.with_resigning(each, resigning=False)
        to_each.setdefault(board.seats[each].player, {})["lapsed"] = True
    return go_on(undone, context, to_each=to_each)


def _has_moved(board: Board, holder: SeatHolder) -> bool:
    """Return True if a player has made a move that counts: until then they decline, and do not resign."""
    return any(map(board.has_moved, board.seats_of(holder.player)))


_MOST_BOARDS = 10_000
"""The most active boards of one player."""
MOST_LISTED = 100
"""The most boards that a mail lists about mails that come back, or arrive again."""
_TOLD_AGAIN_AFTER = timedelta(days=1)
"""Until then nobody is told again that clocks have stopped, or that they run again, whoever it is about."""


def active_boards(player: Player, context: Context) -> Sequence[Board]:
    """The boards of a player that are in play, lowest number first."""
    return context.uow.boards.of_players([player.id], "active", None, _MOST_BOARDS, with_guests=True)


def leave_boards(player: Player, context: Context, record: TurnRecord | None = None) -> list[Notice]:
    """Take a player off all their boards: declined where they have not moved, forfeited elsewhere; everybody is told.

    Args:
        player: who leaves.
        context: of the command.
        record: of the forfeits; None unless the operator has decided on them.
    """
    notices: list[Notice] = []
    for board in active_boards(player, context):
        free = board.with_pauses_ended(player.id, context.now)
        if any(board.has_moved(seat) for seat in board.seats_of(player.id)):
            notices += _forfeit(free, player, context, record)
        elif player.id not in {board.seats[seat].player for seat in board.left}:
            notices += decline(free, player.id, context, record)
    return notices


def _forfeit(board: Board, player: Player, context: Context, record: TurnRecord | None) -> list[Notice]:
    after = forfeited(board, player, context, record)
    return [] if after.event_number == board.event_number else go_on(after, context)


def forfeited(board: Board, player: Player, context: Context, record: TurnRecord | None = None) -> Board:
    """The board after a player has forfeited with every seat of theirs in play; the same if there is none."""
    for seat in board.seats_of(player.id):
        course = context.course(board)
        if course.result is None and seat in course.position.playing:
            board = board.with_event(EventKind.FORFEIT, seat, context.now, record)
    return board


def begin_pauses(player: Player, why: str, context: Context, most: timedelta | None = None) -> list[Board]:
    """Stop the clocks of a player's boards; return the boards where they had not stopped for this reason already.

    Args:
        player: the one who causes it.
        why: see `pbem.domain.vacations.Pause`.
        context: of the command.
        most: the longest time for this reason at a board, all pauses together; None: for ever.
    """
    paused = []
    for board in active_boards(player, context):
        after = board.with_pause(player.id, why, context.now, most)
        if after is not board:
            context.uow.boards.save(after)
            paused.append(after)
    return paused


def end_pauses(player: Player, why: str, context: Context) -> list[Board]:
    """Let the clocks of a player's boards run again, as far as this reason goes; return the boards where it held."""
    freed = []
    for board in active_boards(player, context):
        after = board.with_pauses_ended(player.id, context.now, why)
        if after is not board:
            context.uow.boards.save(after)
            freed.append(after)
    return freed


def end_overdue_pauses(board: Board, context: Context) -> list[Notice]:
    """End the pauses that have lasted as long as they may, at all boards of the players who caused them."""
    notices = []
    for player in context.uow.players.get_all({each.player for each in board.overdue_pauses(context.now)}):
        freed = []
        for each in active_boards(player, context):
            after = each.with_overdue_pauses_ended(context.now)
            if after is not each:
                context.uow.boards.save(after)
                freed.append(after)
        running = [each for each in freed if not each.stands]
        notices += tell_of_clocks("clocks_run_anyway", player, running, context)
    return notices


def tell_of_clocks(name: str, player: Player, boards: Sequence[Board], context: Context) -> list[Notice]:
    """One mail to each of the others at a player's boards that lists them, unless they had such a mail today."""
    theirs: dict[PlayerId, list[Board]] = {}
    for board in boards:
        for each in board.players:
            if each != player.id and wants(board, each, context):
                theirs.setdefault(each, []).append(board)
    since, notices = context.now - _TOLD_AGAIN_AFTER, []
    for reader in context.uow.players.listed(theirs):
        if context.uow.mails.has_been_told(reader.id, name, since):
            continue
        ends = [pause.ends_by for board in theirs[reader.id] for pause in board.stands if pause.player == player.id]
        facts = {
            "player": player,
            "reader": reader,
            "rows": [table_facts(board, context, reader) for board in theirs[reader.id][:MOST_LISTED]],
            "more": len(theirs[reader.id]) > MOST_LISTED,
            "ends_by": max((each for each in ends if each is not None), default=None),
            "most": context.policy.unreachable_for,
        }
        notices.append(Notice(name, reader, facts))
    return notices


def with_vacations(board: Board, context: Context) -> Board:
    """The board with the vacations that its players are on, even if they were on vacation when they sat down.

    Robots always are: they have no clock.
    """
    for player in robots_at(board):
        board = board.with_pause(player, ROBOT, context.now)
    for player in board.players:
        away = under_way(context.uow.players.get(player).vacations, context.now)
        board = board if away is None else board.with_vacation(player, away)
    return board
