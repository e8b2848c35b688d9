"""What an operator does to a tournament that does not begin by itself."""

from __future__ import annotations

from pbem.commands.unwritten import BeginTournament, CallOffTournament
from pbem.domain.notices import Notice
from pbem.usecases.context import Context
from pbem.usecases.tournaments.entries import call_off, check_is_open, described, find_tournament, still_here
from pbem.usecases.tournaments.rounds import begin


def begin_tournament(command: BeginTournament, context: Context) -> list[Notice]:
    """Start a tournament in place of its creator.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentRunning, TournamentOver, TooFewEntrants: it cannot begin.
    """
    tournament = find_tournament(command.game, command.name, context)
    check_is_open(tournament)
    return begin(tournament, context)[1]


def call_off_tournament(command: CallOffTournament, context: Context) -> list[Notice]:
    """Call off a tournament that has not begun; its creator is told, too, and everybody why.

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
