"""Moves, boards and players meant by letters; the game reads the moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.commands.command import BoardMoment
from pbem.commands.doubts import may_be_plan
from pbem.commands.lenient import FoundMove, moves_in
from pbem.commands.steps import begins_step
from pbem.domain.boards import Board
from pbem.domain.game_state import up_to_move
from pbem.domain.players import Player
from pbem.errors import NotAllowed, NotNow, PlayerError, Quoted
from pbem.games.game import Game, UnreadableMove
from pbem.ids import BoardNumber
from pbem.usecases.context import Context


class NoSuchBoard(NotAllowed):
    """There is no board with this number."""

    board: BoardNumber


class OtherGame(NotAllowed):
    """The board is one of another game than the command says."""

    board: BoardNumber
    said: str
    is_game: str


class NoSuchMove(NotAllowed):
    """The board has fewer moves than the one asked for."""

    board: BoardNumber
    moveno: int
    moves: int


class NotAtBoard(NotAllowed):
    """The speaker holds no seat at the board."""

    board: BoardNumber
    userid: str


class BoardOver(NotNow):
    """The board is finished."""

    board: BoardNumber


class NoSuchPlayer(NotAllowed):
    """Nobody has signed up under this userid."""

    userid: Quoted


def find_board(number: BoardNumber, game: str | None, context: Context) -> Board:
    """The board that a command names.

    Raises:
        NoSuchBoard: there is none.
        OtherGame: the command also names a game, and it is not the board's.
    """
    board = context.uow.boards.find(number)
    if board is None:
        raise NoSuchBoard(number)
    if game is not None and game.lower() != board.game:
        raise OtherGame(number, game, board.game)
    return board


def at_moment(moment: BoardMoment, game: str | None, context: Context) -> Board:
    """A board as it is, or as it was.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: it is not there.
    """
    board = find_board(moment.board, game, context)
    if moment.moveno is None:
        return board
    moves = context.course(board).ply
    if moment.moveno > moves:
        raise NoSuchMove(board.number, moment.moveno, moves)
    return up_to_move(board, context.course(board), moment.moveno)


def find_player(userid: str, context: Context) -> Player:
    """The player with this userid; a guest is known to nobody else.

    Raises:
        NoSuchPlayer: there is none.
    """
    player = context.uow.players.by_userid(userid)
    if player is None or (player.is_guest and player != context.speaker.player):
        raise NoSuchPlayer(userid)
    return player


@dataclass(frozen=True, slots=True)
class MeantMove:
    """The only move in a letter: a legal one, or an illegal one that is certainly meant."""

    text: str
    moveno: int | None
    is_certain: bool
    """True if nothing else can be meant; else the sender is asked."""
    is_denied: bool
    """True if it is certainly not meant."""
    comment: str


def move_meant(number: BoardNumber, heading: str, lines: Sequence[str], context: Context) -> MeantMove | None:
    """The move that a letter about a board means; None if it is not the only legal one, or the only one at all.

    Args:
        number: of the board.
        heading: the Subject, if its writer has chosen it.
        lines: of the body.
        context: of the letter.
    """
    board = context.uow.boards.find(number)
    if board is None or context.course(board).result is not None:
        return None
    course, game = context.course(board), context.games[board.game]
    names = {holder.userid for holder in board.seats}
    return legal_move(lines, game, course.position, heading, names, (board.number, course.ply + 1), or_any=True)


def move_in_puzzle(lines: Sequence[str], game: Game[Any, Any], position: Any) -> str | None:
    """The only legal move in an answer to a puzzle, or else the only one that the game can read at all."""
    meant = legal_move(lines, game, position)
    if meant is not None:
        return meant.text
    wholes = moves_in("", lines, (), ())
    texts = [text for whole in wholes for text in _texts(whole, game, position)[:1]]
    return texts[0] if len(texts) == 1 and _is_readable(game, position, texts[0]) else None


def legal_move(
    lines: Sequence[str],
    game: Game[Any, Any],
    position: Any,
    heading: str = "",
    names: Collection[str] = (),
    numbers: Collection[int] = (),
    *,
    or_any: bool = False,
) -> MeantMove | None:
    """The only legal move in a letter, if there is just one; see `pbem.commands.lenient.moves_in`.

    With ``or_any`` it may be the last of several, or one that the game can read but does not allow, if the letter
    shows it as clearly as a move.
    """
    wholes = moves_in(heading, lines, names, numbers)
    readings = [each for whole in wholes for each in _legal(whole, game, position)]
    is_planned = len(readings) > 1 and may_be_plan("\n".join(lines))  # one of them is what is planned, not the move
    if or_any and len(readings) > 1 and not is_planned and not any(map(begins_step, lines)):
        # the last one named is the likeliest, and only to be offered
        meant = [(text, found) for text, found in readings if not found.is_denied][-1:]
        readings = [(text, replace(found, is_certain=False)) for text, found in meant]
    if or_any and not readings and len(wholes) == 1 and (wholes[0].is_certain or wholes[0].is_typed):
        readings = [(text, wholes[0]) for text in _texts(wholes[0], game, position)[:1]]
        readings = [each for each in readings if _is_readable(game, position, each[0])]
    if len(readings) != 1:
        return None
    text, found = readings[0]
    return MeantMove(text, found.moveno, found.is_certain, found.is_denied, "\n".join(found.comment).strip("\n"))


def _legal(found: FoundMove, game: Game[Any, Any], position: Any) -> list[tuple[str, FoundMove]]:
    """The legal move made by placements as a whole, or else those made line by line."""
    tried = _texts(found, game, position)
    legal = next((text for text in tried if _is_legal(game, position, text)), None)
    if legal is not None:
        return [(legal, found)]
    for text in found.otherwise:
        if _is_legal(game, position, text):
            return [(text.removeprefix("move "), replace(found, is_certain=False))]
    if any(_is_readable(game, position, text) for text in tried):
        return []
    return [each for part in found.parts for each in _legal(part, game, position)]


def _texts(found: FoundMove, game: Game[Any, Any], position: Any) -> list[str]:
    """The texts that may be meant, as the game reads them: steps between cells, else placements or an answer's cell."""
    steps = [text for text in found.as_steps if _is_readable(game, position, text)]
    cells, decision = found.cells, position.decision
    if steps or not cells or (len(cells) > 1 and _is_readable(game, position, "-".join(cells[:2]))):
        return steps
    options = decision.options if decision is not None and len(cells) == 1 else ()
    meant = [option for option in options if cells[0].lower() in option.replace("-", " ").split()]
    return [",".join(cells), *(meant if len(meant) == 1 else ())]


def _is_readable(game: Game[Any, Any], position: Any, text: str) -> bool:
    """Return True if the game can read a text as a move, legal or not: ``b2-c3`` is a pair only where it cannot."""
    try:
        game.read_part(position, text)
    except UnreadableMove:
        return False
    except PlayerError:
        return True
    return True


def _is_legal(game: Game[Any, Any], position: Any, text: str) -> bool:
    try:
        return not game.read_input(position, text).left_over
    except PlayerError:
        return False
