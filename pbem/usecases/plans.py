"""Moves that are made by themselves: queued ones, and plans, whose replies depend on what others play."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.internal import ExpectPlan
from pbem.commands.planning import CancelPlan, MakePlan, SharePlan, ShowPlan
from pbem.commands.playing import CancelQueued, QueueMove
from pbem.domain.boards import Board, Plan
from pbem.domain.mails import Notice
from pbem.domain.watches import RemarkKind
from pbem.errors import NotNow
from pbem.games.plans import Branch, check_readable
from pbem.ids import BoardNumber
from pbem.usecases.context import Context, handles
from pbem.usecases.follow_ups import OtherMoveNumber, announced_by, planned_by, with_plan
from pbem.usecases.messages import say
from pbem.usecases.moves import play, seats_in_play
from pbem.usecases.notices import about_board, keep_remark
from pbem.usecases.understanding import NotAtBoard, find_board


class NothingQueued(NotNow):
    """The speaker has queued no move at the board."""

    board: BoardNumber


class NothingPlanned(NotNow):
    """The speaker has no plan at the board."""

    board: BoardNumber


class PlanIsPrivate(NotNow):
    """A plan cannot be shared while the game is on."""

    board: BoardNumber


class PlanChanged(NotNow):
    """The plan or queued move has changed since the page was made."""

    board: BoardNumber
    adds: bool = False
    """The page was about to add to it, and not to replace it."""


@handles(ExpectPlan)
def expect_plan(command: ExpectPlan, context: Context) -> list[Notice]:
    """Go on only if the speaker's plan is still that which their page has shown.

    Raises:
        NoSuchBoard, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        PlanChanged: a letter, or another page, has changed it.
    """
    board, _ = seats_in_play(command, context)
    place = planned_by(board, context.speaker.known.id)
    plan = None if place is None else board.seats[place].plan
    if command.seen != ("" if plan is None else plan.stamp):
        raise PlanChanged(board.number, adds=command.adds)
    return []


@handles(QueueMove)
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
    check_readable(context.games[board.game], course.position, command.move_text)
    plan = Plan((Branch("", command.move_text),), command.moveno, board.event_number)
    return [_told(board, _planned(board, plan, context), context)]


@handles(CancelQueued, CancelPlan)
def cancel_plan(command: CancelQueued | CancelPlan, context: Context) -> list[Notice]:
    """Drop the speaker's queued move or plan, whatever has happened since they made it; or what is left after the end.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, OutOfTheGame, Overtaken: not here, or not any more.
        NothingQueued, NothingPlanned: there is none.
    """
    board = find_board(command.board, command.game, context)
    if context.course(board).result is None:
        board, _ = seats_in_play(command, context)
    if planned_by(board, context.speaker.known.id) is None:
        raise NothingQueued(board.number) if isinstance(command, CancelQueued) else NothingPlanned(board.number)
    return [_told(board, _planned(board, None, context), context)]


@handles(MakePlan)
def make_plan(command: MakePlan, context: Context) -> list[Notice]:
    """Keep replies to what may be played before the speaker's next turns, in place of others.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber: the plan is not for the move that comes next.
        PlanOnTurn: it is the speaker's turn.
        BranchImpossible, BranchPastEnd, NotYetOnTurn, UnreadableMove, TooManyBranches: what `with_plan` says.
    """
    board, _ = seats_in_play(command, context)
    player = context.speaker.known.id
    after = with_plan(board, player, command.branches, context, adds=command.adds, edits=command.edits)
    return [_told(board, after, context, added=command.adds)]


@handles(ShowPlan)
def show_plan(command: ShowPlan, context: Context) -> list[Notice]:
    """Show the speaker their plan, or what was left of it at the end.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard: not here.
        NothingPlanned: there is none.
    """
    board = _own_board(command, context)
    return [_told(board, board, context, shown=True)]


@handles(SharePlan)
def share_plan(command: SharePlan, context: Context) -> list[Notice]:
    """Tell all at a board what was left of the speaker's plan at the end, with their words; then it is kept no longer.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard: not here.
        NothingPlanned: there is none.
        PlanIsPrivate: the game is on.
        SaidEnough: they have said enough today.
    """
    board = _own_board(command, context)
    course = context.course(board)
    if course.result is None:
        raise PlanIsPrivate(board.number)
    place = planned_by(board, context.speaker.known.id)
    plan = None if place is None else board.seats[place].plan
    made, lines = (0, ()) if plan is None else (plan.event, plan.lines)
    last = next((each for each in reversed(course.inputs) if each.event <= made), None)
    shared = "\n\n".join(filter(None, ("\n".join(lines), context.comment.strip("\n"))))
    context = replace(context, comment=shared)
    board = _planned(board, None, context)
    told = say(board, {"plan_after": 0 if last is None else last.moveno}, context)
    context.uow.boards.save(board)
    keep_remark(RemarkKind.PLAN, board, context, 0 if last is None else last.event)
    return told


def _own_board(command: ShowPlan | SharePlan, context: Context) -> Board:
    """The board at which the speaker has a plan."""
    board, player = find_board(command.board, command.game, context), context.speaker.known
    if not board.seats_of(player.id):
        raise NotAtBoard(board.number, player.userid)
    if planned_by(board, player.id) is None:
        raise NothingPlanned(board.number)
    return board


def _planned(board: Board, plan: Plan | None, context: Context) -> Board:
    """The board with another plan of the speaker's."""
    player = context.speaker.known
    place = planned_by(board, player.id)
    in_play = [seat for seat in board.seats_of(player.id) if seat in context.course(board).position.playing]
    seat = in_play[0] if place is None else place
    return board.with_holder(seat, board.seats[seat].with_plan(plan))


def _told(before: Board, after: Board, context: Context, *, shown: bool = False, added: bool = False) -> Notice:
    """Save a board, unless its plan is only shown, and tell the speaker about the plan."""
    if not shown:
        context.uow.boards.save(after)
    player = context.speaker.known
    was, now = (planned_by(board, player.id) for board in (before, after))
    former = None if was is None or shown else before.seats[was].plan
    plan = None if now is None else after.seats[now].plan
    meant = former if plan is None else plan
    facts = {
        "was": former,
        "plan": plan,
        "shown": shown,
        "added": added,
        "resigns": announced_by(after, player.id) is not None,
        "comment_dropped": bool(context.comment),
    }
    if meant is not None and meant.queued:
        return about_board("queued", after, context, facts, reader=player)
    return about_board("plan", after, context, facts, reader=player)
