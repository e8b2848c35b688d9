"""The pages that anybody may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.commands.model import TableOfBoards

if TYPE_CHECKING:
    from starlette.responses import Response

    from pbem.usecases.context import Context
    from pbem.web.site import Visit


def show_home(visit: Visit) -> Response:
    """The front page."""
    table = visit.ask(TableOfBoards((), "active", None))
    games = visit.look(_games)
    return visit.page(
        "home", {"games": games, "boards": table.facts["rows"], "bulletins": visit.site.bulletins(visit.now)}
    )


def _games(context: Context) -> list[object]:
    return [context.games[name] for name in sorted(context.games)]
