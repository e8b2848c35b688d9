"""What a board would look like after some turns; nothing is stored, and nobody else is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.commands.model import PreviewBoard, PreviewNew
from pbem.domain.boards import Board
from pbem.domain.courses import Course, begin, follow
from pbem.domain.events import EventKind
from pbem.domain.notices import Notice
from pbem.domain.terms import Term
from pbem.errors import NotAllowed, PlayerError, Quoted
from pbem.games.game import Game
from pbem.ids import BoardNumber
from pbem.usecases.boards.nobodys import board_of_nobody, facts_of_nobodys
from pbem.usecases.challenges.agreements import as_one, read_agreement
from pbem.usecases.context import Context
from pbem.usecases.finding import BoardOver, at_moment
from pbem.usecases.notices.notifications import to_sender

MOST_TURNS = 60
"""Of one preview."""


class TooManyTurns(NotAllowed):
    """The preview has more turns than are looked at in one letter."""

    most: int


class PreviewStopped(NotAllowed):
    """A turn of a preview cannot be played; ``reasons`` says why, and ``which`` is its place, from 1."""

    board: BoardNumber | None
    which: int
    said: Quoted
    reasons: Sequence[PlayerError]


class DecisionBetween(NotAllowed):
    """Within a turn of a preview somebody else has to decide something; his answer is a turn of its own."""

    board: BoardNumber | None
    which: int
    said: Quoted
    options: Sequence[str]


class OtherNumberOfPlayers(NotAllowed):
    """The game is for another number of players."""

    players: int
    least: int
    most: int


def preview_board(command: PreviewBoard, context: Context) -> list[Notice]:
    """A board, as it stands or stood, after some more turns.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: it is not there.
        BoardOver: nothing can be played there.
        TooManyTurns, PreviewStopped, DecisionBetween: not these turns.
    """
    board = at_moment(command.moment, command.game, context)
    course = context.course(board)
    if course.result is not None:
        raise BoardOver(board.number)
    return _shown(board, course, command.turns, context, {"moveno": command.moment.moveno})


def preview_new(command: PreviewNew, context: Context) -> list[Notice]:
    """A board that nobody has begun, after some turns.

    Raises:
        NoSuchGame, OtherNumberOfPlayers: there is no such board.
        PlayerError: the options are not those of the game.
        TooManyTurns, PreviewStopped, DecisionBetween: not these turns.
    """
    game = context.game(command.game)
    players = game.players.start if command.players is None else command.players
    if players not in game.players:
        raise OtherNumberOfPlayers(players, game.players.start, game.players.stop - 1)
    agreed, reasons = read_agreement(command.options, game, tuple(Term), context)
    if reasons:
        raise as_one(reasons)
    board = board_of_nobody(game, agreed.options, players, context.now)
    facts = {"players": players, "words": tuple(f"-{word}" for word in command.options)}
    return _shown(board, begin(board, game), command.turns, context, facts)


def _shown(
    board: Board, course: Course, turns: Sequence[str], context: Context, facts: Mapping[str, object]
) -> list[Notice]:
    """The board after some turns; the facts say what the preview begins with."""
    if len(turns) > MOST_TURNS:
        raise TooManyTurns(MOST_TURNS)
    game = context.games[board.game]
    for which, said in enumerate(turns, start=1):
        board = _played(board, course, which, said, game, context)
        course = follow(board, game, course)
    return [to_sender("preview", context, {**facts_of_nobodys(board, course, game), "turns": tuple(turns), **facts})]


def _played(board: Board, course: Course, which: int, said: str, game: Game[Any, Any], context: Context) -> Board:
    """The board after one more turn."""
    seat = course.to_act
    try:
        played = game.read_input(course.position, said)
    except PlayerError as wrong:
        raise PreviewStopped(board.number or None, which, said, [wrong]) from None
    if played.left_over:
        decision = played.position.decision
        raise DecisionBetween(board.number or None, which, said, decision.options if decision else ())
    record = game.input_record(course.position, played.steps)
    return board.with_event(EventKind.MOVE, 0 if seat is None else seat, context.now, record)
