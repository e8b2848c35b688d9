"""Tournaments: their lists, the page of each, and the forms that create, join, leave and start them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import cast

from starlette.responses import Response

from pbem.commands.tournaments import (
    CreateTournament,
    JoinTournament,
    ShowTournament,
    StartTournament,
    TournamentCommand,
    WithdrawFromTournament,
)
from pbem.domain.tournaments import FEWEST_ENTRANTS, MOST_ENTRANTS, Meeting, Tournament, TournamentState
from pbem.domain.watches import FIRST
from pbem.errors import PlayerError
from pbem.usecases.context import Context
from pbem.usecases.tournament_entries import AT_A_BOARD
from pbem.usecases.tournament_rounds import facts_of_list
from pbem.web.context import RequestContext
from pbem.web.pages.challenges import CLOCK, option_facts, paces_beside, read_form
from pbem.web.paging import leaf

_DEEDS: Mapping[str, type[TournamentCommand]] = {
    each.word: each for each in (JoinTournament, WithdrawFromTournament, StartTournament)
}
"""The commands of the buttons on the page of a tournament."""


def show_tournaments(visit: RequestContext) -> Response:
    """The tournaments of all games, or of the one that the address names.

    Raises:
        NoSuchGame, NoSuchPart: there is no such game, or no such part.
    """
    return _list(visit, {})


def create(visit: RequestContext) -> Response:
    """Announce a tournament, and lead to its page.

    Raises:
        NotSignedIn: the creator is unknown.
    """
    visit.check_form()
    visit.check_signed_in()
    form = read_form(visit, visit.form)
    kind = "roundrobin" if visit.form.get("kind") == "roundrobin" else "swiss"
    rounds = "".join(visit.form.get("rounds", "").split())
    words = (kind, *([f"rounds={rounds}"] if rounds else ()), *form.option_words, *form.clock_words)
    name = "".join(visit.form.get("name", "").split()[:1])
    try:
        visit.tell(CreateTournament(form.fields["game"], name, words))
    except PlayerError as wrong:
        return _list(visit, visit.form, wrong)
    return visit.go(f"/tournaments/{form.fields['game']}/{name}")


def _list(visit: RequestContext, fields: Mapping[str, str], wrong: PlayerError | None = None) -> Response:
    """The lists, and the form with its fields filled."""
    given = {each: fields.get(each, "") for each in ("game", "name", "kind", "rounds", *CLOCK)}
    usual = visit.look(lambda context: context.policy.tournament_clock.forfeit)
    form = read_form(visit, fields)
    shared = {"given": given, "form": form, "wrong": wrong, "usual": usual, "paces": paces_beside(usual)}
    status = 200 if wrong is None else 409
    if "game" not in visit.request.path_params:
        playable = visit.look(lambda context: [each for each in context.games.values() if AT_A_BOARD in each.players])
        listed = {"lists": visit.look(_lists), "game": None, "leaves": None, "playable": playable}
        return visit.page("tournaments", {**shared, **listed}, status)
    game = visit.word("game")
    told, leaves = leaf(visit, visit.look, lambda part, context: facts_of_list(game, part, context))
    facts: dict[str, object] = {"lists": [told], "game": told["game"], "leaves": leaves, **option_facts(visit, form)}
    return visit.page("tournaments", {**shared, **facts}, status)


def _lists(context: Context) -> Sequence[Mapping[str, object]]:
    return [facts_of_list(name, FIRST, context) for name in sorted(context.games)]


def show_tournament(visit: RequestContext) -> Response:
    """The standings of a tournament, and its rounds with their boards, the last one first.

    Raises:
        NoSuchGame, NoSuchTournament: it does not exist.
    """
    return _page(visit)


def change_tournament(visit: RequestContext) -> Response:
    """Join, leave or start a tournament by a button of its page.

    Raises:
        NotSignedIn: the player is unknown.
        NoSuchGame, NoSuchTournament: it does not exist.
    """
    visit.check_form()
    visit.check_signed_in()
    deed = _DEEDS.get(visit.form.get("deed", ""))
    try:
        if deed is not None:
            visit.tell(deed(visit.word("game"), visit.word("name")))
    except PlayerError as wrong:
        return _page(visit.again(), wrong)
    return visit.go(visit.request.url.path)


def _page(visit: RequestContext, wrong: PlayerError | None = None) -> Response:
    told = visit.ask(ShowTournament(visit.word("game"), visit.word("name"))).facts
    tournament, meetings = cast("Tournament", told["tournament"]), cast("Sequence[Meeting]", told["all_meetings"])
    by_round = {number: list(found) for number, found in groupby(sorted(meetings, key=_round), key=_round)}
    rounds = [
        {
            "number": number,
            "meetings": by_round.get(number, ()),
            "byes": [each for each in tournament.byes if each.round == number],
        }
        for number in range(tournament.round, 0, -1)
    ]
    deeds = visit.look(lambda context: _possible(tournament, context))
    facts = {**told, "rounds": rounds, "deeds": deeds, "wrong": wrong}
    return visit.page("tournament", facts, 200 if wrong is None else 409)


def _possible(tournament: Tournament, context: Context) -> Sequence[str]:
    """The deeds open to them: ``join``, ``start``, ``withdraw``, or ``call_off`` a tournament that has not begun."""
    player = context.speaker.player
    if player is None or tournament.state is TournamentState.OVER:
        return ()
    entry = tournament.entry_of(player.id)
    if tournament.state is TournamentState.RUNNING:
        return ("withdraw",) if entry is not None and entry.withdrawn_at is None else ()
    is_creator = player.id == tournament.creator
    creator = context.uow.players.get(tournament.creator)
    may_start = is_creator or (entry is not None and tournament.waits_in_vain(creator, context.now))
    deeds = ["join"] if entry is None and len(tournament.entries) < MOST_ENTRANTS else []
    deeds += ["start"] if may_start and len(tournament.entries) >= FEWEST_ENTRANTS else []
    deeds += ["withdraw"] if entry is not None else ["call_off"] if is_creator else []
    return deeds


def _round(meeting: Meeting) -> int:
    return meeting.round
