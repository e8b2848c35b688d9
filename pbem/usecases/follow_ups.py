"""Consequences of a change at a board: announced resignations, plans, the end where only robots stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import Any, TypeAlias

from pbem.domain.boards import Board, Plan
from pbem.domain.events import LEAVING, EventKind
from pbem.domain.game_state import after_input, follow, is_left_to_robots
from pbem.domain.mails import Notice
from pbem.errors import NotNow, PlayerError
from pbem.games.game import Input, Seat
from pbem.games.plans import (
    MOST_BRANCHES,
    MOST_OF_PLAN,
    Branch,
    Reply,
    TooManyBranches,
    behind,
    check,
    count,
    has_conditions,
    left_of_plan,
    read_branches,
    reply_to,
    tree,
    with_added,
)
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context
from pbem.usecases.notices import board_facts, to_players
from pbem.usecases.openings import count_opening
from pbem.usecases.ratings import other_half, rate, renew_paces
from pbem.usecases.understanding import BoardOver

Fates: TypeAlias = Mapping[PlayerId, "PlanResult"]


class OtherMoveNumber(NotNow):
    """The move is meant for another turn than the one to be played."""

    board: BoardNumber
    meant: int
    next_move: int


class PlanOnTurn(NotNow):
    """It is the speaker's own turn: there is nothing yet to which they could reply, or never if they play all sides."""

    board: BoardNumber
    has_all: bool


@dataclass(frozen=True, slots=True)
class LeftOverInput:
    """The rest of a player's line, from where another player had to decide something."""

    text: str = field(repr=False)
    mover: Seat
    """The seat whose line it is."""
    decider: Seat
    """The seat that had to decide; its player may have resigned since."""


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The result of a queued move or a plan, for its owner alone."""

    plan: Plan
    """As it was."""
    reply: str = field(default="", repr=False)
    """The move that was made, or could not be; empty if there was none for what was played."""
    earlier: Sequence[str] = ()
    """The replies that were made before, and that others' plans have answered."""
    before: Board | None = None
    """The board to which a plan has replied first."""
    rest: Plan | None = None
    """The part of the plan that lives on."""
    lost: Sequence[str] = ()
    """The branches of it that cannot be played as it came."""
    wrong: PlayerError | None = None
    """The reason why the move could not be made."""
    is_overtaken: bool = False
    """The game has changed since, so nothing of it was tried."""
    left_over: LeftOverInput | None = None

    @property
    def made(self) -> bool:
        """Its move was made."""
        return bool(self.reply) and self.wrong is None

    @property
    def replies(self) -> Sequence[str]:
        """All the moves that were made."""
        return (*self.earlier, self.reply) if self.made else self.earlier


@dataclass(frozen=True, slots=True)
class ResolvedBoard:
    """A board at which nothing more happens by itself."""

    board: Board
    fates: Fates = field(default_factory=dict)
    """By owner."""


def to_owners(fates: Fates, context: Context) -> dict[PlayerId, dict[str, object]]:
    """The facts for each owner of a plan and nobody else."""
    found: dict[PlayerId, dict[str, object]] = {}
    for player, fate in fates.items():
        before = None if fate.before is None else board_facts(fate.before, context, None)
        found[player] = {"fate": fate, "left_over": fate.left_over, "replied_to": before}
    return found


def settled(board: Board, context: Context) -> ResolvedBoard:
    """The board after everything that players have asked for beforehand, turn by turn.

    A player who has both announced a resignation and made a plan resigns.
    """
    now = _after_leaving(ResolvedBoard(board), context)
    while (after := _settled_further(now, context)) is not None:
        now = after
    return now


def go_on(
    board: Board,
    context: Context,
    facts: Mapping[str, object] | None = None,
    to_speaker: Mapping[str, object] | None = None,
    to_each: Mapping[PlayerId, Mapping[str, object]] | None = None,
) -> list[Notice]:
    """Carry out the consequences of a change, save the board, and tell everybody at it.

    Args:
        board: after the change.
        context: of the command.
        facts: for all, beside those of the board.
        to_speaker: for the speaker alone.
        to_each: for some players alone, unless what follows has more to tell them.
    """
    now = settled(board, context)
    after = keep(now.board, context)
    told = {**(to_each or {}), **to_owners(now.fates, context)}
    new = after.events[max(board.event_number - 1, 0) :]
    new_input = next((each.number for each in new if each.kind in (EventKind.MOVE, *LEAVING)), 0)
    facts = {"new_input": new_input, "ended_offer": context.course(board).talk.ended, **(facts or {})}
    return to_players("board", after, context, facts, to_speaker=to_speaker, to_each=told)


def keep(board: Board, context: Context) -> Board:
    """Save a board at which something has happened, and return it.

    If it is over, its clocks stop, it is rated, its opening is counted, and it is noted how fast its players move.
    """
    result = context.course(board).result
    is_over = result is not None
    if result is not None:
        ended = board.with_pauses_ended(None, context.now)
        board = ended.at_the_end() if result.was_played else ended.without_plans()
    context.uow.boards.save(board)
    if is_over:
        rate(board, context)
        for each in (board, *other_half(board, context)):
            count_opening(each, context.course(each), context.games[each.game], context.uow)
        renew_paces(board, context)
    return board


