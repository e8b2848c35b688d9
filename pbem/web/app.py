"""The web face: for now a page that says what this is, and health for whoever watches over the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request


def make_app(home: Callable[[], str], is_healthy: Callable[[], bool]) -> Starlette:
    """The app.

    Args:
        home: makes the front page.
        is_healthy: whether the database answers.
    """

    async def show_home(_request: Request) -> Response:
        page = await run_in_threadpool(home)
        return HTMLResponse(page, headers={"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"})

    async def health(_request: Request) -> Response:
        healthy = await run_in_threadpool(is_healthy)
        return JSONResponse({"status": "ok" if healthy else "no database"}, 200 if healthy else 503)

    return Starlette(routes=[Route("/", show_home), Route("/health", health)])
