"""Where programs knock."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from pbem.web.api import ENDPOINTS
from pbem.web.openapi import description
from pbem.web.site import Visit
from pbem.web.tools import answered, problem
from pbem.web.tools_commands import MOST_BYTES, carry_out

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.web.site import Site


_DETAILS = {404: "There is nothing at this address.", 405: "This address takes other methods."}
_CODES = {404: "not_found", 405: "other_method"}


def routes_for_tools(site: Site) -> list[Route]:
    """All of them; to stand before pages whose addresses would take any name."""
    reading = [Route(each.path, _shown(site, each.show)) for each in ENDPOINTS]
    described = Route("/openapi.json", _shown(site, lambda visit: answered(visit, lambda each: description(each.site))))
    return [*reading, described, Route("/commands", _commands(site), methods=["POST"])]


def is_for_tools(path: str) -> bool:
    """Whether programs ask at an address, rather than people."""
    return path.endswith(".json") or path == "/commands"


def problem_at(status: int, headers: Mapping[str, str] | None = None) -> Response:
    """The answer where nothing is, or nothing for this method."""
    detail = _DETAILS.get(status, "That cannot be.")
    return problem(status, {"detail": detail, "code": _CODES.get(status, "wrong")}, headers)


def _shown(site: Site, show: Callable[[Visit], Response]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await run_in_threadpool(show, Visit(site, request, {}))

    return answer


def _commands(site: Site) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BYTES:
                return problem(413, {"detail": f"Please send no more than {MOST_BYTES} bytes.", "code": "too_long"})
        return await run_in_threadpool(partial(carry_out, Visit(site, request, {})), bytes(body))

    return answer
