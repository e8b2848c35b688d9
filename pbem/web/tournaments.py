"""Pages about tournaments."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, cast

from pbem.commands.model import ShowTournament
from pbem.usecases.dispatcher import dispatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

    from pbem.domain.tournaments import Meeting, Tournament
    from pbem.usecases.context import Context
    from pbem.web.site import Visit


def show_tournaments(visit: Visit) -> Response:
    """The tournaments of all games, or of the one that the address names.

    Raises:
        NoSuchGame: it is none of ours.
    """
    game = visit.request.path_params.get("game")
    lists = visit.look(lambda context: _lists(None if game is None else str(game), context))
    return visit.page("tournaments", {"lists": lists, "game": None if game is None else lists[0]["game"]})


def _lists(game: str | None, context: Context) -> Sequence[Mapping[str, object]]:
    names = sorted(context.games) if game is None else [game]
    return [dispatch(ShowTournament(name), context)[0].facts for name in names]


def show_tournament(visit: Visit) -> Response:
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
