from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.meters import CONTENT_TYPE, Meters
from pbem.web.monitor import Metered, metrics_route


async def hello(_request: Request) -> Response:
    return Response("hello")


async def stumbles(_request: Request) -> Response:
    raise RuntimeError


def app(meters: Meters) -> Starlette:
    routes = [
        Route("/hello/{name}", hello),
        Route("/stumbles", stumbles),
        metrics_route(meters.registry),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Metered, meters=meters)])


def asks(meters: Meters, *paths: str) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app(meters), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://pbem") as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


def counted(meters: Meters, route: str, status: str) -> float | None:
    return meters.registry.get_sample_value("pbem_http_responses_total", {"route": route, "status": status})


@pytest.mark.parametrize(
    ("path", "route", "status"),
    [
        ("/hello/zoe", "/hello/{name}", "2xx"),
        ("/stumbles", "/stumbles", "5xx"),
        ("/nowhere/zoe", "none", "4xx"),
    ],
)
def test_an_answer_is_counted_by_its_route_and_never_by_what_it_is_about(path: str, route: str, status: str) -> None:
    meters = Meters()
    *_, page = asks(meters, path, path, "/metrics")
    assert counted(meters, route, status) == 2
    assert "zoe" not in page.text
    assert page.headers["content-type"] == CONTENT_TYPE
    assert f'pbem_http_seconds_count{{route="{route}"}} 2.0' in page.text
