"""Tournaments until they begin: created, joined and left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from pbem.commands.model import CreateTournament, JoinTournament
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.domain.tournaments import MOST_ENTRANTS, Tournament, TournamentState, is_name, name_key
from pbem.errors import NotAllowed, Quoted, Unreadable
from pbem.ids import PlayerId
from pbem.usecases.boards.seats import bar_to_seats
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import to_sender
from pbem.usecases.tournaments.options import read_chosen

MOST_OPEN = 3
"""Tournaments of one player that wait for their start."""
MOST_LISTED = 30
_MOST_NEAR = 3


class BadTournamentName(Unreadable):
    """No tournament can be called so."""

    word: Quoted


class TournamentTaken(NotAllowed):
    """There is, or was, a tournament of this name already."""

    game: str
    name: str


class TooManyTournaments(NotAllowed):
    """The speaker has created so many that have not begun."""

    most: int


class NoSuchTournament(NotAllowed):
    """There is no tournament of this name; ``near`` are names that come close."""

    game: str
    word: Quoted
    near: Sequence[str]


class TournamentRunning(NotAllowed):
    """The tournament has begun."""

    name: str


class TournamentOver(NotAllowed):
    """The tournament has ended."""

    name: str


class TournamentFull(NotAllowed):
    """It has as many entrants as a tournament can have."""

    name: str
    most: int


class JoinedAlready(NotAllowed):
    """The speaker takes part already."""

    name: str


class NotInTournament(NotAllowed):
    """The speaker does not take part, or no more."""

    name: str


def find_tournament(game: str, name: str, context: Context) -> Tournament:
    """The tournament that a command names.

    Raises:
        NoSuchGame, NoSuchTournament: there is none.
    """
    game = context.game(game).name
    found = context.uow.tournaments.find(game, name)
    if found is None:
        known = {name_key(each.name): each.name for each in context.uow.tournaments.of_game(game, MOST_LISTED)}
        near = get_close_matches(name_key(name), known, _MOST_NEAR)
        raise NoSuchTournament(game, name, [known[each] for each in near])
    return found


def check_is_open(tournament: Tournament) -> None:
    """Accept a tournament that has not begun.

    Raises:
        TournamentRunning, TournamentOver: it has.
    """
    if tournament.state is TournamentState.RUNNING:
        raise TournamentRunning(tournament.name)
    check_is_not_over(tournament)


def check_is_not_over(tournament: Tournament) -> None:
    """Accept a tournament that can still be taken part in.

    Raises:
        TournamentOver: it cannot.
    """
    if tournament.state is TournamentState.OVER:
        raise TournamentOver(tournament.name)


def create_tournament(command: CreateTournament, context: Context) -> list[Notice]:
    """Announce a tournament, which its creator does not take part in unless he joins it.

    Raises:
        NoSuchGame, BadTournamentName, TournamentTaken, TooManyTournaments: it cannot be.
        PlayerError: what stands against its options.
    """
    game, creator = context.game(command.game), context.speaker.known
    if not is_name(command.name):
        raise BadTournamentName(command.name)
    taken = context.uow.tournaments.find(game.name, command.name)
    if taken is not None:
        raise TournamentTaken(game.name, taken.name)
    if context.uow.tournaments.open_by(creator.id) >= MOST_OPEN:
        raise TooManyTournaments(MOST_OPEN)
    chosen = read_chosen(command.options, game, context.policy.tournament_clock)
    made = Tournament(
        id=context.uow.tournaments.next_id(),
        name=command.name,
        game=game.name,
        kind=chosen.kind,
        creator=creator.id,
        created_at=context.now,
        rounds=chosen.rounds,
        options=chosen.options,
        clock=chosen.clock,
    )
    context.uow.players.hold(creator)
    context.uow.tournaments.save(made)
    return [to_sender("tournament_created", context, described(made, context))]


def join_tournament(command: JoinTournament, context: Context) -> list[Notice]:
    """Enter the speaker; who takes no challenges may, too.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentRunning, TournamentOver, JoinedAlready, TournamentFull: he cannot.
    """
    tournament, player = find_tournament(command.game, command.name, context), context.speaker.known
    check_is_open(tournament)
    if tournament.entry_of(player.id) is not None:
        raise JoinedAlready(tournament.name)
    if len(tournament.entries) >= MOST_ENTRANTS:
        raise TournamentFull(tournament.name, MOST_ENTRANTS)
    context.uow.players.hold(player)
    after = tournament.joined(player.id, player.userid, context.now)
    context.uow.tournaments.save(after)
    return [to_sender("tournament_joined", context, described(after, context))]


def call_off(tournament: Tournament, context: Context, facts: Mapping[str, object] | None = None) -> list[Notice]:
    """End a tournament that has not begun, and tell those who have joined it."""
    after = tournament.called_off(context.now)
    context.uow.tournaments.save(after)
    told = {**described(after, context), **(facts or {})}
    readers = still_here((each.player for each in tournament.entries), context)
    return [Notice("tournament_called_off", each, {**told, "reader": each}) for each in readers]


def still_here(players: Iterable[PlayerId], context: Context) -> list[Player]:
    """Those of the players who have not left the server."""
    return [each for each in context.uow.players.listed(players) if bar_to_seats(each) not in ("banned", "gone")]


def described(tournament: Tournament, context: Context) -> Mapping[str, object]:
    """What every template about a tournament needs."""
    return {
        "tournament": tournament,
        "game": context.games[tournament.game],
        "creator": context.uow.players.userid_of(tournament.creator),
        "clock": tournament.clock or context.policy.tournament_clock,
        "reader": context.speaker.player,
    }
