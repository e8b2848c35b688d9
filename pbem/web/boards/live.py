"""The address at which browsers follow a board: server-sent events (HTML, "Server-sent events")."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from pbem.ids import BoardNumber
from pbem.web.boards.buttons import number_in
from pbem.web.boards.following import Followers, Full
from pbem.web.security import host_of

_EVENTS = "text/event-stream"
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

AGAIN_AFTER = 60
"""Seconds after which somebody for whom there is no place may ask again."""


class Live:
    """Answers browsers that follow a board.

    Args:
        followers: tells them.
        reads: whether what is said at a board is for who asks.
    """

    def __init__(self, followers: Followers, reads: Callable[[Request, BoardNumber], bool] = lambda *_: False) -> None:
        self._followers = followers
        self._reads = reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one of them as long as it follows.

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
        """What comes before the events, for who asks for nothing else (RFC 9110 s 9.3.2); it takes no place."""
        await self._board(request)
        response = Response(media_type=_EVENTS, headers=_HEADERS)
        del response.headers["content-length"]  # events have none
        return response

    async def _board(self, request: Request) -> BoardNumber:
        board = number_in(request)
        if not await self._followers.is_there(board):
            raise HTTPException(404)
        return board
