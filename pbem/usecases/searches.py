"""Searches of robots at boards, and the commands that they give afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pbem.bots.boards import LEVELS
from pbem.bots.thinking import PLAYOUTS_FOR_DRAW, Opinion, allows_undo, can_judge_draw, gives_up, seed_of, takes_draw
from pbem.commands.command import Command
from pbem.commands.playing import AcceptOffer, MakeMove, RejectOffer, Resign
from pbem.domain.boards import Board
from pbem.domain.mails import Notice
from pbem.domain.players import Player, userid_key
from pbem.domain.robots import RobotTask, TaskKind, errands, robots_at
from pbem.games.game import Game, Position
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.notices import about_board
from pbem.usecases.opponents import playouts_of


@dataclass(frozen=True, slots=True)
class PositionInquiry:
    """The search of a position by a robot, as another process gets it: without the moves that led there."""

    game: Game[Any, Any]
    position: Position[Any]
    playouts: int
    seed: int


def inquiry_for(errand: RobotTask, context: Context) -> PositionInquiry | None:
    """The search that a task needs first; None if it needs none, or has been overtaken."""
    board = _board(errand, context)
    if board is None or errand.kind is TaskKind.UNDO:
        return None
    position = context.course(board).position
    if errand.kind is TaskKind.DRAW and not _judges(errand, board, position):
        return None
    level = LEVELS[userid_key(errand.userid)]
    seed = seed_of(board.number, board.event_number, level.userid, context.fingerprint("thoughts"))
    least = PLAYOUTS_FOR_DRAW if errand.kind is TaskKind.DRAW else 0
    playouts = playouts_of(level, context.policy, position, least)
    return PositionInquiry(context.games[board.game], position, playouts, seed)


def carry_out(errand: RobotTask, opinion: Opinion | None, context: Context) -> list[Notice] | None:
    """Do what a robot has decided, as anybody would; None if its task has been overtaken.

    Args:
        errand: the task.
        opinion: the result of the search of `inquiry_for`; None if there was none.
        context: of the server.

    Raises:
        PlayerError: it cannot be done, which is our mistake.
    """
    board = _board(errand, context)
    if board is None:
        return None
    robot = context.uow.players.get(errand.player)
    return dispatch(_command(errand, board, opinion, context), _as(robot, context))


def _as(robot: Player, context: Context) -> Context:
    return replace(context, speaker=Speaker(robot, Proof.PROVEN))


def _board(errand: RobotTask, context: Context) -> Board | None:
    """The board of a task, if the task is still due there."""
    board = context.uow.boards.find(errand.board)
    return board if board is not None and errand in errands(board, context.course(board)) else None


def is_due(errand: RobotTask, context: Context) -> bool:
    """Return True if a task is still due at its board."""
    return _board(errand, context) is not None


def _judges(errand: RobotTask, board: Board, position: Position[Any]) -> bool:
    return any(can_judge_draw(position, seat) for seat in board.seats_of(errand.player))


def _command(errand: RobotTask, board: Board, opinion: Opinion | None, context: Context) -> Command:
    """The command of a robot at a board."""
    course = context.course(board)
    if errand.kind is TaskKind.UNDO:
        return AcceptOffer(board.number) if allows_undo(rated=board.may_count) else RejectOffer(board.number)
    is_to_act = course.to_act in board.seats_of(errand.player)
    if errand.kind is TaskKind.DRAW:
        agrees = opinion is not None and takes_draw(opinion, is_to_act=is_to_act)
        return AcceptOffer(board.number) if agrees else RejectOffer(board.number)
    if opinion is None:
        raise AssertionError("no move without a thought")
    turns = [len({each.moveno for each in course.inputs if each.seat == seat}) for seat in range(len(board.seats))]
    if gives_up(opinion, turns):
        return Resign(board.number)
    return MakeMove(board.number, opinion.move)


def stuck(errand: RobotTask, context: Context) -> list[Notice]:
    """The notices to those who wait for a robot that cannot think any more."""
    board = _board(errand, context)
    if board is None:
        return []
    robot = context.uow.players.get(errand.player)
    facts = {"robot": robot, "comment": None, "operator": context.policy.operator}
    waiting = context.uow.players.get_all(each for each in board.players if each not in robots_at(board))
    return [about_board("robot_stuck", board, context, facts, reader=reader) for reader in waiting]
