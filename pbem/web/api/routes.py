"""Where programs knock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.web.api.answers import answered, problem
from pbem.web.api.commands import MOST_BYTES, carry_out
from pbem.web.api.endpoints import ENDPOINTS
from pbem.web.api.openapi import description
from pbem.web.context import RequestContext
from pbem.web.serving.listening import Threads, in_thread
from pbem.web.site import Site

_DETAILS = {
    404: "There is nothing at this address.",
    405: "This address takes other methods.",
    503: "The database of the server does not answer at present. Try again later, and see first what was done.",
    500: "The server has stumbled over this, which is not your fault. Its log says why.",
}
_CODES = {404: "not_found", 405: "other_method", 500: "stumbled", 503: "out_of_order"}


def routes_for_programs(site: Site, threads: Threads) -> list[Route]:
    """All of them; to stand before pages whose addresses would take any name."""
    reading = [Route(each.path, _shown(site, each.show, threads.pages)) for each in ENDPOINTS]
    described = _shown(site, lambda visit: answered(visit, lambda each: description(each.site)), threads.pages)
    commands = Route("/commands", _commands(site, threads.forms), methods=["POST"])
    return [*reading, Route("/openapi.json", described), commands]


def is_for_programs(path: str) -> bool:
    """Whether programs ask at an address, rather than people."""
    return path.endswith(".json") or path == "/commands"


def problem_at(status: int, headers: Mapping[str, str] | None = None) -> Response:
    """The answer where nothing is, or nothing for this method."""
    detail = _DETAILS.get(status, "That cannot be.")
    return problem(status, {"detail": detail, "code": _CODES.get(status, "wrong")}, headers)


def _shown(
    site: Site, show: Callable[[RequestContext], Response], limiter: CapacityLimiter
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await in_thread(limiter, show, RequestContext(site, request, {}))

    return answer


def _commands(site: Site, limiter: CapacityLimiter) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BYTES:
                return problem(413, {"detail": f"Please send no more than {MOST_BYTES} bytes.", "code": "too_long"})
        return await in_thread(limiter, carry_out, RequestContext(site, request, {}), bytes(body))

    return answer
