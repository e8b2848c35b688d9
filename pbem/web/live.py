"""Boards that are followed in browsers: server-sent events (HTML, "Server-sent events") tell that one has changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from pbem.ids import BoardNumber

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping

    from starlette.requests import Request

    Look = Callable[[Collection[BoardNumber]], Mapping[BoardNumber, int]]
    """Finds the numbers of the last events of boards."""

HEARTBEAT = b": still here\n\n"
"""A comment, by which a connection that is gone is found out and proxies keep one that is not."""


class Followers:
    """Tells all who follow a board when something has happened there, in whichever process.

    One look at the database serves all followers of this process, however many they are: at once when this process has
    written something, and else every now and then.

    Args:
        look: finds the last events.
        every: seconds between two looks.
        heartbeat: seconds of silence after which a follower hears that nothing has happened.
        courtesy: seconds by which who has written something gets his answer before those who follow are told.
    """

    def __init__(self, look: Look, every: float = 1.0, heartbeat: float = 20.0, courtesy: float = 0.05) -> None:
        self._look = look
        self._every = every
        self._heartbeat = heartbeat
        self._courtesy = courtesy
        self._queues: dict[BoardNumber, set[asyncio.Queue[int]]] = {}
        self._seen: dict[BoardNumber, int] = {}
        self._written = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None

    def written(self) -> None:
        """Look at once: this process has written something. May be called by any thread."""
        loop = self._loop
        if loop is not None and self._queues and not loop.is_closed():
            loop.call_soon_threadsafe(self._written.set)

    def seen(self, board: BoardNumber) -> int | None:
        """The number of the last event that followers of a board have been told of; None: nobody follows it."""
        return self._seen.get(board)

    async def follow(self, board: BoardNumber) -> AsyncIterator[bytes]:
        """What a browser that follows a board is sent."""
        queue: asyncio.Queue[int] = asyncio.Queue()
        self._queues.setdefault(board, set()).add(queue)
        if board in self._seen:
            queue.put_nowait(self._seen[board])  # what has happened since its page was made
        self._begin_looking()
        try:
            yield b"retry: 3000\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), self._heartbeat)
                except TimeoutError:
                    yield HEARTBEAT
                else:
                    yield f"event: board\ndata: {event}\n\n".encode()
        finally:
            self._queues[board].discard(queue)
            if not self._queues[board]:
                del self._queues[board]
                self._seen.pop(board, None)

    def _begin_looking(self) -> None:
        if self._looking is None or self._looking.done():
            self._loop = asyncio.get_running_loop()
            self._looking = self._loop.create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        """Look again and again, as long as anybody follows a board."""
        while self._queues:
            found = await run_in_threadpool(self._look, tuple(self._queues))
            for board, event in found.items():
                if self._seen.get(board) != event:
                    self._seen[board] = event
                    for queue in self._queues.get(board, ()):
                        queue.put_nowait(event)
            try:
                await asyncio.wait_for(self._written.wait(), self._every)
            except TimeoutError:
                continue
            await asyncio.sleep(self._courtesy)
            self._written.clear()


def live(followers: Followers) -> Callable[[Request], Awaitable[StreamingResponse]]:
    """Makes the answer to a browser that follows a board."""

    async def answer(request: Request) -> StreamingResponse:
        events = followers.follow(BoardNumber(int(request.path_params["number"])))
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(events, media_type="text/event-stream", headers=headers)

    return answer
