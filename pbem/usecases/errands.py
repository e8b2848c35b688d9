"""What robots do at boards: what they have to think about, and what they say then, as anybody would."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.bots.levels import LEVELS
from pbem.bots.sense import PLAYOUTS_FOR_DRAW, allows_undo, can_judge_draw, gives_up, seed_of, takes_draw
from pbem.commands.model import AcceptOffer, MakeMove, RejectOffer, Resign
from pbem.domain.players import userid_key
from pbem.domain.robots import TaskKind, errands, robots_at
from pbem.usecases.analyses import analysis_question, tell_analysis
from pbem.usecases.context import Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.notifications import about_board
from pbem.usecases.robots import playouts_of

if TYPE_CHECKING:
    from pbem.bots.analysis import Inquiry, Look
    from pbem.bots.sense import Opinion
    from pbem.commands.model import Command
    from pbem.domain.boards import Board
    from pbem.domain.notices import Notice
    from pbem.domain.players import Player
    from pbem.games.game import Game, Position
    from pbem.ids import BoardNumber, PlayerId
    from pbem.usecases.context import Context


@dataclass(frozen=True, slots=True)
class Question:
    """What a robot has to think about, as it goes to another process."""

    game: Game[Any, Any]
    position: Position[Any]
    playouts: int
    seed: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A task as its board has it."""

    board: BoardNumber
    event: int
    player: PlayerId
    kind: TaskKind
    moveno: int | None = None
    """Of an analysis: the turn that it is about, if it is one."""
    asker: PlayerId | None = None
    """Of an analysis: the player who is told."""


def question(asked: Asked, context: Context) -> Question | Inquiry | None:
    """What there is to think about before a task can be done; None: nothing, or it has been overtaken."""
    if asked.asker is not None:
        return analysis_question(asked.board, asked.moveno, context)
    board = _board(asked, context)
    if board is None or asked.kind is TaskKind.UNDO:
        return None
    position = context.course(board).position
    if asked.kind is TaskKind.DRAW and not _judges(asked, board, position):
        return None
    level = LEVELS[userid_key(context.uow.players.get(asked.player).userid)]
    seed = seed_of(board.number, board.event_number, level.userid, context.fingerprint("thoughts"))
    least = PLAYOUTS_FOR_DRAW if asked.kind is TaskKind.DRAW else 0
    return Question(context.games[board.game], position, playouts_of(level, context.policy, least), seed)


def carry_out(asked: Asked, thought: Opinion | tuple[Look, ...] | None, context: Context) -> list[Notice] | None:
    """Do what a robot has thought of, as anybody would; None: its task has been overtaken.

    Args:
        asked: what it was asked.
        thought: of what `question` says; None where that is nothing.
        context: of the server.

    Raises:
        PlayerError: it cannot be done, which is our mistake.
    """
    looks, opinion = (thought, None) if isinstance(thought, tuple) else (None, thought)
    if asked.asker is not None:
        is_open = context.uow.wishes.open(asked.asker) == asked.board
        return tell_analysis(asked.board, asked.moveno, asked.asker, looks, context) if is_open else None
    board = _board(asked, context)
    if board is None:
        return None
    robot = context.uow.players.get(asked.player)
    return dispatch(_command(asked, board, opinion, context), _as(robot, context))


def _as(robot: Player, context: Context) -> Context:
    return replace(context, speaker=Speaker(robot, Proof.PROVEN))


def _board(asked: Asked, context: Context) -> Board | None:
    """The board of a task, if it still asks for it."""
    board = context.uow.boards.find(asked.board)
    if board is None or board.event_number != asked.event:
        return None
    still = errands(board, context.course(board))
    return board if any((each.player, each.kind) == (asked.player, asked.kind) for each in still) else None


def _judges(asked: Asked, board: Board, position: Position[Any]) -> bool:
    return any(can_judge_draw(position, seat) for seat in board.seats_of(asked.player))


def _command(asked: Asked, board: Board, opinion: Opinion | None, context: Context) -> Command:
    """What a robot says at a board."""
    course = context.course(board)
    if asked.kind is TaskKind.UNDO:
        return AcceptOffer(board.number) if allows_undo(rated=board.may_count) else RejectOffer(board.number)
    is_to_act = course.to_act in board.seats_of(asked.player)
    if asked.kind is TaskKind.DRAW:
        agrees = opinion is not None and takes_draw(opinion, is_to_act=is_to_act)
        return AcceptOffer(board.number) if agrees else RejectOffer(board.number)
    if opinion is None:
        raise AssertionError("no move without a thought")
    turns = [len({each.moveno for each in course.inputs if each.seat == seat}) for seat in range(len(board.seats))]
    if gives_up(opinion, turns):
        return Resign(board.number)
    return MakeMove(board.number, opinion.move)


def stuck(asked: Asked, context: Context) -> list[Notice]:
    """What those are told who wait for a robot that cannot think any more."""
    if asked.asker is not None:
        return tell_analysis(asked.board, asked.moveno, asked.asker, None, context)
    board = _board(asked, context)
    if board is None:
        return []
    robot = context.uow.players.get(asked.player)
    facts = {"robot": robot, "comment": None, "operator": context.policy.operator}
    waiting = (context.uow.players.get(each) for each in board.players if each not in robots_at(board))
    return [about_board("robot_stuck", board, context, facts, reader=reader) for reader in waiting]
