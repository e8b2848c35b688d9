"""Connections of browsers that say nothing, not all, or too many things at once: over real sockets."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event, Thread

import pytest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.web.connections import ConnectionLimits, QuietFaults, WebServer, listening_at

LIMITS = ConnectionLimits(6, 4, (), head_seconds=0.4, body_seconds=0.4, reading_seconds=0.4)
PATIENT = replace(LIMITS, head_seconds=60, body_seconds=60)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
ENDLESS = 64 * 1024 * 1024


async def answer(request: Request) -> Response:
    body = await request.body()
    return Response(f"got {len(body)}")


async def much(_request: Request) -> Response:
    return await run_in_threadpool(Response, b"x" * ENDLESS)


class ListeningSite:
    """A small app that is being served."""

    def __init__(self, port: int, web: WebServer, release: Event) -> None:
        self.port = port
        self.web = web
        self.release = release
        """Set it, and those who have asked for ``/slow`` are answered."""

    def connects(self, said: bytes = b"") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        client.sendall(said)
        return client

    def answers(self, said: bytes = GET) -> bytes:
        with self.connects(said) as client:
            return client.recv(65_536)

    def waits_until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(500):
            if is_so():
                return
            time.sleep(0.02)
        raise AssertionError("it never was")


@pytest.fixture
def serve() -> Iterator[Callable[[ConnectionLimits], ListeningSite]]:
    """Serves with certain limits, in a thread."""
    running: list[tuple[WebServer, Thread]] = []

    def begin(limits: ConnectionLimits) -> ListeningSite:
        release = Event()

        async def slow(_request: Request) -> Response:
            await run_in_threadpool(release.wait, 60)
            return Response("got 1")

        app = Starlette(
            routes=[Route("/", answer, methods=["GET", "POST"]), Route("/much", much), Route("/slow", slow)]
        )
        listening = listening_at("127.0.0.1", 0)
        web = WebServer(app, limits, None)
        thread = Thread(target=lambda: asyncio.run(web.serve([listening])))
        thread.start()
        running.append((web, thread))
        site = ListeningSite(listening.getsockname()[1], web, release)
        site.waits_until(lambda: web.started)
        return site

    yield begin
    for web, thread in running:
        web.should_exit = True
        thread.join(60)
        assert not thread.is_alive()


def is_ended(client: socket.socket) -> bool:
    """Return True if the other side ends it, once all that it has said is read."""
    try:
        while client.recv(65_536):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


def _cannot_say(client: socket.socket, said: bytes) -> bool:
    try:
        client.sendall(said)
    except OSError:
        return True
    return False


def to_the_end(client: socket.socket) -> bytes:
    """The whole of a small answer of the app."""
    said = b""
    while not re.search(rb"got \d+$", said):
        said += client.recv(65_536)
    return said


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nwho",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwho\r\n",
    ],
    ids=["nothing", "half a head", "half a body", "no end"],
)
def test_who_does_not_say_what_he_wants_is_not_waited_for(
    serve: Callable[[ConnectionLimits], ListeningSite], said: bytes
) -> None:
    site = serve(LIMITS)
    began = time.monotonic()
    with site.connects(said) as client:
        assert is_ended(client)
    assert time.monotonic() - began >= LIMITS.head_seconds
    site.waits_until(lambda: len(site.web.connections) == 0)


def test_who_goes_on_after_an_answer_is_not_waited_for_longer(
    serve: Callable[[ConnectionLimits], ListeningSite],
) -> None:
    site = serve(LIMITS)
    with site.connects(GET) as client:
        assert to_the_end(client).startswith(b"HTTP/1.1 200")
        client.sendall(b"GET / HTTP/1.1\r\nX: ")
        assert is_ended(client)


def test_a_byte_now_and_then_gains_no_time(serve: Callable[[ConnectionLimits], ListeningSite]) -> None:
    site = serve(LIMITS)
    with site.connects(b"GET / HTTP/1.1\r\n") as client:
        site.waits_until(lambda: _cannot_say(client, b"x"))


def test_who_does_not_take_his_answer_is_not_waited_for(serve: Callable[[ConnectionLimits], ListeningSite]) -> None:
    site = serve(LIMITS)
    with site.connects(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert client.recv(1)
        site.waits_until(lambda: len(site.web.connections) == 0)


def test_who_comes_when_all_places_are_taken_gets_that_of_who_has_said_nothing_for_longest(
    serve: Callable[[ConnectionLimits], ListeningSite],
) -> None:
    site = serve(replace(PATIENT, of_one_host=100))
    half = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
    silent = [site.connects(said) for said in (half, b"", half, b"", b"", b"")]
    site.waits_until(lambda: len(site.web.connections) == 6)
    for _ in range(3):
        assert site.answers().startswith(b"HTTP/1.1 200")
    assert is_ended(silent[0])
    silent[-1].sendall(GET)
    assert silent[-1].recv(65_536).startswith(b"HTTP/1.1 200")
    for each in silent:
        each.close()


def test_who_is_being_answered_keeps_his_place(serve: Callable[[ConnectionLimits], ListeningSite]) -> None:
    site = serve(replace(PATIENT, of_one_host=100, reading_seconds=60))
    busy = [site.connects(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(6)]
    site.waits_until(lambda: len(site.web.connections) == 6 and not site.web.connections.silent)
    assert site.answers().startswith(b"HTTP/1.1 503")
    site.release.set()
    for each in busy:
        assert to_the_end(each).endswith(b"got 1")
        each.close()


def test_one_host_has_so_many_connections_and_no_more(serve: Callable[[ConnectionLimits], ListeningSite]) -> None:
    site = serve(PATIENT)
    silent = [site.connects() for _ in range(4)]
    site.waits_until(lambda: len(site.web.connections) == 4)
    assert site.answers().startswith(b"HTTP/1.1 503")
    silent.pop().close()
    site.waits_until(lambda: len(site.web.connections) == 3)
    assert site.answers().startswith(b"HTTP/1.1 200")
    for each in silent:
        each.close()


def test_a_proxy_speaks_for_many(serve: Callable[[ConnectionLimits], ListeningSite]) -> None:
    site = serve(replace(PATIENT, proxies=("127.0.0.0/8",)))
    silent = [site.connects() for _ in range(5)]
    site.waits_until(lambda: len(site.web.connections) == 5)
    assert site.answers().startswith(b"HTTP/1.1 200")
    for each in silent:
        each.close()


def test_an_answer_is_not_held_back_on_a_connection_that_is_kept(
    serve: Callable[[ConnectionLimits], ListeningSite],
) -> None:
    """Without TCP_NODELAY each answer but the first takes 40 ms."""
    site = serve(PATIENT)
    with site.connects():
        site.waits_until(lambda: len(site.web.connections.silent) == 1)
        (connection,) = site.web.connections.silent
        own = connection.transport.get_extra_info("socket")
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_that_no_connection_can_be_taken_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    loop, faults = asyncio.new_event_loop(), QuietFaults()
    no_files = {"message": "socket.accept() out of system resource", "exception": OSError(24, "Too many open files")}
    for _ in range(1000):
        faults(loop, no_files)
    loop.close()
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 1
    assert "Too many open files" in told[0]
