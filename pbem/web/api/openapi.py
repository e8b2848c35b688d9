"""The description of the API for programs (OpenAPI 3.1), made from the declarations of the endpoints."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.web.api.answers import Endpoint, Field, Json, Schema, answered, problem, ref, text, whole
from pbem.web.api.commands import LONGEST_KEY, MOST_BYTES, carry_out
from pbem.web.api.endpoints import ENDPOINTS
from pbem.web.api.schemas import components
from pbem.web.connections import Threads, in_thread
from pbem.web.context import RequestContext, Site

_CONVERTER = re.compile(r":\w+(?=})")
_PROBLEMS = {
    400: "It cannot be understood.",
    401: "No token, or none that is good.",
    403: "It may not be done, or not now.",
    404: "There is no such thing.",
    409: "Others were always quicker; please try again.",
    413: "It is too long.",
    422: "Under this key something else was sent before.",
    429: "So many commands at once are too many.",
}


def description(site: Site) -> Json:
    """The description, as ``/openapi.json`` has it."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pbem",
            "version": version("pbem"),
            "description": "Games by mail, for programs. What can be read is what everybody may read on the pages of "
            "this server; commands are those of its mails.",
        },
        "servers": [{"url": site.url}],
        "paths": {
            **{_CONVERTER.sub("", each.path): {"get": _reading(each)} for each in ENDPOINTS},
            "/openapi.json": {"get": _describing()},
            "/boards/{number}/live": {"get": _following()},
            "/commands": {"post": _commanding()},
        },
        "components": {
            "schemas": components(),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": f"Made by its player on {site.url}/settings/tokens.",
                }
            },
        },
    }


def _reading(endpoint: Endpoint) -> Json:
    statuses = (400, 403, 404) if endpoint.fields else ()
    known = {"304": {"description": "It is as it was, by If-None-Match."}}
    return {
        "operationId": endpoint.name,
        "summary": endpoint.about,
        "parameters": [_parameter(each) for each in endpoint.fields],
        "responses": {"200": _answer("The answer.", endpoint.schema), **known, **_problems(*statuses)},
    }


def _parameter(field: Field) -> Json:
    place = {"in": "path", "required": True} if field.in_path else {"in": "query"}
    return {"name": field.name, **place, "description": field.about, "schema": field.schema}


def _describing() -> Json:
    return {
        "operationId": "getDescription",
        "summary": "This description.",
        "responses": {"200": _answer("The description.", {"type": "object"})},
    }


def _following() -> Json:
    return {
        "operationId": "followBoard",
        "summary": "Tells at once, for as long as the connection lasts, that something has happened at a board.",
        "description": "Server-sent events: `event: board` with the number of the last event as `data`. What has "
        "happened is to be read from `/boards/{number}.json`. A connection that is lost is to be made again.",
        "parameters": [
            {"name": "number", "in": "path", "required": True, "description": "the board", "schema": whole(least=1)}
        ],
        "responses": {"200": {"description": "Events.", "content": {"text/event-stream": {"schema": text()}}}},
    }


def _commanding() -> Json:
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "What you call this command: sent again under the same key within a day, it is not carried out "
        "again, and answered as before.",
        "schema": text(minLength=1, maxLength=LONGEST_KEY),
    }
    body = text("A command as in the Subject of a mail; below it, words to go with it.", minLength=1)
    return {
        "operationId": "command",
        "summary": "Carries out a command as a mail would.",
        "description": "What must be confirmed by its player, such as another address, is still asked by mail.",
        "security": [{"token": []}],
        "parameters": [key],
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": body, "example": "superbo move 101 A1,B2#3\nYour turn!"}},
        },
        "responses": {
            "200": _answer("What the command is answered.", ref("Answers")),
            **_problems(*_PROBLEMS),
        },
    }


def _answer(about: str, schema: Schema) -> Json:
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def _problems(*statuses: int) -> Json:
    content = {"application/problem+json": {"schema": ref("Problem")}}
    return {str(status): {"description": _PROBLEMS[status], "content": content} for status in statuses}


_DETAILS = {
    404: "There is nothing at this address.",
    405: "This address takes other methods.",
    503: "The database of the server does not answer at present. Try again later, and see first what was done.",
    500: "The server has stumbled over this, which is not your fault. Its log says why.",
}
_CODES = {404: "not_found", 405: "other_method", 500: "stumbled", 503: "out_of_order"}


def routes_for_programs(site: Site, threads: Threads) -> list[Route]:
    """All routes for programs; they must come before pages whose addresses take any name."""
    reading = [Route(each.path, _shown(site, each.show, threads.pages)) for each in ENDPOINTS]
    described = _shown(site, lambda visit: answered(visit, lambda each: description(each.site)), threads.pages)
    commands = Route("/commands", _commands(site, threads.forms), methods=["POST"])
    return [*reading, Route("/openapi.json", described), commands]


def is_for_programs(path: str) -> bool:
    """Return True if an address is for programs rather than for people."""
    return path.endswith(".json") or path == "/commands"


def problem_at(status: int, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to an unknown address, or to a wrong method."""
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
