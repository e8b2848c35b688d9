"""Answers where there is no page."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from pbem.web import app
from pbem.web.connections import MOST_PAGES, SharedQuestion
from pbem.web.security import HEADERS
from tests.support.mail import PATIENCE
from tests.support.web_site import WebSite


def answer_of(site: WebSite, address: str, method: str = "GET", **headers: str) -> httpx.Response:
    """The answer of a server that logs its faults, and does not raise them in the test."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(site.server.app(), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://pbem.example") as client:
            return await client.request(method, address, headers=headers)

    return asyncio.run(ask())


@pytest.fixture
def broken(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> WebSite:
    """A server whose database cannot be reached."""
    site.server.engine.dispose()
    monkeypatch.setattr(site.server.engine, "connect", _fail)
    return site


def _fail(*_: object, **__: object) -> None:
    raise RuntimeError("the disk is gone")


def test_a_fault_is_told_in_kind_words_with_all_headers(broken: WebSite) -> None:
    answer = answer_of(broken, "/", cookie="session=xyz")
    assert answer.status_code == 500
    assert "not your fault" in answer.text
    assert "disk" not in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_a_fault_is_told_to_programs_as_they_are_told_refusals(broken: WebSite) -> None:
    answer = answer_of(broken, "/boards.json")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "stumbled"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.fixture
def away(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> WebSite:
    """A server whose database is stopped."""

    def refuse(*_: object, **__: object) -> None:
        raise OperationalError(None, None, Exception("connection refused"))

    site.server.engine.dispose()
    monkeypatch.setattr(site.server.engine, "connect", refuse)
    return site


@pytest.mark.parametrize("address", ["/", "/admin", "/players"])
def test_while_the_database_is_away_pages_say_so_and_that_it_will_pass(away: WebSite, address: str) -> None:
    answer = answer_of(away, address, cookie="session=xyz; operator=xyz")
    assert answer.status_code == 503
    assert "is not answering at the moment" in answer.text
    assert "refused" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_while_the_database_is_away_programs_are_told_so(away: WebSite) -> None:
    answer = answer_of(away, "/boards.json")
    assert (answer.status_code, answer.json()["code"]) == (503, "out_of_order")


@pytest.mark.parametrize("address", ["/boards/{}", "/boards/{}.json", "/boards/{}/live"])
@pytest.mark.parametrize("number", ["9" * 5000, "9" * 10, "2147483648", "999999999", "0"])
def test_a_number_that_no_board_can_have_is_not_found(site: WebSite, address: str, number: str) -> None:
    assert answer_of(site, address.format(number)).status_code == 404


@pytest.mark.parametrize("number", ["99999", "50"])
def test_a_move_that_was_not_made_is_not_found(site: WebSite, number: str) -> None:
    site.joins("ann", "ben")
    board = site.begins("mambo", "ann", "ben")
    assert answer_of(site, f"/boards/{board}?move={number}").status_code == 404


def test_an_address_with_a_slash_behind_it_leads_to_the_one_without_at_this_server(site: WebSite) -> None:
    answer = answer_of(site, "/boards/101/?move=3", host="evil.example")
    assert (answer.status_code, answer.headers["location"]) == (308, "/boards/101?move=3")
    assert answer_of(site, "http://pbem.example//evil.example/").status_code == 404
    assert answer_of(site, "/boards/101/", "POST").status_code in (404, 405)


def test_there_is_no_page_behind_a_slash_that_leads_in_a_circle(site: WebSite) -> None:
    assert answer_of(site, "/nothing/").headers["location"] == "/nothing"
    assert answer_of(site, "/nothing").status_code == 404


def test_health_is_told_while_all_threads_are_taken(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that wait for something do not keep the one who watches over the server waiting."""
    app = site.server.app()

    async def ask() -> int:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://pbem.example") as client:
            waiting = [asyncio.create_task(client.get("/games")) for _ in range(100)]
            await asyncio.to_thread(lambda: [taken.acquire(timeout=PATIENCE) for _ in range(MOST_PAGES)])
            healthy = await asyncio.wait_for(client.get("/health"), PATIENCE / 2)
            ending.set()
            await asyncio.gather(*waiting, return_exceptions=True)
            return healthy.status_code

    ending, taken = threading.Event(), threading.Semaphore(0)

    def blocked(*_: object, **__: object) -> str:
        taken.release()
        ending.wait(PATIENCE)
        return ""

    monkeypatch.setattr(site.server.parts.wording, "page", blocked)

    assert asyncio.run(ask()) == 200


def test_health_is_told_of_a_database_that_says_nothing(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    says = threading.Event()
    monkeypatch.setattr(site.server, "is_healthy", lambda: says.wait(PATIENCE))
    monkeypatch.setattr(app, "SharedQuestion", partial(SharedQuestion, patience=0.01))
    answer = answer_of(site, "/health")
    says.set()
    assert (answer.status_code, answer.json()) == (503, {"status": "no database"})
