"""Moves that are looked at before they count."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.model import ConfirmMove, SubmitMove
from pbem.domain.boards import SubmittedMove
from pbem.domain.notices import Notice
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber
from pbem.usecases.boards.moves import Overtaken, play, seat_on_turn, seats_in_play
from pbem.usecases.boards.sequels import with_move
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import about_board, board_facts


class NothingSubmitted(NotAllowed):
    """The speaker has submitted no move at the board."""

    board: BoardNumber


def submit_move(command: SubmitMove, context: Context) -> list[Notice]:
    """Show the speaker the board after a move, and keep it until he confirms it.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber, NotYourTurn: not now.
        UnreadableMove, IllegalMove: what the game says.
    """
    board, seats = seats_in_play(command, context)
    seat = seat_on_turn(board, seats, context)
    ahead, left_over = with_move(board, seat, command.move_text, context)
    submitted = SubmittedMove(command.move_text, board.event_number)
    after = board.with_holder(seat, replace(board.seats[seat], submitted=submitted))
    context.uow.boards.save(after)
    player = context.speaker.known
    facts = {
        "ahead": board_facts(ahead, context, player),
        "left_over": left_over,
        "comment_dropped": bool(context.comment),
    }
    return [about_board("submitted", after, context, facts, reader=player)]


def confirm_move(command: ConfirmMove, context: Context) -> list[Notice]:
    """Make the move that the speaker has submitted.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber: the move to be made is another than he says.
        NothingSubmitted: there is none.
    """
    board, seats = seats_in_play(command, context)
    submitted = next((each for seat in seats if (each := board.seats[seat].submitted) is not None), None)
    if submitted is None:
        raise NothingSubmitted(board.number)
    if not submitted.fits(board):
        can_act = context.course(board).to_act in seats
        raise Overtaken(board.number, can_act=can_act, on_web=context.speaker.session is not None)
    return play(board, seat_on_turn(board, seats, context), submitted.text, context)
