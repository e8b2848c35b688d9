"""Health and metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeAlias

from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.meters import CONTENT_TYPE, Meters, WholeServer, exposition
from pbem.web.connections import ConnectionLimits, SharedQuestion

LIMITS = ConnectionLimits(most=50, of_one_host=50)
"""Those who watch are few, and none of them is a stranger."""


Troubles: TypeAlias = Callable[[], list[str]]
"""Returns problems, in words for the operator; empty if all is well."""


def make_monitor(stuck: Troubles, closed: Troubles, out_of_order: Troubles, more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """The app that tells if a process is live and ready.

    Args:
        stuck: the problems that keep the process, or those beside it, from working; that may take a moment.
        closed: the reasons of the process for taking no work now; takes no time.
        out_of_order: the problems of the database, which is asked; that may take long.
        more: further pages.
    """
    database = SharedQuestion(out_of_order, ["the database does not answer"])
    loops = SharedQuestion(stuck, ["the process does not answer"])

    async def live(_request: Request) -> Response:
        return _said("live", await loops.answer())

    async def ready(_request: Request) -> Response:
        return _said("ready", closed() or await database.answer())

    return Starlette(routes=[Route("/live", live), Route("/ready", ready), *more])


def _said(state: str, troubles: list[str]) -> Response:
    if troubles:
        return JSONResponse({"status": f"not {state}", "because": troubles}, 503)
    return JSONResponse({"status": state})


NO_ROUTE = "none"
"""The name for a request that no page answers."""


class Metered:
    """Counts the answers of an app.

    A stream of events is counted when it begins: its duration is up to the reader.

    Args:
        app: answers the requests.
        meters: count the answers.
    """

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app = app
        self._meters = meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and count."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, is_answered = perf_counter(), False

        def count(status: int) -> None:
            nonlocal is_answered
            is_answered, route = True, _route(scope)
            self._meters.http_responses.labels(route, f"{status // 100}xx").inc()
            self._meters.http_seconds.labels(route).observe(perf_counter() - began)

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                count(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, counted)
        except Exception:
            if not is_answered:
                count(500)  # somebody further out apologises
            raise


def _route(scope: Scope) -> str:
    """The route that answers, as written in the table of contents."""
    return str(getattr(scope.get("route"), "path", NO_ROUTE))


def metrics_route(registry: CollectorRegistry | WholeServer) -> Route:
    """The route that Prometheus reads; it runs in a thread, since the database may be asked."""

    def show(_request: Request) -> Response:
        return Response(exposition(registry), headers={"content-type": CONTENT_TYPE})

    return Route("/metrics", show)
