"""Whether a process lives, and whether it may be given work: for who watches over it, at an address of its own.

These are two questions. A process that does not live is to be ended and started anew; one that is not ready is to be
left alone until it is: it has just begun, it is about to end, or its database is away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from pbem.web.serving.connections import ConnectionLimits
from pbem.web.serving.patience import SharedQuestion

LIMITS = ConnectionLimits(most=50, of_one_host=50)
"""Those who watch are few, and none of them is a stranger."""


Troubles: TypeAlias = Callable[[], list[str]]
"""Tells what is wrong, in words for the operator; nothing if all is well."""


def make_monitor(stuck: Troubles, closed: Troubles, out_of_order: Troubles, more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """The app that tells whether a process is live and ready.

    Args:
        stuck: what does not go on; takes no time.
        closed: why no work is taken here now, as far as the process is to blame; takes no time.
        out_of_order: what is wrong with the database, which is asked; that may take long.
        more: what else there is to be seen.
    """
    database = SharedQuestion(out_of_order, ["the database does not answer"])

    async def live(_request: Request) -> Response:
        return _said("live", stuck())

    async def ready(_request: Request) -> Response:
        return _said("ready", closed() or await database.answer())

    return Starlette(routes=[Route("/live", live), Route("/ready", ready), *more])


def _said(state: str, troubles: list[str]) -> Response:
    if troubles:
        return JSONResponse({"status": f"not {state}", "because": troubles}, 503)
    return JSONResponse({"status": state})
