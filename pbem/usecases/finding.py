"""What a command names: a board, one of its moments, a player; or the refusal, if there is none."""

from __future__ import annotations

from pbem.commands.model import BoardMoment
from pbem.domain.boards import Board
from pbem.domain.courses import up_to_move
from pbem.domain.players import Player
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber
from pbem.usecases.context import Context


class NoSuchBoard(NotAllowed):
    """There is no board with this number."""

    def __init__(self, number: BoardNumber) -> None:
        super().__init__(board=number)


class OtherGame(NotAllowed):
    """The board is one of another game than the command says."""

    def __init__(self, board: BoardNumber, said: str, is_game: str) -> None:
        super().__init__(board=board, said=said, is_game=is_game)


class NoSuchMove(NotAllowed):
    """The board has fewer moves than the one asked for."""

    def __init__(self, board: BoardNumber, moveno: int, moves: int) -> None:
        super().__init__(board=board, moveno=moveno, moves=moves)


class NotAtBoard(NotAllowed):
    """The speaker holds no seat at the board."""

    def __init__(self, board: BoardNumber, userid: str) -> None:
        super().__init__(board=board, userid=userid)


class BoardOver(NotAllowed):
    """The board is finished."""

    def __init__(self, board: BoardNumber) -> None:
        super().__init__(board=board)


class NoSuchPlayer(NotAllowed):
    """Nobody has signed up under this userid."""

    def __init__(self, userid: str) -> None:
        super().__init__(userid=userid[:40])


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
