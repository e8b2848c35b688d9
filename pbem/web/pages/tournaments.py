"""Pages about tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import cast

from starlette.responses import Response

from pbem.commands.model import ShowTournament
from pbem.domain.tournaments import Meeting, Tournament
from pbem.domain.watches import FIRST
from pbem.usecases.context import Context
from pbem.usecases.tournaments.rounds import facts_of_list
from pbem.web.context import RequestContext
from pbem.web.leaves import leaf


def show_tournaments(visit: RequestContext) -> Response:
    """The tournaments of all games, or of the one that the address names.

    Raises:
        NoSuchGame, NoSuchPart: it is none of ours, or has no such part.
    """
    if "game" not in visit.request.path_params:
        return visit.page("tournaments", {"lists": visit.look(_lists), "game": None, "leaves": None})
    game = visit.word("game")
    told, leaves = leaf(visit, visit.look, lambda part, context: facts_of_list(game, part, context))
    return visit.page("tournaments", {"lists": [told], "game": told["game"], "leaves": leaves})


def _lists(context: Context) -> Sequence[Mapping[str, object]]:
    return [facts_of_list(name, FIRST, context) for name in sorted(context.games)]


def show_tournament(visit: RequestContext) -> Response:
    """How a tournament stands, and its rounds with their boards, the last one first.

    Raises:
        NoSuchGame, NoSuchTournament: there is none.
    """
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
    return visit.page("tournament", {**told, "rounds": rounds})


def _round(meeting: Meeting) -> int:
    return meeting.round
