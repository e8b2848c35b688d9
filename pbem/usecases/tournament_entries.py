"""Tournaments: creating, joining and leaving them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pbem.commands.tournaments import CreateTournament, JoinTournament
from pbem.domain.clocks import ClockRules
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.seeks import OF_CLOCK, read_terms
from pbem.domain.tournaments import MOST_ENTRANTS, MOST_ROUNDS, Kind, Tournament, TournamentState, is_name, name_key
from pbem.errors import NotAllowed, PlayerError, Quoted, Unreadable
from pbem.games.game import Game, Options
from pbem.games.options import NoSuchValue, Option, OptionsRefused
from pbem.ids import PlayerId
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import to_sender
from pbem.usecases.seats import bar_to_seats

_ROUNDS = "rounds"
_KINDS = {"swiss": Kind.SWISS, "roundrobin": Kind.ROUND_ROBIN, "round_robin": Kind.ROUND_ROBIN}
AT_A_BOARD = 2
"""The players at a board of a tournament, whatever the game."""


class TwoKinds(NotAllowed):
    """A tournament is either a Swiss or a round robin."""


class RoundsAreGiven(NotAllowed):
    """The number of rounds of a round robin follows from its entrants."""


class NotForTwo(NotAllowed):
    """The boards of a tournament are for two, and the game is not."""

    game: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choices for a tournament."""

    kind: Kind
    rounds: int | None
    options: Options
    clock: ClockRules | None
    """None: the usual one of tournaments."""


def read_chosen(words: Sequence[str], game: Game[Any, Any], usual: ClockRules) -> Chosen:
    """Read the options of a tournament, without their dashes.

    Args:
        words: as they were typed.
        game: whose boards it has.
        usual: the clock of tournaments.

    Raises:
        PlayerError: the one thing wrong with them.
        OptionsRefused: every reason, if there are several.
    """
    read = read_terms(words, OF_CLOCK, usual)
    reasons, words = read.reasons, read.words
    ours = [word for word in words if _name(word) in (_ROUNDS, *_KINDS)]
    kinds = {_kind(word, reasons) for word in ours if _name(word) != _ROUNDS}
    rounds = _rounds([word for word in ours if _name(word) == _ROUNDS], reasons)
    options = _options([word for word in words if word not in ours], game, reasons)
    if len(kinds) > 1:
        reasons.append(TwoKinds())
    elif Kind.ROUND_ROBIN in kinds and rounds is not None:
        reasons.append(RoundsAreGiven())
    if reasons:
        raise reasons[0] if len(reasons) == 1 else OptionsRefused(reasons)
    return Chosen(min(kinds, default=Kind.SWISS), rounds, options, read.terms.clock)


def _name(word: str) -> str:
    return word.partition("=")[0].lower().replace("-", "_")


def _kind(word: str, reasons: list[PlayerError]) -> Kind:
    """The kind that a word names; it takes no value."""
    name, _, value = word.partition("=")
    if value:
        reasons.append(NoSuchValue(name, value, ()))
    return _KINDS[_name(word)]


def _rounds(words: Sequence[str], reasons: list[PlayerError]) -> int | None:
    """The number of rounds asked for; of several the last counts."""
    option = Option(_ROUNDS, range(1, MOST_ROUNDS + 1))
    rounds = None
    for word in words:
        try:
            rounds = int(option.read(word.partition("=")[2]))
        except PlayerError as wrong:
            reasons.append(wrong)
    return rounds


def _options(words: Sequence[str], game: Game[Any, Any], reasons: list[PlayerError]) -> Options:
    """The options of the boards, checked for two players; what is wrong with them is added to the reasons."""
    if AT_A_BOARD not in game.players:
        reasons.append(NotForTwo(game.name))
        return {}
    try:
        options = game.read_options(words)
        game.begin(options, AT_A_BOARD)
    except OptionsRefused as refused:
        reasons += refused.reasons
        return {}
    except PlayerError as wrong:
        reasons.append(wrong)
        return {}
    return options


MOST_OPEN = 3
"""The most tournaments of one player that wait for their start."""
MOST_LISTED = 30
_MOST_NEAR = 3


class BadTournamentName(Unreadable):
    """No tournament can have this name."""

    word: Quoted


class TournamentTaken(NotAllowed):
    """There is, or was, a tournament with this name already."""

    game: str
    name: str


class TooManyTournaments(NotAllowed):
    """The speaker has created too many that have not begun."""

    most: int


class NoSuchTournament(NotAllowed):
    """There is no tournament with this name; ``near`` are names that come close."""

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
    """The speaker already takes part."""

    name: str


class NotInTournament(NotAllowed):
    """The speaker does not take part, or no longer does."""

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
    """Accept a tournament that is not over.

    Raises:
        TournamentOver: it is.
    """
    if tournament.state is TournamentState.OVER:
        raise TournamentOver(tournament.name)


@handles(CreateTournament)
def create_tournament(command: CreateTournament, context: Context) -> list[Notice]:
    """Announce a tournament; its creator takes part only after joining it.

    Raises:
        NoSuchGame, BadTournamentName, TournamentTaken, TooManyTournaments: it cannot be.
        PlayerError: the reason against its options.
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


@handles(JoinTournament)
def join_tournament(command: JoinTournament, context: Context) -> list[Notice]:
    """Enter the speaker, even one who takes no challenges.

    Raises:
        NoSuchGame, NoSuchTournament, TournamentRunning, TournamentOver, JoinedAlready, TournamentFull: they cannot.
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
    """The facts for every template about a tournament."""
    return {
        "tournament": tournament,
        "game": context.games[tournament.game],
        "creator": context.uow.players.userid_of(tournament.creator),
        "clock": tournament.clock or context.policy.tournament_clock,
        "reader": context.speaker.player,
    }
