"""Counts and times what the web answers, by the route that answered: addresses themselves name players and boards."""

from __future__ import annotations

from time import perf_counter

from prometheus_client import CollectorRegistry
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.meters import CONTENT_TYPE, Meters, exposition

NO_ROUTE = "none"
"""What no page answers."""


class Metered:
    """Counts the answers of an app.

    A stream of events is counted when it begins: how long it lasts is the reader's business.

    Args:
        app: what answers.
        meters: what is counted.
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
    """The route that answers, as it is written in the table of contents."""
    return str(getattr(scope.get("route"), "path", NO_ROUTE))


def metrics_route(registry: CollectorRegistry) -> Route:
    """Where Prometheus reads; in a thread, for the database may be asked."""

    def show(_request: Request) -> Response:
        return Response(exposition(registry), headers={"content-type": CONTENT_TYPE})

    return Route("/metrics", show)
