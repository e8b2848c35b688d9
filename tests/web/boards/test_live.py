"""Boards that are followed over HTTP, whatever process writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from pbem.web.boards.following import AGAIN_AFTER
from tests.support.mail import PATIENCE
from tests.support.server import RunningServer, running_server
from tests.support.web_site import WebSite

KEY = "the same for all processes"


def told_over_http(server: RunningServer, number: int, plays: Callable[[], None]) -> None:
    """Follow a board until a move that is played meanwhile is told."""
    with httpx.stream("GET", f"{server.web}/boards/{number}/live", timeout=PATIENCE) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        numbers = _numbers(answer)
        before = next(numbers)
        plays()
        assert next(numbers) == before + 1


def test_a_move_by_mail_is_told_and_after_a_restart_too(tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0") as server:
        number = _board(server)
        told_over_http(server, number, lambda: server.person("alice").says(f"move {number} alice secret b3"))
        server.stop()
        server.start()
        told_over_http(server, number, lambda: server.person("bob").says(f"move {number} bob secret c4,k5"))


@pytest.mark.parametrize("clients", [1, 3])
def test_a_server_that_ends_lets_its_followers_go_without_an_error(tmp_path: Path, clients: int) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0") as server, ExitStack() as following:
        live = f"{server.web}/boards/{_board(server)}/live"
        told = [following.enter_context(httpx.stream("GET", live, timeout=PATIENCE)) for _ in range(clients)]
        streams = [_numbers(each) for each in told]
        assert [next(each) for each in streams] == [0] * clients
        assert server.stop() == 0
        assert [list(each) for each in streams] == [[]] * clients, "each answer comes to its proper end"
        server.wait_for_end_of_output()
    assert [line for line in server.lines if "error" in line.lower() or "Cancel" in line] == []


def test_a_move_that_another_process_has_written_is_told(postgresql_url: str, tmp_path: Path) -> None:
    settings = {"web_listen": "127.0.0.1:0", "database_url": postgresql_url, "secret_key": KEY}
    with running_server(tmp_path, **settings) as server, WebSite(postgresql_url, tmp_path, secret_key=KEY) as elsewhere:
        elsewhere.now = datetime.now(UTC)
        elsewhere.joins("alice", "bob")
        number = elsewhere.begins("superbo", "alice", "bob")
        told_over_http(server, number, lambda: elsewhere.moves(number, "b3"))


def _board(server: RunningServer) -> int:
    alice, _ = server.player("alice"), server.player("bob")
    alice.says("superbo challenge alice bob")
    return int(alice.hears().subject.partition("Board ")[2].split()[0])


def _numbers(answer: httpx.Response) -> Iterator[int]:
    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield int(line.removeprefix("data: "))


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server at which one browser of a host follows a board at a time."""
    folder = tmp_path_factory.mktemp("narrow")
    with running_server(folder, web_listen="127.0.0.1:0", max_followers_per_host="1", max_followers="2") as server:
        yield server


@pytest.mark.parametrize("number", [999, 2**31, 10**30])
def test_a_board_that_is_not_there_cannot_be_followed(narrow: RunningServer, number: int) -> None:
    answer = httpx.get(f"{narrow.web}/boards/{number}/live")
    assert answer.status_code == 404
    assert "There is no page at this address." in answer.text
    assert httpx.head(f"{narrow.web}/boards/{number}/live").status_code == 404
    assert httpx.get(f"{narrow.web}/boards/{number}").status_code == 404


def test_who_finds_no_place_is_told_when_to_ask_again_and_finds_one_when_another_leaves(
    narrow: RunningServer,
) -> None:
    live = f"{narrow.web}/boards/{_board(narrow)}/live"
    with httpx.stream("GET", live, timeout=60) as first:
        numbers = _numbers(first)  # whose end would end the connection
        assert next(numbers) == 0
        late = httpx.get(live)
        assert (late.status_code, late.headers["retry-after"]) == (503, str(AGAIN_AFTER))
        assert "Too many people are following boards right now." in late.text
        headers = httpx.head(live)
        assert headers.status_code == 200, "who asks for headers alone needs no place"
        assert headers.headers["content-type"] == first.headers["content-type"]
        with httpx.stream("GET", live, headers={"x-forwarded-for": "192.0.2.1"}, timeout=60) as of_another_host:
            assert of_another_host.status_code == 200
            assert httpx.get(live, headers={"x-forwarded-for": "192.0.2.2"}).status_code == 503
    deadline = time.monotonic() + PATIENCE
    while True:
        with httpx.stream("GET", live, timeout=60) as again:
            if again.status_code == 200:
                break
        assert time.monotonic() < deadline
        time.sleep(0.05)
