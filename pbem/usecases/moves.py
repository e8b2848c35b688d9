"""Playing at a board: moves and resignations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.domain.boards import EventKind
from pbem.errors import NotAllowed, PlayerError
from pbem.usecases.notifications import about_board, to_players

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """It is for somebody else to play, or to decide something; then ``options`` are his answers."""

    def __init__(self, board: BoardNumber, to_act: str, options: Sequence[str] = ()) -> None:
        super().__init__(board=board, to_act=to_act, options=tuple(options))


class OutOfTheGame(NotAllowed):
    """The speaker has lost or left already, while others play on."""

    def __init__(self, board: BoardNumber) -> None:
        super().__init__(board=board)


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
    """The board and the speaker's seats at it that are in play, if it is still on."""
    board = find_board(command.board, command.game, context)
    player = context.speaker.known
    seats = board.seats_of(player.id)
    if not seats:
        raise NotAtBoard(board.number, player.userid)
    course = context.course(board)
    if course.result is not None:
        raise BoardOver(board.number)
    in_play = tuple(seat for seat in seats if seat in course.position.playing)
    if not in_play:
        raise OutOfTheGame(board.number)
    answers = context.speaker.answers_event
    if answers is not None and answers != board.event_number:
        raise Overtaken(board.number)
    return board, in_play


def make_move(command: MakeMove, context: Context) -> list[Notice]:
    """Play a turn, or what the game allows of one; or answer what the player has to decide.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber, NotYourTurn: not now.
        UnreadableMove, IllegalMove: what the game says.
    """
    board, seats = _seats(command, context)
    course = context.course(board)
    if command.moveno is not None and command.moveno != course.ply + 1:
        raise OtherMoveNumber(board.number, command.moveno, course.ply + 1)
    seat = course.to_act
    if seat is None or seat not in seats:
        decision = course.position.decision
        raise NotYourTurn(board.number, board.seats[seat or 0].userid, decision.options if decision else ())
    game = context.games[board.game]
    played = game.read_input(course.position, command.move_text)
    record = game.input_record(course.position, played.steps)
    after = _with_announced_resignations(board.with_event(EventKind.MOVE, seat, context.now, record), context)
    context.uow.boards.save(after)
    return to_players("board", after, context, to_speaker={"left_over": played.left_over})


def _with_announced_resignations(board: Board, context: Context) -> Board:
    """The board with the resignations carried out that players announced before it was theirs to act."""
    seat = context.course(board).to_act
    if seat is None or not board.seats[seat].resigning:
        return board
    return _with_announced_resignations(board.with_event(EventKind.RESIGNATION, seat, context.now), context)


def resign(command: Resign, context: Context) -> list[Notice]:
    """Decline before one's first move; else resign, at once where it is for the player to act.

    Otherwise a resignation is announced, and taken back the second time.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not now.
    """
    board, seats = _seats(command, context)
    if not any(board.has_moved(each) for each in board.seats_of(context.speaker.known.id)):
        return _decline(board, context)
    to_act = context.course(board).to_act
    seat = to_act if to_act in seats and to_act is not None else seats[0]
    if seat == to_act:
        resigned = board.with_event(EventKind.RESIGNATION, seat, context.now)
        after = _with_announced_resignations(resigned, context)
    else:
        after = board.with_resigning(seat, not board.seats[seat].resigning)
    context.uow.boards.save(after)
    if after.events != board.events:
        return to_players("board", after, context)
    facts = {"resigning": after.seats[seat].resigning, "comment_dropped": bool(context.comment)}
    return [about_board("resignation_announced", after, context, facts, reader=context.speaker.known)]


def _decline(board: Board, context: Context) -> list[Notice]:
    """Take the speaker off the board: the others begin anew if the rules are for so many, else the board is over."""
    player = context.speaker.known
    stays = len(board.staying_without(player.id))
    after = board.with_decline(player.id, context.now, restarts=_can_begin(board, stays, context))
    context.uow.boards.save(after)
    facts = {"decliner": player, "before": board}
    told = to_players("declined", after, context, facts)
    if player.id not in after.players:
        told.append(about_board("declined", after, context, {**facts, "comment": None}, reader=player))
    return told


def _can_begin(board: Board, players: int, context: Context) -> bool:
    """Whether a board's game can be played by fewer under the same options."""
    game = context.games[board.game]
    if players not in game.players:
        return False
    try:
        game.begin(board.options, players)
    except PlayerError:
        return False
    return True
