"""Pages about players: what anybody may know of them, never an address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from starlette.responses import Response

from pbem.commands.model import ShowHistory, ShowStandings, ShowWho, TableOfBoards
from pbem.domain.players import Player
from pbem.domain.rankings import Ranked, Standings
from pbem.usecases.views.rankings import facts_of_seen, ways_of_ratings
from pbem.web.leaves import leaf
from pbem.web.pages.rating_lines import line
from pbem.web.visits import Visit

_KINDS = ("established", "provisional", "inactive")
"""Of those who have ratings, as standings tell them apart."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the standings of a game have somebody."""

    number: int
    kind: str
    """Among whom: ``established``, ``provisional`` or ``inactive``."""


def show_players(visit: Visit) -> Response:
    """Who was here lately.

    Raises:
        NoSuchPart: there is no such part of them.
    """
    told, leaves = leaf(visit, visit.look, facts_of_seen)
    return visit.page("players", {**told, "leaves": leaves})


def show_player(visit: Visit) -> Response:
    """The public record of a player.

    Raises:
        NoSuchPlayer: there is none.
    """
    told = visit.ask(ShowWho(visit.word("userid"))).facts
    player, rated = cast("Player", told["player"]), cast("Sequence[Ranked]", told["games"])
    ways = visit.look(lambda context: ways_of_ratings(player, context))
    boards = visit.ask(TableOfBoards((player.userid,))).facts
    facts = {
        **told,
        "rated": rated,
        "places": {each.game: _place(each, visit) for each in rated if each.rating.games},
        "lines": {game: line(way) for game, way in ways.items()},
        "boards": boards["rows"],
        "more_boards": boards["more"],
        "history": visit.ask(ShowHistory(player.userid)).facts,
    }
    return visit.page("player", facts)


def _place(ranked: Ranked, visit: Visit) -> Place | None:
    """The place of a player in a game; None if the standings end above him."""
    tables = cast("Mapping[str, Standings]", visit.ask(ShowStandings(ranked.game)).facts["tables"])
    for kind in _KINDS:
        for number, row in enumerate(getattr(tables[ranked.game], kind).rows, start=1):
            if row.userid == ranked.userid:
                return Place(number, kind)
    return None
