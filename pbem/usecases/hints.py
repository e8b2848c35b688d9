"""Hints: what the strongest robot would play, where nobody but its asker and robots play, and nothing counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.bots.analysis import HintRequest, Look
from pbem.bots.boards import LEVELS, STRONGEST
from pbem.bots.thinking import seed_of
from pbem.commands.boards import AskHint
from pbem.domain.boards import Board
from pbem.domain.mails import Notice
from pbem.domain.robots import Analysis, robots_at
from pbem.errors import NotNow
from pbem.games.game import Position
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.analyses import StandsTheSame, queue, same_in_play, unless_gone
from pbem.usecases.context import Context, handles
from pbem.usecases.moves import seat_on_turn
from pbem.usecases.notices import about_board, to_sender
from pbem.usecases.opponents import GameNotForRobots, playouts_of, why_not_played
from pbem.usecases.understanding import BoardOver, NotAtBoard, find_board


class HintNotFair(NotNow):
    """Other people play at the board, or its result counts (``is_rated``): nobody is told what a robot would play."""

    board: BoardNumber
    is_rated: bool


@handles(AskHint)
def ask_hint(command: AskHint, context: Context) -> list[Notice]:
    """Queue a look at a position in which the speaker is to act.

    Raises:
        NoSuchBoard, OtherGame: it is not there.
        BoardOver, NotAtBoard, NotYourTurn: the speaker has nothing to play there.
        HintNotFair, StandsTheSame: it would be unfair to others.
        OneAnalysis, TooManyAnalyses: others come first.
        NobodyToAsk: no mail reaches the speaker.
        NoAnalyst, GameNotForRobots, BoardTooLarge: nobody here can do it.
    """
    board, asker = find_board(command.board, command.game, context), context.speaker.known
    course, game = context.course(board), context.games[board.game]
    if course.result is not None:
        raise BoardOver(board.number)
    if asker.id not in board.players:
        raise NotAtBoard(board.number, asker.userid)
    if not _is_practice(board, asker.id):
        raise HintNotFair(board.number, is_rated=board.may_count and not _others(board, asker.id))
    seat_on_turn(board, board.seats_of(asker.id), context)
    robot = context.uow.players.by_userid(STRONGEST)
    reason = GameNotForRobots(game.title) if robot is None else why_not_played(robot, game, board.options)
    if reason is not None:
        raise reason
    other = same_in_play(board, asker.id, context, fewest=1)
    if other is not None:
        raise StandsTheSame(board.number, other)
    before = queue(board, course.ply + 1, _playouts(course.position, context), context)
    return [to_sender("hint_queued", context, {"board": board, "game": game, "before": before})]


def _others(board: Board, asker: PlayerId) -> bool:
    """Return True if people beside the asker hold seats."""
    return bool(set(board.players) - set(robots_at(board)) - {asker})


def _is_practice(board: Board, asker: PlayerId) -> bool:
    """Return True if nobody plays but the asker and robots, and the result will not count."""
    return not board.may_count and not _others(board, asker)


def _playouts(position: Position[Any], context: Context) -> int:
    return playouts_of(LEVELS[STRONGEST], context.policy, position)


def inquiry_for(task: Analysis, context: Context) -> HintRequest | None:
    """The search that a hint needs; None if the board has changed since it was asked for."""
    board = context.uow.boards.find(task.board)
    if board is None or board.event_number != task.event or not _is_practice(board, task.asker):
        return None
    seed = seed_of(board.number, board.event_number, STRONGEST)
    position = context.course(board).position
    playouts = _playouts(position, context)
    return HintRequest(context.games[board.game], position, task.moveno or 0, playouts, seed)


def tell_hint(task: Analysis, looks: Sequence[Look] | None, context: Context) -> list[Notice] | None:
    """Mail a hint to its asker, unless they have left; None if nobody waits for it any more.

    Args:
        task: what was asked.
        looks: its result; None where there is nothing to look at.
        context: of the server.
    """
    if context.uow.analyses.find(task.asker) != task:
        return None
    board, reader = context.uow.boards.find(task.board), context.uow.players.get(task.asker)
    if not looks or board is None or inquiry_for(task, context) is None:
        return tell_no_hint(task, context, is_overtaken=True)
    facts: dict[str, object] = {"look": looks[0]}
    return unless_gone(reader, about_board("hint", board, context, facts, reader=reader))


def tell_no_hint(task: Analysis, context: Context, *, is_overtaken: bool) -> list[Notice]:
    """Tell the asker of a hint that none will come: the board has changed, or the search failed."""
    board, reader = context.uow.boards.find(task.board), context.uow.players.get(task.asker)
    if board is None:
        return []
    facts: dict[str, object] = {"is_overtaken": is_overtaken}
    return unless_gone(reader, about_board("hint_failed", board, context, facts, reader=reader))
