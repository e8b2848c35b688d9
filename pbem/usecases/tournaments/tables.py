"""How a tournament stands: who has met whom, and the tables of its pools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.commands.model import ShowTournament
from pbem.domain.boards import Board
from pbem.domain.courses import BoardEnding
from pbem.domain.events import EventKind
from pbem.domain.list_parts import FIRST, ListPart
from pbem.domain.notices import Notice
from pbem.domain.players import userid_key
from pbem.domain.tables import DRAW, LOSS, WIN
from pbem.domain.tournaments import Meeting, Tournament, TournamentState
from pbem.games.game import Seat
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import to_sender
from pbem.usecases.tournaments.entries import MOST_LISTED, described, find_tournament


def show_tournament(command: ShowTournament, context: Context) -> list[Notice]:
    """How a tournament stands; without a name, the tournaments of the game.

    Raises:
        NoSuchGame, NoSuchTournament: there is none.
    """
    if command.name is None:
        return [to_sender("tournaments", context, facts_of_list(command.game, FIRST, context))]
    tournament = find_tournament(command.game, command.name, context)
    facts = {**described(tournament, context), **table_facts(tournament, context)}
    return [to_sender("tournament", context, facts)]


def facts_of_list(game: str, part: ListPart, context: Context) -> dict[str, object]:
    """What the list of a game's tournaments, or a part of it, shows.

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
    """Who has won a tournament that is over: the first of each pool."""
    if tournament.state is not TournamentState.OVER:
        return []
    names = {each.player: each.userid for each in tournament.entries}
    meetings = _meetings(tournament, context.uow.boards.listed_of_tournament(tournament.id)[0], context)
    tables = [tournament.table(pool, meetings) for pool in tournament.pools]
    return [names[row.player] for rows in tables for row in rows if row.place == 1 and not row.has_withdrawn]


def table_facts(tournament: Tournament, context: Context) -> Mapping[str, object]:
    """What the templates of a tournament that has begun need beside `described`."""
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
    """Everybody who has met somebody, in the order of the boards.

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
    """The userid of who held a seat when the board began."""
    handed_over = (each for each in board.events if each.kind is EventKind.HANDOVER and each.seat == seat)
    first = next(handed_over, None)
    return board.seats[seat].userid if first is None or first.record is None else str(first.record["from"])


def _halves(board: Board, context: Context) -> tuple[int, int] | None:
    """What each has made of a board, in half points; one that the operator has annulled is a draw."""
    result = context.course(board).result
    if result is None:
        return None
    if result.ending is BoardEnding.DECLINED and result.by is not None:
        return (LOSS, WIN) if result.by == 0 else (WIN, LOSS)
    if not result.winners:
        return DRAW, DRAW
    return (WIN, LOSS) if 0 in result.winners else (LOSS, WIN)
