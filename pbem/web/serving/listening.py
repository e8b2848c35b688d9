"""Listening, and threads."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar

import anyio.to_thread
import structlog
import uvicorn
from anyio import CapacityLimiter, to_thread
from starlette.types import ASGIApp

from pbem.web.serving.connections import Connection, ConnectionLimits, Connections

log = structlog.get_logger()

BACKLOG = 128
"""Connections that the system holds until the process takes them, and that it takes at once."""

OTHER_THREADS = 6
"""For files, compressing, and looking after boards that are followed."""

_QUIET_SECONDS = 60.0


class WebServer(uvicorn.Server):
    """Serves an app.

    Args:
        app: what answers.
        limits: what may be connected.
        proxies: who is believed in ``X-Forwarded-For``; None: nobody.
    """

    def __init__(self, app: ASGIApp, limits: ConnectionLimits, proxies: Sequence[str] | None) -> None:
        self.connections = Connections(limits)
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
        """Leave the signals to the process, which ends all its parts in one order."""
        yield

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to end."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = OTHER_THREADS
        await super().serve(sockets)


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens.

    It says that it speaks TCP, which `socket.create_server` does not: else asyncio holds small answers back until what
    went before is acknowledged, some 40 ms each (Nagle's algorithm).

    Raises:
        OSError: that cannot be.
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
    """Notes faults of the event loop; that there are no files left, once in a minute and in a line.

    The loop of Python 3.11 tells of that for each connection that it cannot take, many thousand times a minute.
    """

    def __init__(self) -> None:
        self._told_at = -_QUIET_SECONDS

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Note one."""
        if "out of system resource" not in str(context.get("message")):
            loop.default_exception_handler(context)
        elif loop.time() >= self._told_at + _QUIET_SECONDS:
            self._told_at = loop.time()
            log.error("no more connections can be taken", because=str(context.get("exception")))


GivenT = ParamSpec("GivenT")
AnswerT = TypeVar("AnswerT")

MOST_PAGES, MOST_FORMS, MOST_PASSWORDS = 12, 6, 3


class Threads:
    """The threads of one app."""

    def __init__(self) -> None:
        self.pages = CapacityLimiter(MOST_PAGES)
        """For what is only read."""
        self.forms = CapacityLimiter(MOST_FORMS)
        """For what may change something, of programs as well."""
        self.passwords = CapacityLimiter(MOST_PASSWORDS)
        """For what takes long and much memory on purpose."""


async def in_thread(
    limiter: CapacityLimiter, answer: Callable[GivenT, AnswerT], *given: GivenT.args, **more: GivenT.kwargs
) -> AnswerT:
    """Have something answered in a thread of a kind."""
    return await to_thread.run_sync(partial(answer, *given, **more), limiter=limiter)