def with_move(board: Board, seat: Seat, text: str, context: Context) -> tuple[Board, LeftOverInput | None]:
    """The board after a move of the seat that is to act, and the rest that could not be played.

    Raises:
        UnreadableMove, IllegalMove: what the game says.
    """
    course, game = context.course(board), context.games[board.game]
    played = game.read_input(course.position, text)
    record = game.input_record(course.position, played.steps)
    free = board.with_holder(seat, replace(board.seats[seat], submitted=None, dropped=()))
    moved = free.with_event(EventKind.MOVE, seat, context.now, record)
    context.courses.keep(moved, after_input(course, moved.events[-1], game, played.position))
    return moved, _left_over(played, seat)


def _left_over(played: Input[Any, Any], mover: Seat) -> LeftOverInput | None:
    decider = played.position.to_act
    return LeftOverInput(played.left_over, mover, decider) if played.left_over and decider is not None else None


def announced_by(board: Board, player: PlayerId) -> Seat | None:
    """The seat where a player has announced a resignation, if there is one."""
    return next((seat for seat in board.seats_of(player) if board.seats[seat].resigning), None)


def planned_by(board: Board, player: PlayerId) -> Seat | None:
    """The seat where a player has queued a move or made a plan, if there is one."""
    return next((seat for seat in board.seats_of(player) if board.seats[seat].plan is not None), None)


def with_plan(
    board: Board,
    player: PlayerId,
    branches: Sequence[Branch],
    context: Context,
    *,
    adds: bool = False,
    edits: bool = False,
) -> Board:
    """The board with a player's replies to what may be played before their next turns; others go, or stay if it adds.

    A plan that is added to, or edited, stays made for the move of which its player has told the number.

    Raises:
        BoardOver, PlanOnTurn: there is nothing to which the player could reply.
        BranchImpossible, BranchPastEnd, NotYetOnTurn, UnreadableMove, TooManyBranches: one cannot be played or kept.
    """
    course = context.course(board)
    seats = [seat for seat in board.seats_of(player) if seat in course.position.playing]
    if course.result is not None or not seats:
        raise BoardOver(board.number)
    if course.to_act in seats:
        raise PlanOnTurn(board.number, has_all=set(seats) == set(course.position.playing))
    check(branches, context.games[board.game], course.position, seats)
    place, event = planned_by(board, player), board.event_number
    known = None if place is None else board.seats[place].plan
    if adds and known is not None:
        played = [each.text.move for each in course.inputs if each.event > known.event]
        branches, event = with_added(known.branches, behind(branches, played)), known.event
    is_same = known is not None and (adds or (edits and not known.queued))
    plan = Plan(tuple(branches), known.moveno if known is not None and is_same else None, event)
    if count(branches) > MOST_BRANCHES or len("\n".join(plan.lines)) > MOST_OF_PLAN:
        raise TooManyBranches
    seat = seats[0] if place is None else place
    return board.with_holder(seat, board.seats[seat].with_plan(plan))


def with_plan_below(board: Board, context: Context) -> tuple[Board, Mapping[str, object]]:
    """The board after a move with the plan that its player has put below it, and what to tell them of that.

    The move stands, even if the plan cannot be kept.
    """
    if not context.plan:
        return board, {}
    player, next_move = context.speaker.known.id, context.course(board).ply + 1
    announced, text, queued = split_movenos(context.plan)
    try:
        planned = with_plan(board, player, read_branches(text), context)
        # some count their move, others the one that they wait for, or their reply
        if announced is not None and abs(announced - next_move) > 1:
            raise OtherMoveNumber(board.number, announced, next_move)
        if queued is not None and queued <= next_move:
            raise OtherMoveNumber(board.number, queued, next_move)
    except PlayerError as wrong:
        return board, {"plan_refused": wrong}
    place = planned_by(planned, player)
    if place is None:
        return planned, {"planned": None}
    holder = planned.seats[place]
    plan = None if holder.plan is None else replace(holder.plan, moveno=queued)
    return planned.with_holder(place, holder.with_plan(plan)), {"planned": plan}


def split_movenos(text: str) -> tuple[int | None, str, int | None]:
    """A plan below a move, with the number in front of it before and that of a queued move behind it."""
    found = re.fullmatch(r"(?:#([0-9]{1,6}) )?(.*?)(?: #([0-9]{1,6}))?", text, re.DOTALL)
    if found is None:
        return None, text, None
    announced, queued = (None if found[each] is None else int(found[each]) for each in (1, 3))
    return announced, found[2], queued


def drawn(text: str) -> str:
    """A plan as it was typed, a line for each branch; or in lines of a mail's width if it cannot be read."""
    announced, branches, queued = split_movenos(text)
    try:
        lines = [*tree(read_branches(branches))]
    except PlayerError:
        return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    numbers = [[] if each is None else [f"#{each}"] for each in (announced, queued)]
    return "\n".join([*numbers[0], *lines, *numbers[1]])


