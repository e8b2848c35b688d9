"""Moves and simultaneous submissions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pbem.commands.command import BoardCommand, TurnCommand
from pbem.commands.planning import CancelPlan, SharePlan, ShowPlan
from pbem.commands.playing import (
    CancelQueued,
    ConfirmMove,
    MakeMove,
    PassTurn,
    PlayedMove,
    Resign,
    SubmitMove,
    SwapSides,
)
from pbem.domain.administration import obstacle
from pbem.domain.boards import Board, SubmittedMove
from pbem.domain.events import EventKind
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed, NotNow
from pbem.games.game import Seat, TurnRecord
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context, handles
from pbem.usecases.follow_ups import (
    OtherMoveNumber,
    announced_by,
    dropped_of,
    go_on,
    keep,
    planned_by,
    to_owners,
    with_move,
    with_plan_below,
)
from pbem.usecases.notices import about_board, board_facts, to_players
from pbem.usecases.understanding import BoardOver, NotAtBoard, find_board


class NotYourTurn(NotAllowed):
    """It is another player's turn to play, or to decide something; then ``options`` are their answers."""

    board: BoardNumber
    to_act: str
    options: Sequence[str] = ()


class WordsForNobody(NotAllowed):
    """The words below a move have a line that is not for the others: a note, a study, or another command.

    If that is not ``is_certain``, they only may have one, or a plan.
    """

    is_certain: bool


class OutOfTheGame(NotNow):
    """The speaker has lost or left already, while others play on."""

    board: BoardNumber


class Overtaken(NotNow):
    """The letter answers a mail, or the page was made, before something else has happened at the board.

    ``can_act``: it is the speaker's turn by now; ``on_web``: the command came from a page.
    """

    board: BoardNumber
    can_act: bool
    on_web: bool


def seats_in_play(command: BoardCommand, context: Context) -> tuple[Board, tuple[Seat, ...]]:
    """The board and the speaker's seats in play there, if it is still on and as the speaker says.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame: not here, or not any more.
        Overtaken, OtherMoveNumber: the speaker means an earlier or later state of the board.
    """
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
    if answers is not None and not _oldest_answered(command, board, player.id) <= answers <= board.event_number:
        raise Overtaken(board.number, can_act=course.to_act in in_play, on_web=context.speaker.session is not None)
    if isinstance(command, MakeMove | SubmitMove | TurnCommand) and command.moveno not in (None, course.ply + 1):
        raise OtherMoveNumber(board.number, command.moveno or 0, course.ply + 1)
    return board, in_play


def _oldest_answered(command: BoardCommand, board: Board, player: PlayerId) -> int:
    """The number of the event from which on mails can be answered with a command.

    A plan can be shown in answer to any mail, and taken back in answer to any since it was made.
    """
    if isinstance(command, ShowPlan | SharePlan):
        return 0
    if not isinstance(command, CancelQueued | CancelPlan):
        return board.changed_by
    place = planned_by(board, player)
    plan = None if place is None else board.seats[place].plan
    return 0 if plan is None else plan.event


def seat_on_turn(board: Board, seats: Collection[Seat], context: Context) -> Seat:
    """The seat that is to act, if it is one of these.

    Raises:
        NotYourTurn: it is not.
    """
    course = context.course(board)
    if course.to_act is None or course.to_act not in seats:
        decision = course.position.decision
        options = decision.options if decision else ()
        raise NotYourTurn(board.number, board.seats[course.to_act or 0].userid, options)
    return course.to_act


@handles(MakeMove, PassTurn, SwapSides)
def make_move(command: PlayedMove, context: Context) -> list[Notice]:
    """Play a turn, or what the game allows of one; or answer what the player has to decide.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber, NotYourTurn: not now.
        UnreadableMove, IllegalMove: what the game says.
    """
    board, seats = seats_in_play(command, context)
    return play(board, seat_on_turn(board, seats, context), command.move_text, context)


def play(board: Board, seat: Seat, text: str, context: Context) -> list[Notice]:
    """Make a move of the seat that is to act, and tell everybody.

    Raises:
        UnreadableMove, IllegalMove: what the game says.
    """
    moved, left_over = with_move(board, seat, text, context)
    facts = {"new_input": moved.event_number}
    moved, of_plan = with_plan_below(moved, context)
    return go_on(moved, context, facts, to_speaker={"left_over": left_over, **of_plan})


@handles(Resign)
def resign(command: Resign, context: Context) -> list[Notice]:
    """Decline before the speaker's first move; else resign, at once on the speaker's turn.

    Otherwise a resignation is announced, and taken back the second time.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken, OtherMoveNumber: not here, or not now.
    """
    board, seats = seats_in_play(command, context)
    if not any(board.has_moved(each) for each in board.seats_of(context.speaker.known.id)):
        return decline(board, context.speaker.known.id, context)
    to_act = context.course(board).to_act
    if to_act is None or to_act not in seats:
        return _announce(board, seats, context)
    return go_on(board.with_event(EventKind.RESIGNATION, to_act, context.now), context)


def _announce(board: Board, seats: tuple[Seat, ...], context: Context) -> list[Notice]:
    """Note that the speaker will resign with one of these seats, or take the announcement back."""
    player = context.speaker.known
    announced = announced_by(board, player.id)
    resigning = announced is None
    after = board.with_resigning(seats[0] if announced is None else announced, resigning=resigning)
    context.uow.boards.save(after)
    facts = {"resigning": resigning, "has_choice": len(seats) > 1, "comment_dropped": bool(context.comment)}
    return [about_board("resignation_announced", after, context, facts, reader=player)]


def decline(board: Board, who: PlayerId, context: Context, by: TurnRecord | None = None) -> list[Notice]:
    """Take a player off the board: the others begin anew if the rules are for so many, else the board is over.

    Players who have announced a resignation go, too: nobody has moved in the new game, so they decline it.
    In a tournament nothing can be declined: it is forfeited. ``by`` says that the operator has done it, or the clock.
    """
    if board.tournament is not None:
        return _forfeit_undeclinable(board, who, context, by)
    game = context.games[board.game]
    wishes = (holder.player for holder in board.seats if holder.resigning)
    after, why_over = board, None
    decliners: list[PlayerId] = []
    for player in dict.fromkeys((who, *wishes)):
        if why_over is None and player in after.players:
            why_over = obstacle(after, game, player)
            reason = by if player == who else None
            after = after.with_decline(player, context.now, restarts=why_over is None, by=reason)
            decliners.append(player)
    after = keep(after, context)
    dropped = to_owners(dropped_of(board), context)
    told = tuple(context.uow.players.get_all(decliners))
    facts = {"decliners": told, "before": board, "why_over": why_over}
    return to_players("declined", after, context, facts, also=decliners, to_each=dropped)


def _forfeit_undeclinable(board: Board, player: PlayerId, context: Context, by: TurnRecord | None) -> list[Notice]:
    after = keep(board.with_event(EventKind.FORFEIT, board.seats_of(player)[0], context.now, by), context)
    return to_players("board", after, context)


class NothingSubmitted(NotAllowed):
    """The speaker has submitted no move at the board."""

    board: BoardNumber


@handles(SubmitMove)
def submit_move(command: SubmitMove, context: Context) -> list[Notice]:
    """Show the speaker the board after a move, and keep the move until they confirm it.

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


@handles(ConfirmMove)
def confirm_move(command: ConfirmMove, context: Context) -> list[Notice]:
    """Make the move that the speaker has submitted.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard, BoardOver, OutOfTheGame, Overtaken: not here, or not any more.
        OtherMoveNumber: the move to be made is another than they say.
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
