"""Consequences of a change at a board: announced resignations, queued moves, the end where only robots stay."""

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
    """The move is meant for another turn than the one to be played."""

    board: BoardNumber
    meant: int
    next_move: int


@dataclass(frozen=True, slots=True)
class LeftOverInput:
    """The rest of a player's line, from where another player had to decide something."""

    text: str = field(repr=False)
    mover: Seat
    """The seat whose line it is."""
    decider: Seat
    """The seat that had to decide; its player may have resigned since."""


@dataclass(frozen=True, slots=True)
class QueuedMoveResult:
    """The result of a queued move, for its owner alone."""

    text: str = field(repr=False)
    made: bool = False
    wrong: PlayerError | None = None
    """The reason why it could not be made; None if it was made, or dropped because the game has changed since."""
    left_over: LeftOverInput | None = None


@dataclass(frozen=True, slots=True)
class ResolvedBoard:
    """A board at which nothing more happens by itself."""

    board: Board
    fates: Fates = field(default_factory=dict)
    """By owner."""


def to_owners(fates: Fates) -> dict[PlayerId, dict[str, object]]:
    """The facts for each owner of a queued move and nobody else."""
    return {player: {"fate": fate, "left_over": fate.left_over} for player, fate in fates.items()}


def settled(board: Board, context: Context) -> ResolvedBoard:
    """The board after everything that players have asked for beforehand, turn by turn.

    A player who has both announced a resignation and queued a move resigns.
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
    """The board after a move of the seat that is to act, and the rest that could not be played.

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
    """The seat where a player has announced a resignation, if there is one."""
    return next((seat for seat in board.seats_of(player) if board.seats[seat].resigning), None)


def queued_by(board: Board, player: PlayerId) -> Seat | None:
    """The seat where a player has queued a move, if there is one."""
    return next((seat for seat in board.seats_of(player) if board.seats[seat].queued is not None), None)


def dropped_of(board: Board) -> Fates:
    """The results of the moves queued at a board when none is kept."""
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
    """The board after the next thing that was asked for beforehand; None if nothing is left."""
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
    """The board after the queued move of the player who is to act, made or dropped.

    If they have to decide something first, it is kept for their turn unless it is an answer.
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
