"""What a command names: a board, one of its moments, a player; or the refusal, if there is none."""

from __future__ import annotations

from pbem.commands.model import BoardMoment
from pbem.domain.boards import Board
from pbem.domain.courses import up_to_move
from pbem.domain.players import Player
from pbem.errors import NotAllowed, Quoted
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


class BoardOver(NotAllowed):
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
    """A board as it stands, or as it stood.

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
    """The player with this userid.

    Raises:
        NoSuchPlayer: there is none.
    """
    player = context.uow.players.by_userid(userid)
    if player is None:
        raise NoSuchPlayer(userid)
    return player