_WIDTH = 74
"""Most characters of a line that is set in by four."""


def dropped_of(board: Board) -> Fates:
    """The results of the plans at a board when none is kept."""
    return {each.player: PlanResult(each.plan, is_overtaken=True) for each in board.seats if each.plan is not None}


def ended_if_left_to_robots(board: Board, context: Context) -> Board:
    """The board after its end, if nobody but computer opponents plays on; else the same."""
    course = context.course(board)
    if course.to_act is None or not is_left_to_robots(board, course.position):
        return board
    return board.with_event(EventKind.DRAW, course.to_act, context.now)


def _after_leaving(now: ResolvedBoard, context: Context) -> ResolvedBoard:
    """The board where nothing waits for a turn of those who have left the game, and no plan is older than that.

    A queued move stays: it is made whatever happens.
    """
    board, fates, course = now.board, dict(now.fates), context.course(now.board)
    last = max((each.number for each in board.played if each.kind in LEAVING), default=0)
    playing = {board.seats[seat].player for seat in course.position.playing} if course.result is None else ()
    for seat, holder in enumerate(board.seats):
        plan = holder.plan
        if plan is not None and has_conditions(plan.branches) and plan.event < last and holder.player in playing:
            board = board.with_holder(seat, holder.with_plan_dropped())
            fates[holder.player] = replace(_fate_of(plan, holder.player, now), is_overtaken=True)
    for seat in board.left:
        board = board.with_holder(seat, board.seats[seat].at_the_end())
    return ResolvedBoard(board, fates)


def _fate_of(plan: Plan, player: PlayerId, now: ResolvedBoard) -> PlanResult:
    """The result of a plan, of which only that is known which came of the player's plans before."""
    former = now.fates.get(player)
    if former is None:
        return PlanResult(plan)
    return PlanResult(plan, before=former.before, earlier=former.replies, lost=former.lost)


def _settled_further(now: ResolvedBoard, context: Context) -> ResolvedBoard | None:
    """The board after the next thing that was asked for beforehand; None if nothing is left."""
    board, seat = now.board, context.course(now.board).to_act
    if seat is None:
        return None
    if (ended := ended_if_left_to_robots(board, context)) is not board:
        return replace(now, board=ended)
    player = board.seats[seat].player
    announced, planned = announced_by(board, player), planned_by(board, player)
    if announced is not None:
        resigned = board.with_resigning(announced, resigning=False)
        after = resigned.with_event(EventKind.RESIGNATION, seat, context.now)
        return _after_leaving(replace(now, board=after), context)
    return None if planned is None else _with_reply(now, seat, planned, context)


def _with_reply(now: ResolvedBoard, seat: Seat, place: Seat, context: Context) -> ResolvedBoard | None:
    """The board after the reply that the player who is to act has planned, or without the plan if it has none.

    If they have to decide something first, the plan is kept for their turn unless it answers that.
    """
    board, course = now.board, context.course(now.board)
    holder = board.seats[place]
    plan = holder.plan
    if plan is None:
        return None
    free = board.with_holder(place, holder.with_plan(None))
    text, fate = plan.queued, _fate_of(plan, holder.player, now)
    try:
        if plan.moveno not in (None, course.ply + 1):
            raise OtherMoveNumber(board.number, plan.moveno or 0, course.ply + 1)
        reply = Reply(text) if text else _planned_reply(plan, board, context)
        if reply is not None:
            text = reply.text
            after, left_over = with_move(free, seat, text, context)
            rest = Plan(left_of_plan(reply.branches), None, after.event_number) if reply.branches else None
            after = after.with_holder(place, after.seats[place].with_plan(rest))
            before = fate.before or (None if plan.queued else free)
            lost = (*fate.lost, *tree(reply.lost))
            fate = replace(fate, reply=text, before=before, rest=rest, lost=lost, left_over=left_over)
            return ResolvedBoard(after, {**now.fates, holder.player: fate})
    except PlayerError as wrong:
        fate = replace(fate, reply=text, wrong=wrong)
    if course.position.decision is not None:
        return None
    dropped = board.with_holder(place, holder.with_plan_dropped())
    return ResolvedBoard(dropped, {**now.fates, holder.player: fate})


def _planned_reply(plan: Plan, board: Board, context: Context) -> Reply | None:
    """The reply of a plan to all that was played since it was made; None if no branch fits.

    Raises:
        PlayerError: the reply of the branch that fits cannot be played.
    """
    game = context.games[board.game]
    base = follow(replace(board, events=board.events[: plan.event]), game).position
    position, inputs = base, []
    for event in board.events[plan.event :]:
        if event.kind is EventKind.MOVE:
            inputs.append(game.input_steps(position, event.record))
            position = game.play_input(position, inputs[-1])
    return reply_to(plan.branches, game, base, inputs, context.course(board).position)
