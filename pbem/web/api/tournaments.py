"""Tournaments, for programs."""

from __future__ import annotations

from functools import partial

from pbem.commands.model import ShowTournament
from pbem.domain.tables import Row
from pbem.domain.tournaments import Tournament
from pbem.usecases.tournaments.tables import facts_of_list
from pbem.web.api.answers import ask, look
from pbem.web.api.facts import options_of
from pbem.web.api.shapes import Json
from pbem.web.leaves import leaf
from pbem.web.visits import Visit


def tournaments(visit: Visit) -> Json:
    """The tournaments of a game.

    Raises:
        NoSuchGame, NoSuchPart: nobody plays it here, or there is no such part.
    """
    game = visit.word("game")
    facts, leaves = leaf(visit, partial(look, visit), lambda part, context: facts_of_list(game, part, context))
    return {"tournaments": [_described(row, visit) for row in facts["rows"]], "next": leaves.next_url}


def tournament(visit: Visit) -> Json:
    """A tournament with its tables.

    Raises:
        NoSuchGame, NoSuchTournament: there is none.
    """
    facts = ask(visit, ShowTournament(visit.word("game"), visit.word("name")))
    names = facts["names"]
    return {
        "tournament": _described(facts, visit),
        "pools": [
            {"pool": pool["letter"], "rows": [_standing(row, names[row.player]) for row in pool["rows"]]}
            for pool in facts["pools"]
        ],
        "meetings": [
            {
                "board": each.board,
                "round": each.round,
                "label": each.label,
                "players": [names[player] for player in each.pair],
                "points": None if each.halves is None else [half / 2 for half in each.halves],
            }
            for each in facts["all_meetings"]
        ],
    }


def _described(facts: Json, visit: Visit) -> Json:
    found: Tournament = facts["tournament"]
    return {
        "name": found.name,
        "url": f"{visit.site.url}/tournaments/{found.game}/{found.name}",
        "game": found.game,
        "kind": found.kind.value,
        "state": found.state.value,
        "creator": facts["creator"],
        "created_at": found.created_at,
        "finished_at": found.finished_at,
        "options": options_of(found.options),
        "round": found.round,
        "rounds": found.rounds_planned,
        "entrants": [each.userid for each in found.entries],
        "withdrawn": [each.userid for each in found.entries if each.withdrawn_at is not None],
    }


def _standing(row: Row, userid: str) -> Json:
    return {
        "place": row.place,
        "userid": userid,
        "points": row.halves / 2,
        "played": row.played,
        "byes": row.byes,
        "buchholz": row.buchholz / 2,
        "direct": row.direct / 2,
        "berger": row.berger / 4,
        "withdrawn": row.has_withdrawn,
    }
