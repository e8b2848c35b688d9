"""Pages that are lists: boards, how games have gone, how players stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from pbem.commands.model import ShowHistory, ShowStandings, TableOfBoards
from pbem.commands.model.roots import Which
from pbem.errors import PlayerError

if TYPE_CHECKING:
    from starlette.responses import Response

    from pbem.usecases.context import Context
    from pbem.web.site import Visit

_KINDS: dict[str, Which] = {each: each for each in get_args(Which)}


def show_boards(visit: Visit) -> Response:
    """The table of boards, of one game or of one player if the address says so (``?game=mambo&player=bob``)."""
    game, player, which = visit.asked("game"), visit.asked("player"), _KINDS.get(visit.asked("which"), "active")
    if which == "next" and not player:
        which = "active"
    asked = {"asked_game": game, "asked_player": player, "which": which, "games": visit.look(games)}
    try:
        table = visit.ask(TableOfBoards((player,) if player else (), which, game or None)).facts
    except PlayerError as wrong:
        return visit.page("boards", {**asked, "boards": (), "more": False, "wrong": wrong}, 404)
    return visit.page("boards", {**asked, "boards": table["rows"], "more": table["more"], "wrong": None})


def show_history(visit: Visit) -> Response:
    """The boards that are over, of all games or of one, of everybody or of one player (``?player=bob``).

    Raises:
        NoSuchGame, NoSuchPlayer: one of them is unknown.
    """
    told = visit.ask(ShowHistory(visit.asked("player") or None, _game(visit)))
    return visit.page("history", {**told.facts, "games": visit.look(games)})


def show_standings(visit: Visit) -> Response:
    """How the players of a game stand, or in short those of all games.

    Raises:
        NoSuchGame: it is none of ours.
    """
    told = visit.ask(ShowStandings(_game(visit)))
    return visit.page("standings", {**told.facts, "games": visit.look(games)})


def games(context: Context) -> list[object]:
    """The games of the server, in the order of their names."""
    return [context.games[name] for name in sorted(context.games)]


def _game(visit: Visit) -> str | None:
    """The game that the address names; None: all of them."""
    found = visit.request.path_params.get("game")
    return None if found is None else str(found)
