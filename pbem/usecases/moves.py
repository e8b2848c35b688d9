"""Playing at a board: moves and resignations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.domain.boards import EventKind
from pbem.errors import NotAllowed
from pbem.usecases.notifications import about_board, to_players

if TYPE_CHECKING:
    from pbem.commands.model import BoardCommand, MakeMove, Resign
    from pbem.domain.boards import Board
    from pbem.domain.notices import Notice
    from pbem.games.game import Seat
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


class NotAtBoard(NotAllowed):
    """The speaker holds no seat at the board."""

    def __init__(self, board: BoardNumber, userid: str) -> None:
        super().__init__(board=board, userid=userid)


class BoardOver(NotAllowed):
    """The board is finished."""

    def __init__(self, board: BoardNumber) -> None:
        super().__init__(board=board)


class NotYourTurn(NotAllowed):
    """It is somebody else's turn."""

    def __init__(self, board: BoardNumber, to_act: str) -> None:
        super().__init__(board=board, to_act=to_act)


class Overtaken(NotAllowed):
    """The letter answers a mail after which something else has happened at the board."""

    def __init__(self, board: BoardNumber) -> None:
        super().__init__(board=board)


class OtherMoveNumber(NotAllowed):
    """The move is meant to be another than the one whose turn it is."""

    def __init__(self, board: BoardNumber, meant: int, next_move: int) -> None:
        super().__init__(board=board, meant=meant, next_move=next_move)


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


def _seats(command: BoardCommand, context: Context) -> tuple[Board, tuple[Seat, ...]]:
    """The board and the speaker's seats at it, if it is still on."""
    board = find_board(command.board, command.game, context)
    player = context.speaker.known
    seats = board.seats_of(player.id)
    if not seats:
        raise NotAtBoard(board.number, player.userid)
    if context.course(board).result is not None:
        raise BoardOver(board.number)
    answers = context.speaker.answers_event
    if answers is not None and answers != board.event_number:
        raise Overtaken(board.number)
    return board, seats


def make_move(command: MakeMove, context: Context) -> list[Notice]:
    """Play one whole turn.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, Overtaken, OtherMoveNumber, NotYourTurn: not here, or not now.
        UnreadableMove, IllegalMove: what the game says.
    """
    board, seats = _seats(command, context)
    course = context.course(board)
    if command.moveno is not None and command.moveno != course.ply + 1:
        raise OtherMoveNumber(board.number, command.moveno, course.ply + 1)
    seat = course.to_act
    if seat is None or seat not in seats:
        raise NotYourTurn(board.number, board.seats[seat or 0].userid)
    game = context.games[board.game]
    steps, _ = game.read_turn(course.position, command.move_text)
    moved = board.with_event(EventKind.MOVE, seat, context.now, game.turn_record(steps))
    after = _with_announced_resignation(moved, context)
    context.uow.boards.save(after)
    return to_players("board", after, context)


def _with_announced_resignation(board: Board, context: Context) -> Board:
    """The board with the resignation carried out that the player whose turn has come announced earlier."""
    seat = context.course(board).to_act
    if seat is None or not board.seats[seat].resigning:
        return board
    return board.with_event(EventKind.RESIGNATION, seat, context.now)


def resign(command: Resign, context: Context) -> list[Notice]:
    """Decline before one's first move; else resign, at once on one's turn.

    Out of turn a resignation is announced, and taken back the second time.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, Overtaken: not here, or not now.
    """
    board, seats = _seats(command, context)
    to_act = context.course(board).to_act
    seat = to_act if to_act in seats and to_act is not None else seats[0]
    if not any(board.has_moved(each) for each in seats):
        after = board.with_event(EventKind.DECLINE, seat, context.now)
    elif seat == to_act:
        after = board.with_event(EventKind.RESIGNATION, seat, context.now)
    else:
        after = board.with_resigning(seat, not board.seats[seat].resigning)
    context.uow.boards.save(after)
    if after.events != board.events:
        return to_players("declined" if after.events[-1].kind is EventKind.DECLINE else "board", after, context)
    facts = {"resigning": after.seats[seat].resigning, "comment_dropped": bool(context.comment)}
    return [about_board("resignation_announced", after, context, facts, reader=context.speaker.known)]
