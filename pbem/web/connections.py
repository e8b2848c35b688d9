"""Listening, and connections: limited in number, and in the time that they may take."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import math
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

import anyio.to_thread
import h11
import structlog
import uvicorn
from anyio import CapacityLimiter, to_thread
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pbem.domain.players import Present
from pbem.meters import PATIENCE

_NO_PLACE = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The number of connections that the server accepts, and their time limits."""

    most: int
    of_one_host: int
    proxies: Sequence[str] = ()
    """Addresses and networks that speak for many hosts, and so are only counted in the total."""
    head_seconds: float = 10.0
    """Seconds for the head of a request, from the connection or the answer before it."""
    body_seconds: float = 20.0
    """Seconds for the rest of it."""
    reading_seconds: float = 60.0
    """Seconds for taking an answer, unless the system holds it."""


class Connections:
    """The open connections, and those of them that are silent.

    If there are as many as allowed, the one whose request has been awaited longest gives its place to the next:
    browsers send their requests at once.

    Args:
        limits: the number of connections that the server accepts.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._proxies = [ipaddress.ip_network(each) for each in limits.proxies]
        self._present = Present(limits.most, limits.of_one_host)
        self.silent: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._present)

    def enter(self, connection: Connection) -> bool:
        """Count a connection in, if it is allowed."""
        if not (self._is_proxy(connection.host) or self._present.has_place_for(connection.host)):
            return False
        if self._present.is_full:
            longest = next(iter(self.silent), None)
            if longest is None:
                return False
            longest.give_up()
        self._present.enter(connection.host)
        return True

    def leave(self, connection: Connection) -> None:
        """Count a connection out."""
        self._present.leave(connection.host)

    def is_silent(self, connection: Connection, *, is_so: bool) -> None:
        """Record if a request, or the rest of it, is awaited."""
        if is_so:
            self.silent.setdefault(connection)
        else:
            self.silent.pop(connection, None)

    def _is_proxy(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in each for each in self._proxies)


class Connection(H11Protocol):
    """A connection that is counted and does not wait for ever (HTTP/1.1, RFC 9112).

    Args:
        connections: all that are open.
        protocol: the arguments of uvicorn for a protocol.
    """

    def __init__(self, connections: Connections, **protocol: Any) -> None:
        super().__init__(**protocol)
        self.host = ""
        self._connections = connections
        self._is_in = False
        self._awaited: object = None
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Accept the connection, or refuse it."""
        super().connection_made(transport)
        self.host = self.client[0] if self.client else ""
        self._is_in = self._connections.enter(self)
        if self._is_in:
            self._wait()
        else:
            transport.write(_NO_PLACE)
            self._close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection out."""
        self._leave()
        for each in self._deadlines.values():
            each.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take more of a request."""
        super().data_received(data)
        self._wait()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self._wait()

    def timeout_keep_alive_handler(self) -> None:
        """End an idle connection."""
        super().timeout_keep_alive_handler()
        self._close()

    def pause_writing(self) -> None:
        """Wait for a while for a client that does not take its answer."""
        super().pause_writing()
        self._within(self._connections.limits.reading_seconds, "read", self.give_up)

    def resume_writing(self) -> None:
        """Go on with a client that takes its answer again."""
        super().resume_writing()
        self._no_more("read")

    def give_up(self) -> None:
        """End the connection at once, whatever is under way."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        if self._is_in:
            self._is_in = False
            self._connections.leave(self)
        self._connections.is_silent(self, is_so=False)

    def _wait(self) -> None:
        """Set a time limit for the next part from the client."""
        if self.transport.is_closing():
            self._close()
            return
        awaited, limits = self.conn.their_state, self._connections.limits
        if awaited is self._awaited:
            return
        self._awaited = awaited
        self._no_more("request")
        self._connections.is_silent(self, is_so=awaited in (h11.IDLE, h11.SEND_BODY))
        if awaited is h11.IDLE:
            self._within(limits.head_seconds, "request", self._close)
        elif awaited is h11.SEND_BODY:
            self._within(limits.body_seconds, "request", self._close)

    def _close(self) -> None:
        """End the connection once the answer is sent, or cannot be."""
        self.transport.close()
        self._within(self._connections.limits.reading_seconds, "end", self.give_up)

    def _within(self, seconds: float, name: str, then: Callable[[], None]) -> None:
        self._no_more(name)
        self._deadlines[name] = self.loop.call_later(seconds, then)

    def _no_more(self, name: str) -> None:
        if name in self._deadlines:
            self._deadlines.pop(name).cancel()


AnswerT = TypeVar("AnswerT")


class SharedQuestion(Generic[AnswerT]):
    """Asks one question at a time, in a thread of its own: whoever comes meanwhile gets the same answer.

    Otherwise a database that does not answer would hold a thread for each question.

    Args:
        ask: asks the database.
        silence: the answer if the database gives none in time.
        patience: the seconds that it has.
    """

    def __init__(self, ask: Callable[[], AnswerT], silence: AnswerT, patience: float = PATIENCE) -> None:
        self._ask = ask
        self._silence = silence
        self._patience = patience
        self._limiter = CapacityLimiter(1)
        self._answer: asyncio.Task[AnswerT] | None = None

    async def answer(self) -> AnswerT:
        """The answer of the database."""
        if self._answer is None:
            self._answer = asyncio.create_task(self._in_thread())
            self._answer.add_done_callback(self._forget)
        answer = self._answer
        done, _ = await asyncio.wait([answer], timeout=self._patience)
        return answer.result() if done else self._silence

    async def _in_thread(self) -> AnswerT:
        # at the end of the process nobody waits for it
        return await to_thread.run_sync(self._ask, limiter=self._limiter, abandon_on_cancel=True)

    def _forget(self, _answer: asyncio.Task[AnswerT]) -> None:
        self._answer = None


BEAT = 0.1
"""Seconds: several times the duration of the work, so that nearly all of these answers leave after one beat."""


class Evenly(Response):
    """An answer held back until the next beat, so that its time tells nothing; no thread waits for it.

    Args:
        answer: the answer.
        began: when the work on it began, by `time.monotonic`.
    """

    def __init__(self, answer: Response, began: float) -> None:
        super().__init__(answer.body, answer.status_code, answer.headers)
        self.raw_headers = answer.raw_headers
        self._began = began

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, and send the answer."""
        passed = time.monotonic() - self._began
        await asyncio.sleep(math.ceil(passed / BEAT) * BEAT - passed)
        await super().__call__(scope, receive, send)


