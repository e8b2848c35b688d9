"""What follows a change of a board by itself: announced resignations, queued moves, the end where only robots stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import after_input, is_left_to_robots
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Input, Seat
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context
from pbem.usecases.notices import to_players
from pbem.usecases.ratings import rate, renew_paces

Fates: TypeAlias = Mapping[PlayerId, "QueuedMoveResult"]


class OtherMoveNumber(NotAllowed):
    """The move is meant to be another than the one whose turn it is."""

    board: BoardNumber
    meant: int
    next_move: int


@dataclass(frozen=True, slots=True)
class LeftOverInput:
    """What a player has written behind the place where another had to decide something."""

    text: str = field(repr=False)
    mover: Seat
    """Whose line it is."""
    decider: Seat
    """Who had to decide; he may have resigned since."""


@dataclass(frozen=True, slots=True)
class QueuedMoveResult:
    """What has become of a queued move: for its owner alone."""

    text: str = field(repr=False)
    made: bool = False
    wrong: PlayerError | None = None
    """Why it could not be made; without either it is gone since the game stands otherwise than when it was queued."""
    left_over: LeftOverInput | None = None


@dataclass(frozen=True, slots=True)
class ResolvedBoard:
    """A board at which nothing more happens by itself."""

    board: Board
    fates: Fates = field(default_factory=dict)
    """By owner."""


def to_owners(fates: Fates) -> dict[PlayerId, dict[str, object]]:
    """What is to be told to each owner of a queued move and nobody else."""
    return {player: {"fate": fate, "left_over": fate.left_over} for player, fate in fates.items()}


def settled(board: Board, context: Context) -> ResolvedBoard:
    """The board with everything done that players have asked for beforehand, turn by turn.

    Who has both announced to resign and queued a move resigns.
    """
    now = ResolvedBoard(_without_leavers(board))
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
    """Let what follows a change follow, save the board, and tell everybody at it.

    Args:
        board: after the change.
        context: of the command.
        facts: for all, beside those of the board.
        to_speaker: for the speaker alone.
        to_each: for some players alone, unless what follows has more to tell them.
    """
    now = settled(board, context)
    after = keep(now.board, context)
    told = {**(to_each or {}), **to_owners(now.fates)}
    by_itself = (each.number for each in after.events[board.event_number :] if each.kind is EventKind.MOVE)
    facts = {"new_input": next(by_itself, 0), **(facts or {})}
    return to_players("board", after, context, facts, to_speaker=to_speaker, to_each=told)


def keep(board: Board, context: Context) -> Board:
    """Save a board at which something has happened, and return it.

    If it is over, its clocks stop, it is rated, and it is noted how fast its players move.
    """
    is_over = context.course(board).result is not None
    if is_over:
        board = board.with_pauses_ended(None, context.now).without_plans()
    context.uow.boards.save(board)
    if is_over:
        rate(board, context)
        renew_paces(board, context)
    return board


def with_move(board: Board, seat: Seat, text: str, context: Context) -> tuple[Board, LeftOverInput | None]:
    """The board after a move of the seat that is to act, and what could not be played of it.

    Raises:
        UnreadableMove, IllegalMove: what the game says.
    """
    course, game = context.course(board), context.games[board.game]
    played = game.read_input(course.position, text)
    record = game.input_record(course.position, played.steps)
    free = board.with_holder(seat, replace(board.seats[seat], submitted=None))
    moved = free.with_event(EventKind.MOVE, seat, context.now, record)
    context.courses.keep(moved, after_input(course, moved.events[-1], game, played.position))
    return moved, _left_over(played, seat)


def _left_over(played: Input[Any, Any], mover: Seat) -> LeftOverInput | None:
    decider = played.position.to_act
    return LeftOverInput(played.left_over, mover, decider) if played.left_over and decider is not None else None


def announced_by(board: Board, player: PlayerId) -> Seat | None:
    """The seat at which it is noted that a player will resign, if he will."""
    return next((seat for seat in board.seats_of(player) if board.seats[seat].resigning), None)


def queued_by(board: Board, player: PlayerId) -> Seat | None:
    """The seat at which a move of a player is queued, if one is."""
    return next((seat for seat in board.seats_of(player) if board.seats[seat].queued is not None), None)


def dropped_of(board: Board) -> Fates:
    """What becomes of the moves queued at a board when none is kept."""
    return {holder.player: QueuedMoveResult(holder.queued.text) for holder in board.seats if holder.queued is not None}


def ended_if_left_to_robots(board: Board, context: Context) -> Board:
    """The board after its end, if nobody but computer opponents plays on; else the same."""
    course = context.course(board)
    if course.to_act is None or not is_left_to_robots(board, course.position):
        return board
    return board.with_event(EventKind.DRAW, course.to_act, context.now)


def _without_leavers(board: Board) -> Board:
    """The board without the plans of those who have left the game."""
    for seat in board.left:
        board = board.with_holder(seat, board.seats[seat].without_plans())
    return board


def _settled_further(now: ResolvedBoard, context: Context) -> ResolvedBoard | None:
    """The board after the next thing that was asked for beforehand; None: there is nothing left."""
    board, seat = now.board, context.course(now.board).to_act
    if seat is None:
        return None
    if (ended := ended_if_left_to_robots(board, context)) is not board:
        return replace(now, board=ended)
    player = board.seats[seat].player
    announced, queued = announced_by(board, player), queued_by(board, player)
    if announced is not None:
        resigned = board.with_resigning(announced, resigning=False)
        after = resigned.with_event(EventKind.RESIGNATION, seat, context.now)
        return replace(now, board=_without_leavers(after))
    return None if queued is None else _with_queued(now, seat, queued, context)


def _with_queued(now: ResolvedBoard, seat: Seat, place: Seat, context: Context) -> ResolvedBoard | None:
    """The board after the queued move of who is to act, made or dropped.

    Where he has to decide something first, it is kept for his turn unless it is an answer.
    """
    board, course = now.board, context.course(now.board)
    holder = board.seats[place]
    if holder.queued is None:
        return None
    free = board.with_holder(place, replace(holder, queued=None))
    try:
        if holder.queued.moveno not in (None, course.ply + 1):
            raise OtherMoveNumber(board.number, holder.queued.moveno or 0, course.ply + 1)
        after, left_over = with_move(free, seat, holder.queued.text, context)
        fate = QueuedMoveResult(holder.queued.text, made=True, left_over=left_over)
    except PlayerError as wrong:
        if course.position.decision is not None:
            return None
        after, fate = free, QueuedMoveResult(holder.queued.text, wrong=wrong)
    return ResolvedBoard(after, {**now.fates, holder.player: fate})
