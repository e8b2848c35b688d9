"""Whether a process lives, and whether it may be given work: for who watches over it, at an address of its own.

These are two questions. A process that does not live is to be ended and started anew; one that is not ready is to be
left alone until it is: it has just begun, it is about to end, or its database is away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from pbem.web.serving.connections import ConnectionLimits
from pbem.web.serving.patience import SharedQuestion

LIMITS = ConnectionLimits(most=50, of_one_host=50)
"""Those who watch are few, and none of them is a stranger."""


class Vitals(Protocol):
    """What a process knows of itself; each of these is a list of what is wrong, in words for its operator."""

    def stuck(self) -> list[str]:
        """What does not go on. Takes no time."""

    def closed(self) -> list[str]:
        """Why no work is taken here now, as far as the process is to blame. Takes no time."""

    def out_of_order(self) -> list[str]:
        """What is wrong with the database, which is asked; that may take long."""


def make_monitor(vitals: Vitals, more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """The app.

    Args:
        vitals: what the process knows of itself.
        more: what else there is to be seen.
    """
    database = SharedQuestion(vitals.out_of_order, ["the database does not answer"])

    async def live(_request: Request) -> Response:
        return _said("live", vitals.stuck())

    async def ready(_request: Request) -> Response:
        return _said("ready", vitals.closed() or await database.answer())

    return Starlette(routes=[Route("/live", live), Route("/ready", ready), *more])


def _said(state: str, troubles: list[str]) -> Response:
    if troubles:
        return JSONResponse({"status": f"not {state}", "because": troubles}, 503)
    return JSONResponse({"status": state})
