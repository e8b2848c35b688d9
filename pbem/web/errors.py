"""Answers to requests that no page answers: unknown addresses, wrong methods, and faults of the server."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pbem.web.api.openapi import is_for_programs, problem_at
from pbem.web.connections import Threads, in_thread
from pbem.web.context import RequestContext, Site, looks_of
from pbem.web.security import is_path


class Refusing:
    """Tells people in a page, and programs as in RFC 9457, about an error.

    Args:
        site: the parts that the pages are made from.
        threads: make the pages.
    """

    def __init__(self, site: Site, threads: Threads) -> None:
        self._site = site
        self._limiter = threads.pages

    async def refuse(self, request: Request, wrong: Exception) -> Response:
        """The answer with a status of HTTP."""
        status = wrong.status_code if isinstance(wrong, HTTPException) else 500
        headers = getattr(wrong, "headers", None) or {}
        if status == 404 and (shorter := _without_slash(request)):
            return RedirectResponse(shorter, 308)
        if is_for_programs(request.url.path):
            return problem_at(status, headers)
        visit = RequestContext(self._site, request, {})
        response = await in_thread(self._limiter, visit.page, "wrong", {"wrong": None, "status": status}, status)
        response.headers.update(headers)
        return response

    async def apologise(self, request: Request, wrong: Exception) -> Response:
        """The answer to a fault, perhaps of the database: so the signed-in player is not looked up."""
        name, status = ("out_of_order", 503) if self._site.is_out_of_order(wrong) else ("wrong", 500)
        if is_for_programs(request.url.path):
            return problem_at(status)
        guest = RequestContext(self._site, _without_session(request), {})
        response = await in_thread(self._limiter, guest.page, name, {"wrong": None, "status": status}, status)
        response.headers["cache-control"] = "no-store"
        return response

    async def let_go(self, _request: Request, _wrong: Exception) -> Response:
        """An answer that nobody is there to receive."""
        return Response(status_code=400)


def _without_session(request: Request) -> Request:
    looks = looks_of(request)
    kept = [each for each in request.scope["headers"] if each[0] != b"cookie"]
    cookie = b"cookie", f"looks={looks.theme}.{looks.palette}".encode()
    return Request({**request.scope, "headers": [*kept, cookie]})


def _without_slash(request: Request) -> str:
    """The address without its final slash, whatever server the request names; empty if it has none."""
    path, query = request.url.path, request.url.query
    shorter = path.rstrip("/")
    if shorter == path or request.method not in ("GET", "HEAD") or not is_path(shorter):
        return ""
    return f"{shorter}?{query}" if query else shorter
