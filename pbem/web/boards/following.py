"""Boards on which browsers follow the game live."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from pbem.domain.players import Present
from pbem.ids import BoardNumber
from pbem.web.boards.page import number_in
from pbem.web.security import host_of

Look = Callable[[Collection[BoardNumber]], Mapping[BoardNumber, int]]
"""Finds the numbers of the last events of boards."""
_Queue = asyncio.Queue[tuple[bytes, int] | None]
"""The news for a follower; None ends what is sent to them."""
_Queues = dict[BoardNumber, set[_Queue]]


HEARTBEAT = b": still here\n\n"
"""A comment, which reveals a dead connection and makes proxies keep a live one."""

log = structlog.get_logger()


class Full(Exception):
    """As many browsers as allowed already follow boards."""


class Room(NamedTuple):
    """The number of browsers that may follow boards at a time."""

    most: int = 500
    of_one_host: int = 100


def _nothing(boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
    return {}


class MoreNews(NamedTuple):
    """Finds what followers of boards are told of besides events, each as a number that grows."""

    words: Look = _nothing
    """The last remarks, for followers who may read them."""
    analyses: Look = _nothing
    """The times at which analyses were made."""


class Followers:
    """Tells everyone who follows a board that something has happened there, in whichever process.

    One query of the database serves all followers of this process: at once when this process has written something, and
    otherwise at regular intervals.

    Args:
        look: finds the last events.
        every: seconds between two queries.
        heartbeat: seconds of silence after which a follower is sent a comment.
        courtesy: seconds by which a writer gets their answer before the followers are told.
        room: the number of followers that there may be.
        more: finds the rest that followers are told of.
    """

    def __init__(
        self,
        look: Look,
        every: float = 1.0,
        heartbeat: float = 20.0,
        courtesy: float = 0.05,
        room: Room = Room(),  # noqa: B008 - it never changes
        more: MoreNews = MoreNews(),  # noqa: B008 - it never changes
    ) -> None:
        self._look = look
        self._words, self._analyses = more
        self._hosts = Present(room.most, room.of_one_host)
        self._every = every
        self._heartbeat = heartbeat
        self._courtesy = courtesy
        self._queues: dict[BoardNumber, set[_Queue]] = {}
        self._seen: dict[BoardNumber, int] = {}
        self._readers: dict[BoardNumber, set[_Queue]] = {}
        self._said: dict[BoardNumber, int] = {}
        self._analysed: dict[BoardNumber, int] = {}
        self._written = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_ended = False
        self.looking: asyncio.Task[None] | None = None

    def written(self) -> None:
        """Look at once: this process has written something. May be called by any thread."""
        loop = self._loop
        if loop is not None and self._queues and not loop.is_closed():
            loop.call_soon_threadsafe(self._written.set)

    def end(self) -> None:
        """Let all followers go, and those who come later: the server ends, and their browsers will ask the next one."""
        self._is_ended = True
        for queue in chain(*self._queues.values()):
            queue.put_nowait(None)

    def seen(self, board: BoardNumber) -> int | None:
        """The number of the last event that followers of a board have been told of; None: nobody follows it."""
        return self._seen.get(board)

    @contextmanager
    def place(self, host: str) -> Iterator[None]:
        """Hold a place among the followers, as one of a host.

        Raises:
            Full: no place is left.
        """
        if self._hosts.is_full or not self._hosts.has_place_for(host):
            raise Full
        self._hosts.enter(host)
        try:
            yield
        finally:
            self._hosts.leave(host)

    async def is_there(self, board: BoardNumber) -> bool:
        """Return True if there is such a board."""
        return board in self._queues or board in await run_in_threadpool(self._look, (board,))

    async def follow(self, board: BoardNumber, *, reads: bool = False) -> AsyncGenerator[bytes, None]:
        """The events sent to a browser that follows a board.

        Args:
            board: the board.
            reads: True if the browser is told of remarks, too.
        """
        if self._is_ended:
            return
        queue: _Queue = asyncio.Queue()
        self._enter(board, queue, reads=reads)
        self._begin_looking()
        try:
            yield b"retry: 3000\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), self._heartbeat)
                except TimeoutError:
                    yield HEARTBEAT
                else:
                    if event is None:
                        return
                    yield b"event: %s\ndata: %d\n\n" % event
        finally:
            _leave(self._queues, self._seen, board, queue)
            if board not in self._queues:
                self._analysed.pop(board, None)
            _leave(self._readers, self._said, board, queue)

    def _enter(self, board: BoardNumber, queue: _Queue, *, reads: bool) -> None:
        """Tell a new follower of everything since their page was made, and from now on."""
        self._queues.setdefault(board, set()).add(queue)
        if board in self._seen:
            queue.put_nowait((b"board", self._seen[board]))
        if board in self._analysed:
            queue.put_nowait((b"analysed", self._analysed[board]))
        if reads:
            self._readers.setdefault(board, set()).add(queue)
            if board in self._said:
                queue.put_nowait((b"said", self._said[board]))

    def _begin_looking(self) -> None:
        if self.looking is None or self.looking.done():
            self._loop = asyncio.get_running_loop()
            self.looking = self._loop.create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        """Look again and again, as long as anybody follows a board."""
        while self._queues:
            try:
                self._tell(b"board", self._queues, self._seen, await run_in_threadpool(self._look, tuple(self._queues)))
                made = await run_in_threadpool(self._analyses, tuple(self._queues))
                self._tell(b"analysed", self._queues, self._analysed, made)
                if self._readers:
                    said = await run_in_threadpool(self._words, tuple(self._readers))
                    self._tell(b"said", self._readers, self._said, said)
            except Exception as failed:  # noqa: BLE001 - a database that is busy is asked again
                log.warning("followers are told later", because=f"{type(failed).__name__}: {failed}"[:200])
            try:
                await asyncio.wait_for(self._written.wait(), self._every)
            except TimeoutError:
                continue
            await asyncio.sleep(self._courtesy)
            self._written.clear()

    @staticmethod
    def _tell(what: bytes, queues: _Queues, seen: dict[BoardNumber, int], found: Mapping[BoardNumber, int]) -> None:
        """Tell followers the news that they have not been told yet."""
        for board, number in found.items():
            if seen.get(board) != number:
                seen[board] = number
                for queue in queues.get(board, ()):
                    queue.put_nowait((what, number))


def _leave(queues: _Queues, seen: dict[BoardNumber, int], board: BoardNumber, queue: _Queue) -> None:
    """Forget a follower, and the board if nobody else follows it."""
    left = queues.get(board, set())
    left.discard(queue)
    if not left:
        queues.pop(board, None)
        seen.pop(board, None)


_EVENTS = "text/event-stream"
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

AGAIN_AFTER = 60
"""Seconds after which somebody who got no place may ask again."""


class Live:
    """Answers browsers that follow a board.

    Args:
        followers: tells them.
        reads: asks if the remarks at a board are for the sender of a request.
    """

    def __init__(self, followers: Followers, reads: Callable[[Request, BoardNumber], bool] = lambda *_: False) -> None:
        self._followers = followers
        self._reads = reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one browser as long as it follows.

        Raises:
            HTTPException: there is no such board, or no place left.
        """
        request = Request(scope)
        if request.method == "HEAD":
            await (await self._headers(request))(scope, receive, send)
            return
        try:
            with self._followers.place(host_of(request)):
                await (await self._events(request))(scope, receive, send)
        except Full:
            raise HTTPException(503, headers={"retry-after": str(AGAIN_AFTER)}) from None

    async def _events(self, request: Request) -> StreamingResponse:
        board = await self._board(request)
        events = self._followers.follow(board, reads=await run_in_threadpool(self._reads, request, board))
        return StreamingResponse(events, media_type=_EVENTS, headers=_HEADERS)

    async def _headers(self, request: Request) -> Response:
        """The headers before the events, for a request of nothing else (RFC 9110 s 9.3.2); it takes no place."""
        await self._board(request)
        response = Response(media_type=_EVENTS, headers=_HEADERS)
        del response.headers["content-length"]  # events have none
        return response

    async def _board(self, request: Request) -> BoardNumber:
        board = number_in(request)
        if not await self._followers.is_there(board):
            raise HTTPException(404)
        return board
