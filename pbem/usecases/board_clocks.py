"""The actions of a board's clock: a nag, a forfeit, an answer taken from silence."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.commands.internal import StrikeClock
from pbem.domain.boards import Board
from pbem.domain.clocks import VerdictKind, Wait, next_look, verdict
from pbem.domain.events import BY_CLOCK, EventKind
from pbem.domain.mails import Notice
from pbem.domain.waits import total_left, waited_for, waiting
from pbem.usecases.context import Context, handles
from pbem.usecases.follow_ups import go_on
from pbem.usecases.moves import decline
from pbem.usecases.notices import about_board
from pbem.usecases.offers import end_overdue_pauses, with_vacations
from pbem.usecases.understanding import find_board


@handles(StrikeClock)
def strike_clock(command: StrikeClock, context: Context) -> list[Notice]:
    """Do what a board's clock calls for by now; mostly nothing.

    Raises:
        NoSuchBoard: there is none.
    """
    board = find_board(command.board, None, context)
    if board.overdue_pauses(context.now):
        return end_overdue_pauses(board, context)  # then the board is looked at once more
    board = with_vacations(board, context)
    board = board.without_nags_after(context.now)
    wait = waiting(board, context.course(board))
    if wait is None:
        return []
    judged = verdict(wait, context.now)
    match judged.kind:
        case VerdictKind.WAIT:
            return _wait(board, judged.at, context)
        case VerdictKind.NAG:
            return _nag(board, wait, judged.at, context)
        case VerdictKind.FORFEIT:
            return _forfeit(board, context)
        case VerdictKind.UNANSWERED:
            return decline(board, waited_for(board, context.course(board))[0], context, BY_CLOCK)
        case VerdictKind.DRAW:
            return _answered(board, EventKind.DRAW, context)
        case VerdictKind.LAPSE:
            return _answered(board, EventKind.REFUSAL, context)


def _wait(board: Board, until: datetime | None, context: Context) -> list[Notice]:
    if board != context.uow.boards.find(board.number):
        context.uow.boards.save(board)
    else:
        context.uow.clocks.postpone(board, until)
    return []


def _nag(board: Board, wait: Wait, ends_at: datetime | None, context: Context) -> list[Notice]:
    """Remind whoever is waited for; each mail names the moment at which the wait ends."""
    course = context.course(board)
    if course.offer is None:
        after = replace(board, nagged_at=context.now, forfeit_at=ends_at)
    else:
        after = replace(board, answer_nagged_at=context.now, answer_by=ends_at)
    context.uow.boards.save(after)
    is_last = ends_at is not None and next_look(replace(wait, nagged_at=context.now, forfeit_at=ends_at)) == ends_at
    left = () if course.offer is not None else total_left(after, course, context.now)
    facts = {
        "wait": wait,
        "ends_at": ends_at,
        "is_last": is_last,
        "left": left[course.to_act] if left and course.to_act is not None else None,
        "comment": None,
    }
    readers = context.uow.players.get_all(waited_for(after, course))
    return [about_board("nag", after, context, facts, reader=reader) for reader in readers]


def _forfeit(board: Board, context: Context) -> list[Notice]:
    """Let the game go on without the seat that has kept the others waiting, or end it."""
    seat = context.course(board).to_act
    if seat is None:
        return []
    return go_on(board.with_event(EventKind.FORFEIT, seat, context.now, BY_CLOCK), context)


def _answered(board: Board, kind: EventKind, context: Context) -> list[Notice]:
    """Treat no reply in time as an answer."""
    course = context.course(board)
    asked = waited_for(board, course)[0]
    seat = next(each for each in board.seats_of(asked) if each in course.position.playing)
    return go_on(board.with_event(kind, seat, context.now, BY_CLOCK), context)