log = structlog.get_logger()

BACKLOG = 128
"""Connections that the system holds until the process takes them, and that it takes at once."""

OTHER_THREADS = 6
"""Threads for files, compressing, and boards that are followed."""

_QUIET_SECONDS = 60.0


class WebServer(uvicorn.Server):
    """Serves an app.

    Args:
        app: answers the requests.
        limits: the number of connections that are accepted.
        proxies: the hosts believed in ``X-Forwarded-For``; None: nobody.
        end_streams: ends the answers that would otherwise never end.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: ConnectionLimits,
        proxies: Sequence[str] | None,
        end_streams: Callable[[], None] = lambda: None,
    ) -> None:
        self.connections = Connections(limits)
        self._end_streams = end_streams
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            http=partial(Connection, self.connections),  # type: ignore[arg-type]  # it is called and nothing else
            backlog=BACKLOG,
            timeout_graceful_shutdown=2,
            proxy_headers=proxies is not None,
            forwarded_allow_ips=list(proxies or ()),
        )
        super().__init__(config)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the process, which ends all its parts in order."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those that there are once they are answered."""
        self._end_streams()
        await super().shutdown(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to end."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = OTHER_THREADS
        await super().serve(sockets)


def listening_at(host: str, port: int) -> socket.socket:
    """A listening socket.

    It says that it speaks TCP, which `socket.create_server` does not: else asyncio holds small answers back until the
    one before is acknowledged, some 40 ms each (Nagle's algorithm).

    Raises:
        OSError: the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


class QuietFaults:
    """Logs faults of the event loop; lack of file descriptors once a minute and in one line.

    The loop of Python 3.11 reports this for each connection that it cannot accept, many thousand times a minute.
    """

    def __init__(self) -> None:
        self._told_at = -_QUIET_SECONDS

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log a fault."""
        if "out of system resource" not in str(context.get("message")):
            loop.default_exception_handler(context)
        elif loop.time() >= self._told_at + _QUIET_SECONDS:
            self._told_at = loop.time()
            log.error("no more connections can be taken", because=str(context.get("exception")))


GivenT = ParamSpec("GivenT")

MOST_PAGES, MOST_FORMS, MOST_PASSWORDS = 12, 6, 3


class Threads:
    """The threads of one app."""

    def __init__(self) -> None:
        self.pages = CapacityLimiter(MOST_PAGES)
        """For requests that only read."""
        self.forms = CapacityLimiter(MOST_FORMS)
        """For requests that may change something, of programs as well."""
        self.passwords = CapacityLimiter(MOST_PASSWORDS)
        """For hashing passwords, which takes much time and memory on purpose."""


async def in_thread(
    limiter: CapacityLimiter, answer: Callable[GivenT, AnswerT], *given: GivenT.args, **more: GivenT.kwargs
) -> AnswerT:
    """Run a function in a thread of this kind."""
    return await to_thread.run_sync(partial(answer, *given, **more), limiter=limiter)
