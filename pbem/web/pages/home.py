"""The front page, and the pages about games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from starlette.responses import Response

from pbem.commands.model import ListGames, ShowStandings, TableOfBoards
from pbem.usecases.challenges.seeks import seeks_of_others
from pbem.usecases.context import Context
from pbem.usecases.robots.opponents import robots_to_challenge
from pbem.web.boards.showcase import example, in_play
from pbem.web.visits import Visit

Rows = Sequence[Mapping[str, Any]]


MOST_BOARDS = 10
"""Where a page is about more than boards."""
MOST_LEADING = 3
"""Players of each game on the front page."""
MOST_RANKED = 10
"""On the page of a game."""
MOST_SEEKS = 20


def show_home(visit: Visit) -> Response:
    """The front page: what this is, what goes on, how to begin."""
    games, boards = _rows(visit, ListGames()), _rows(visit, TableOfBoards())
    own = _rows(visit, TableOfBoards((visit.player.userid,))) if visit.player else ()
    facts = {
        "games": games,
        "showcase": in_play(boards) or example(games[0]["game"]),
        "boards": boards[:MOST_BOARDS],
        "own": sorted(own, key=lambda row: not _waits_for(visit, row)),
        "tables": visit.ask(ShowStandings()).facts["tables"],
        "most": MOST_LEADING,
        "robots": visit.look(lambda context: robots_to_challenge(context.uow)) if visit.player and not own else (),
        "bulletins": visit.site.bulletins(visit.now),
    }
    return visit.page("home", facts)


def _rows(visit: Visit, command: ListGames | TableOfBoards) -> Rows:
    """The lines of a table that a command brings."""
    return cast("Rows", visit.ask(command).facts["rows"])


def _waits_for(visit: Visit, row: Mapping[str, Any]) -> bool:
    return bool(visit.player and row["to_act"] and row["to_act"].player == visit.player.id)


def show_games(visit: Visit) -> Response:
    """All games of the server."""
    return visit.page("games", {"games": _rows(visit, ListGames())})


def show_game(visit: Visit) -> Response:
    """What a game is, and who plays it.

    Raises:
        NoSuchGame: it is none of ours.
    """
    (row,) = _rows(visit, ListGames((visit.word("game"),)))
    game = row["game"]
    boards = _rows(visit, TableOfBoards(game=game.name))
    standings = visit.ask(ShowStandings(game.name)).facts
    seeks = visit.look(lambda context: _seeks(game.name, context))
    facts = {
        **row,
        "showcase": in_play(boards) or example(game),
        "boards": boards[:MOST_BOARDS],
        "standings": standings,
        "table": cast("Mapping[str, object]", standings["tables"])[game.name],
        "most": MOST_RANKED,
        "seekers": seeks[:MOST_SEEKS],
        "more_seekers": len(seeks) - MOST_SEEKS,
    }
    return visit.page("game", facts)


def _seeks(game: str, context: Context) -> Sequence[object]:
    return seeks_of_others(game, context)
