"""The operator's commands about boards and tournaments, and bulletins."""

from __future__ import annotations

from datetime import datetime
from itertools import combinations

from pbem.commands.internal import AnnulBoard, BeginTournament, CallOffTournament, EndBoard, HandOverSeat
from pbem.domain.boards import Board
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.mails import Notice
from pbem.domain.players import Player, userid_key
from pbem.errors import NotAllowed
from pbem.games.game import Seat
from pbem.ids import BoardNumber
from pbem.usecases.context import Context, handles
from pbem.usecases.follow_ups import ended_if_left_to_robots, keep
from pbem.usecases.notices import to_players
from pbem.usecases.offers import with_vacations
from pbem.usecases.ratings import was_rated
from pbem.usecases.seats import CannotBeSeated, bar_to_seats, seated
from pbem.usecases.tournament_entries import call_off, check_is_open, described, find_tournament, still_here
from pbem.usecases.tournament_rounds import begin
from pbem.usecases.understanding import BoardOver, find_board, find_player


class NotSeated(NotAllowed):
    """The player holds no seat at the board that is still in play."""

    board: BoardNumber
    userid: str


class CannotBeWon(NotAllowed):
    """The player would not have won, whichever of the others left the game."""

    board: BoardNumber
    userid: str


class SeatedAlready(NotAllowed):
    """The player who is to take over a seat already sits at the board."""

    board: BoardNumber
    userid: str


@handles(AnnulBoard)
def annul_board(command: AnnulBoard, context: Context) -> list[Notice]:
    """Annul a board, even one that is over.

    Raises:
        NoSuchBoard: there is none.
        BoardOver: there was no game: it was declined, or annulled before.
    """
    board = find_board(command.board, None, context)
    course = context.course(board)
    if course.result is not None and not course.result.was_played:
        raise BoardOver(board.number)
    seat = board.first if course.to_act is None else course.to_act
    facts = {"deed": "annulled", "reason": command.reason, "was_rated": was_rated(board, context)}
    after = keep(board.with_event(EventKind.ANNULMENT, seat, context.now), context)
    return to_players("board_deed", after, context, facts)


@handles(EndBoard)
def end_board(command: EndBoard, context: Context) -> list[Notice]:
    """End a game: the others forfeit it, or it is a draw.

    Raises:
        NoSuchBoard, BoardOver: there is none, or it is over.
        NotSeated, CannotBeWon: this player cannot be its winner.
    """
    board = find_board(command.board, None, context)
    to_act = context.course(board).to_act
    if to_act is None:
        raise BoardOver(board.number)
    if command.winner is None:
        after = board.with_event(EventKind.DRAW, to_act, context.now, BY_OPERATOR)
    else:
        after = _won_by(board, command.winner, context)
    after = keep(after, context)
    return to_players("board_deed", after, context, {"deed": "ended", "reason": command.reason})


def _won_by(board: Board, userid: str, context: Context) -> Board:
    """The board after as few forfeits as possible let the player win; their partner never forfeits."""
    mine = _seats_in_play(board, userid, context)
    others = [seat for seat in context.course(board).position.playing if seat not in mine]
    for count in range(1, len(others) + 1):
        for leaving in combinations(others, count):
            after = _forfeited(board, leaving, context)
            result = context.course(after).result
            if result is not None and set(mine) & set(result.winners):
                return after
    raise CannotBeWon(board.number, userid)


def _forfeited(board: Board, seats: tuple[Seat, ...], context: Context) -> Board:
    for seat in seats:
        if context.course(board).result is None:
            board = board.with_event(EventKind.FORFEIT, seat, context.now, BY_OPERATOR)
    return board


def _seats_in_play(board: Board, userid: str, context: Context) -> tuple[Seat, ...]:
    playing = context.course(board).position.playing
    key = userid_key(userid)
    seats = tuple(seat for seat in playing if userid_key(board.seats[seat].userid) == key)
    if not seats:
        raise NotSeated(board.number, userid)
    return seats


@handles(HandOverSeat)
def hand_over_seat(command: HandOverSeat, context: Context) -> list[Notice]:
    """Give a player's seats to another; the position stays, and answers to earlier mails are overtaken.

    The taker has not been asked, so they may decline until their first move, as anybody may.

    Raises:
        NoSuchBoard, BoardOver: there is none, or it is over.
        NotSeated: the giver has no seat in play.
        NoSuchPlayer, CannotBeSeated, SeatedAlready: the taker cannot have it.
    """
    board = find_board(command.board, None, context)
    if context.course(board).result is not None:
        raise BoardOver(board.number)
    seats = _seats_in_play(board, command.giver, context)
    taker = _taker(board, command.taker, context)
    giver = context.uow.players.get(board.seats[seats[0]].player)
    after = board.with_pauses_ended(giver.id, context.now)
    for seat in seats:
        after = after.with_handover(seat, seated(taker, context.uow), context.now)
    after = keep(ended_if_left_to_robots(with_vacations(after, context), context), context)
    facts = {"deed": "handed_over", "giver": giver, "taker": taker, "reason": command.reason}
    return to_players("board_deed", after, context, facts, also=[giver.id])


def _taker(board: Board, userid: str, context: Context) -> Player:
    taker = find_player(userid, context)
    if (bar := bar_to_seats(taker)) is not None:
        raise CannotBeSeated(taker.userid, bar)
    if taker.id in board.players:
        raise SeatedAlready(board.number, taker.userid)
    return taker


@handles(BeginTournament)
def begin_tournament(command: BeginTournament, context: Context) -> list[Notice]:
    """Start a tournament in place of its creator.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentRunning, TournamentOver, TooFewEntrants: it cannot begin.
    """
    tournament = find_tournament(command.game, command.name, context)
    check_is_open(tournament)
    return begin(tournament, context)[1]


@handles(CallOffTournament)
def call_off_tournament(command: CallOffTournament, context: Context) -> list[Notice]:
    """Call off a tournament that has not begun; its entrants and its creator are told why.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentRunning, TournamentOver: it cannot be called off.
    """
    tournament = find_tournament(command.game, command.name, context)
    check_is_open(tournament)
    facts = {"by_operator": True, "reason": command.reason}
    told = call_off(tournament, context, facts)
    if tournament.entry_of(tournament.creator) is not None:
        return told
    about = {**described(tournament.called_off(context.now), context), **facts}
    creators = still_here([tournament.creator], context)
    return [*told, *(Notice("tournament_called_off", each, {**about, "reader": each}) for each in creators)]


def bulletin(player: Player, text: str, until: datetime | None) -> Notice:
    """A maintenance notice as a mail of its own."""
    return Notice("bulletin", player, {"player": player, "text": text, "until": until})


def broadcast(player: Player, subject: str, text: str) -> Notice:
    """One player's copy of a letter from the operator to all."""
    return Notice("operator_broadcast", player, {"player": player, "subject": subject, "text": text})
