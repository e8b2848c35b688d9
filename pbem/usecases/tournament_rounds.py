"""Rounds of tournaments and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbem.commands.internal import AdvanceTournament
from pbem.commands.tournaments import ShowTournament, StartTournament, WithdrawFromTournament
from pbem.domain.boards import Board, TournamentPlace
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding
from pbem.domain.mails import Notice
from pbem.domain.players import Player, userid_key
from pbem.domain.tables import DRAW, LOSS, WIN
from pbem.domain.tournaments import (
    CREATOR_WAITED_FOR,
    FEWEST_ENTRANTS,
    Meeting,
    NextRound,
    Seating,
    Tournament,
    TournamentState,
    next_round,
)
from pbem.domain.watches import FIRST, ListPart
from pbem.errors import NotAllowed
from pbem.games.game import Seat
from pbem.ids import PlayerId
from pbem.usecases.context import Context, handles
from pbem.usecases.follow_ups import go_on
from pbem.usecases.notices import to_players, to_sender
from pbem.usecases.offers import forfeited, with_vacations
from pbem.usecases.seats import bar_to_seats, seated
from pbem.usecases.tournament_entries import (
    MOST_LISTED,
    NotInTournament,
    call_off,
    check_is_not_over,
    check_is_open,
    described,
    find_tournament,
    still_here,
)


@handles(ShowTournament)
def show_tournament(command: ShowTournament, context: Context) -> list[Notice]:
    """A tournament with its tables; without a name, the tournaments of the game.

    Raises:
        NoSuchGame, NoSuchTournament: there is none.
    """
    if command.name is None:
        return [to_sender("tournaments", context, facts_of_list(command.game, FIRST, context))]
    tournament = find_tournament(command.game, command.name, context)
    facts = {**described(tournament, context), **table_facts(tournament, context)}
    return [to_sender("tournament", context, facts)]


def facts_of_list(game: str, part: ListPart, context: Context) -> dict[str, object]:
    """The facts of the list of a game's tournaments, or of a part of it.

    Raises:
        NoSuchGame, NoSuchPart: the server does not play it, or has no such part.
    """
    played = context.game(game)
    found = list(context.uow.tournaments.of_game(played.name, MOST_LISTED + 1, part.skipped(MOST_LISTED)))
    more = len(found) > MOST_LISTED
    if more:
        found.remove(max(found, key=lambda each: (each.state is TournamentState.OVER, -each.id)))
    rows = [{**described(each, context), "leaders": _leaders(each, context)} for each in found]
    return {"game": played, "rows": rows, "more": more}


def _leaders(tournament: Tournament, context: Context) -> list[str]:
    """The winners of a tournament that is over: the first of each pool."""
    if tournament.state is not TournamentState.OVER:
        return []
    names = {each.player: each.userid for each in tournament.entries}
    meetings = _meetings(tournament, context.uow.boards.listed_of_tournament(tournament.id)[0], context)
    tables = [tournament.table(pool, meetings) for pool in tournament.pools]
    return [names[row.player] for rows in tables for row in rows if row.place == 1 and not row.has_withdrawn]


def table_facts(tournament: Tournament, context: Context) -> Mapping[str, object]:
    """The facts for the templates of a tournament that has begun, beside `described`."""
    boards, damaged = context.uow.boards.listed_of_tournament(tournament.id)
    meetings = _meetings(tournament, boards, context)
    return {
        "names": {each.player: each.userid for each in tournament.entries},
        "pools": [{"letter": pool, "rows": tournament.table(pool, meetings)} for pool in tournament.pools],
        "meetings": [each for each in meetings if each.round == tournament.round],
        "all_meetings": meetings,
        "is_played": any(each.is_over for each in meetings),
        "damaged": damaged,
    }


def meetings_of(tournament: Tournament, context: Context) -> tuple[Meeting, ...]:
    """All meetings of two entrants, in the order of the boards.

    A seat that was handed over still counts for the entrant who had it.
    """
    return _meetings(tournament, context.uow.boards.of_tournament(tournament.id), context)


def _meetings(tournament: Tournament, boards: Iterable[Board], context: Context) -> tuple[Meeting, ...]:
    ids = {userid_key(each.userid): each.player for each in tournament.entries}
    meetings = []
    for board in boards:
        place = board.tournament
        if place is not None:
            first, second = (ids[userid_key(_entrant(board, seat))] for seat in (0, 1))
            halves = _halves(board, context)
            meetings.append(Meeting(board.number, place.round, place.label, (first, second), halves))
    return tuple(meetings)


def _entrant(board: Board, seat: Seat) -> str:
    """The userid of the player who held a seat when the board began."""
    handed_over = (each for each in board.events if each.kind is EventKind.HANDOVER and each.seat == seat)
    first = next(handed_over, None)
    return board.seats[seat].userid if first is None or first.record is None else str(first.record["from"])


def _halves(board: Board, context: Context) -> tuple[int, int] | None:
    """The half points of each player of a board; one that the operator has annulled is a draw."""
    result = context.course(board).result
    if result is None:
        return None
    if result.ending is BoardEnding.DECLINED and result.by is not None:
        return (LOSS, WIN) if result.by == 0 else (WIN, LOSS)
    if not result.winners:
        return DRAW, DRAW
    return (WIN, LOSS) if 0 in result.winners else (LOSS, WIN)


class NotYoursToStart(NotAllowed):
    """Somebody else has created the tournament; ``creator`` is None if an entrant is to start it in their place.

    That is so once the creator cannot, or has not been heard of for ``days``.
    """

    name: str
    creator: str | None
    days: int = CREATOR_WAITED_FOR.days


class TooFewEntrants(NotAllowed):
    """A tournament needs two players who can play."""

    name: str
    entrants: int


@handles(StartTournament)
def start_tournament(command: StartTournament, context: Context) -> list[Notice]:
    """Draw the first round, and begin its boards.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentRunning, TournamentOver: there is nothing to start.
        NotYoursToStart, TooFewEntrants: the speaker cannot start it.
    """
    tournament = find_tournament(command.game, command.name, context)
    check_is_open(tournament)
    _check_may_start(tournament, context)
    context.uow.players.hold(context.speaker.known)
    after, notices = begin(tournament, context)
    if after.entry_of(context.speaker.known.id) is not None:
        return notices
    return [to_sender("tournament_round", context, _round_facts(after, context, None)), *notices]


def begin(tournament: Tournament, context: Context) -> tuple[Tournament, list[Notice]]:
    """Draw the first round of a tournament, whoever starts it, and begin its boards.

    Raises:
        TooFewEntrants: there are not enough who can play.
    """
    if len(tournament.entries) < FEWEST_ENTRANTS:
        raise TooFewEntrants(tournament.name, len(tournament.entries))
    started = tournament.started()
    drawn = next_round(started, (), _can_play(started, context))
    if drawn is None:
        raise TooFewEntrants(tournament.name, len(tournament.entries))
    return _begin_round(started, drawn, replace(context, comment=""))


def _check_may_start(tournament: Tournament, context: Context) -> None:
    speaker, creator = context.speaker.known, context.uow.players.get(tournament.creator)
    if speaker.id == creator.id:
        return
    if not tournament.waits_in_vain(creator, context.now):
        raise NotYoursToStart(tournament.name, creator.userid)
    if tournament.entry_of(speaker.id) is None:
        raise NotYoursToStart(tournament.name, None)


@handles(AdvanceTournament)
def advance_tournament(command: AdvanceTournament, context: Context) -> list[Notice]:
    """Begin the next round, or end the tournament; nothing if a board of this round is still on."""
    tournament = context.uow.tournaments.get(command.tournament)
    meetings = meetings_of(tournament, context)
    if tournament.state is not TournamentState.RUNNING or not all(each.is_over for each in meetings):
        return []
    drawn = next_round(tournament, meetings, _can_play(tournament, context))
    if drawn is not None:
        return _begin_round(tournament, drawn, context)[1]
    after = tournament.ended(context.now)
    context.uow.tournaments.save(after)
    facts = {**described(after, context), **table_facts(after, context)}
    readers = still_here((each.player for each in after.entries), context)
    return [Notice("tournament_over", each, {**facts, "reader": each}) for each in readers]


def _can_play(tournament: Tournament, context: Context) -> set[PlayerId]:
    """The entrants who have not withdrawn and can hold a seat now."""
    players = context.uow.players.listed(each.player for each in tournament.staying)
    return {each.id for each in players if bar_to_seats(each) is None}


def _begin_round(tournament: Tournament, drawn: NextRound, context: Context) -> tuple[Tournament, list[Notice]]:
    after = tournament.with_round(drawn)
    context.uow.tournaments.save(after)
    boards = [_begun(after, seating, context) for seating in drawn.seatings]
    readers = still_here((each.player for each in after.staying), context)
    told = [
        Notice(
            "tournament_round",
            each,
            _round_facts(after, context, each),
            answers=context.speaker.player is not None and each.id == context.speaker.player.id,
        )
        for each in readers
    ]
    return after, [*told, *(notice for board in boards for notice in to_players("new_board", board, context))]


def _round_facts(tournament: Tournament, context: Context, reader: Player | None) -> dict[str, object]:
    """The facts of a round that has begun; without a reader, for somebody who does not take part."""
    return {**described(tournament, context), **table_facts(tournament, context), "reader": reader}


def _begun(tournament: Tournament, seating: Seating, context: Context) -> Board:
    """A board of a round; the player who moves first was drawn with the round, whatever the game does elsewhere."""
    players = context.uow.players.get_all(seating.pair)
    board = Board(
        number=context.uow.boards.next_number(),
        game=tournament.game,
        options=tournament.options,
        rules=context.games[tournament.game].rules,
        first=0,
        seats=tuple(seated(player, context.uow) for player in players),
        begun_at=context.now,
        clock=tournament.clock or context.policy.tournament_clock,
        tournament=TournamentPlace(tournament.id, tournament.name, tournament.round, seating.label),
    )
    board = with_vacations(board, context)
    context.uow.boards.save(board)
    return board


@handles(WithdrawFromTournament)
def withdraw_from_tournament(command: WithdrawFromTournament, context: Context) -> list[Notice]:
    """Withdraw the speaker; a board of theirs that is on is forfeited.

    A creator who does not take part calls off a tournament that has not begun.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentOver, NotInTournament: they do not take part.
    """
    tournament, player = find_tournament(command.game, command.name, context), context.speaker.known
    check_is_not_over(tournament)
    takes_part = player.id in {each.player for each in tournament.staying}
    if tournament.creator == player.id and tournament.state is TournamentState.OPEN and not takes_part:
        told = call_off(tournament, context)
        facts = {**described(tournament.called_off(context.now), context), "boards": (), "told": len(told)}
        return [to_sender("tournament_withdrawn", context, facts), *told]
    if not takes_part:
        raise NotInTournament(tournament.name)
    after = _without(tournament, player, context)
    left = _boards_on(after, player, context)
    notices = [notice for board in left for notice in _forfeit(board, player, context)]
    facts = {**described(after, context), "boards": [board.number for board in left]}
    return [to_sender("tournament_withdrawn", context, facts), *notices]


def leave_tournaments(player: Player, context: Context) -> None:
    """Withdraw a player from all tournaments; their boards there are decided with all their others."""
    for tournament in context.uow.tournaments.of_player(player.id):
        _without(tournament, player, context)


def _without(tournament: Tournament, player: Player, context: Context) -> Tournament:
    after = tournament.withdrawn(player.id, context.now)
    context.uow.tournaments.save(after)
    return after


def _boards_on(tournament: Tournament, player: Player, context: Context) -> list[Board]:
    """The boards of a player in a tournament that are on."""
    return [
        board
        for board in context.uow.boards.of_tournament(tournament.id)
        if player.id in board.players and context.course(board).result is None
    ]


def _forfeit(board: Board, player: Player, context: Context) -> list[Notice]:
    return go_on(forfeited(board.with_pauses_ended(player.id, context.now), player, context), context)
