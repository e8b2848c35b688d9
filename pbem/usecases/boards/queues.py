"""Moves kept for the next turn of their player; nobody else ever sees them."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.model import CancelQueued, QueueMove
from pbem.domain.boards import Board, QueuedMove
from pbem.domain.notices import Notice
from pbem.errors import Ambiguous, NotAllowed, Unreadable
from pbem.ids import BoardNumber
from pbem.usecases.boards.moves import play, seats_in_play
from pbem.usecases.boards.sequels import OtherMoveNumber, announced_by, queued_by
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import about_board


class NothingQueued(NotAllowed):
    """The speaker has queued no move at the board."""

    board: BoardNumber


def queue_move(command: QueueMove, context: Context) -> list[Notice]:
    """Keep a move for the speaker's next turn, in place of another; on turn it is made at once.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber: the move that it is meant to be was made already, or is not the one to be made now.
        UnreadableMove: the game cannot read it. What it forbids now may be allowed by then.
        IllegalMove: it is forbidden, on turn.
    """
    board, seats = seats_in_play(command, context)
    course = context.course(board)
    next_move, meant = course.ply + 1, command.moveno
    if meant is not None and (meant < next_move or (meant > next_move and course.to_act in seats)):
        raise OtherMoveNumber(board.number, meant, next_move)
    if course.to_act is not None and course.to_act in seats:
        return play(board, course.to_act, command.move_text, context)
    _check_readable(board, command.move_text, context)
    place = queued_by(board, context.speaker.known.id)
    seat = seats[0] if place is None else place
    holder = replace(board.seats[seat], queued=QueuedMove(command.move_text, command.moveno, board.event_number))
    return [_told(board, board.with_holder(seat, holder), context)]


def cancel_queued(command: CancelQueued, context: Context) -> list[Notice]:
    """Keep the speaker's queued move no longer, whatever has happened since he queued it.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        NothingQueued: there is none.
    """
    board, _ = seats_in_play(command, context)
    place = queued_by(board, context.speaker.known.id)
    if place is None:
        raise NothingQueued(board.number)
    return [_told(board, board.with_holder(place, replace(board.seats[place], queued=None)), context)]


def _check_readable(board: Board, text: str, context: Context) -> None:
    """Accept a move that could be one in some position.

    Raises:
        UnreadableMove: it could not.
    """
    game, position = context.games[board.game], context.course(board).position
    try:
        game.read_input(position, text)
    except (NotAllowed, Ambiguous) as wrong:
        reasons = wrong.facts.get("reasons", ())
        unreadable = [each for each in reasons if isinstance(each, Unreadable)] if isinstance(reasons, tuple) else []
        if unreadable:
            raise unreadable[0] from None


def _told(before: Board, after: Board, context: Context) -> Notice:
    context.uow.boards.save(after)
    player = context.speaker.known
    was, now = (queued_by(board, player.id) for board in (before, after))
    facts = {
        "was": None if was is None else before.seats[was].queued,
        "queued": None if now is None else after.seats[now].queued,
        "resigns": announced_by(after, player.id) is not None,
        "comment_dropped": bool(context.comment),
    }
    return about_board("queued", after, context, facts, reader=player)
