"""Pages that are lists: boards, how games have gone, how players stand."""

from __future__ import annotations

from typing import get_args

from starlette.responses import Response

from pbem.commands.model import ShowHistory, ShowStandings, TableOfBoards
from pbem.commands.model.roots import Which
from pbem.errors import PlayerError
from pbem.usecases.context import Context
from pbem.usecases.views.boards import facts_of_table
from pbem.usecases.views.rankings import facts_of_history, facts_of_standings
from pbem.web.leaves import leaf
from pbem.web.visits import Visit

_KINDS: dict[str, Which] = {each: each for each in get_args(Which)}


def show_boards(visit: Visit) -> Response:
    """The table of boards, of one game or of one player if the address says so (``?game=mambo&player=bob``)."""
    game, player, which = visit.asked("game"), visit.asked("player"), _KINDS.get(visit.asked("which"), "active")
    if which == "next" and not player:
        which = "active"
    asked = {"asked_game": game, "asked_player": player, "which": which, "games": visit.look(games)}
    try:
        command = TableOfBoards((player,) if player else (), which, game or None)
        table, leaves = leaf(visit, visit.look, lambda part, context: facts_of_table(command, part, context))
    except PlayerError as wrong:
        return visit.page("boards", {**asked, "boards": (), "leaves": None, "wrong": wrong}, 404)
    return visit.page("boards", {**asked, "boards": table["rows"], "leaves": leaves, "wrong": None})


def show_history(visit: Visit) -> Response:
    """The boards that are over, of all games or of one, of everybody or of one player (``?player=bob``).

    Raises:
        NoSuchGame, NoSuchPlayer, NoSuchPart: one of them is unknown.
    """
    command = ShowHistory(visit.asked("player") or None, _game(visit))
    told, leaves = leaf(visit, visit.look, lambda part, context: facts_of_history(command, part, context))
    return visit.page("history", {**told, "leaves": leaves, "games": visit.look(games)})


def show_standings(visit: Visit) -> Response:
    """How the players of a game stand, or in short those of all games.

    Raises:
        NoSuchGame, NoSuchPart: it is none of ours, or has no such part.
    """
    command = ShowStandings(_game(visit))
    told, leaves = leaf(visit, visit.look, lambda part, context: facts_of_standings(command, part, context))
    return visit.page("standings", {**told, "leaves": leaves, "games": visit.look(games)})


def games(context: Context) -> list[object]:
    """The games of the server, in the order of their names."""
    return [context.games[name] for name in sorted(context.games)]


def _game(visit: Visit) -> str | None:
    """The game that the address names; None: all of them."""
    found = visit.request.path_params.get("game")
    return None if found is None else str(found)
