"""What pages of other sites may read: all that programs are told without being known (Fetch standard, "CORS protocol").

No cookie counts there, so that they see what everybody sees; commands are taken from nowhere else.
"""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN = {"access-control-allow-origin": "*", "access-control-expose-headers": "etag"}
"""The headers that say so."""

PREFLIGHT = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "if-none-match, cache-control, last-event-id",
    "access-control-max-age": "86400",
}
"""The answer to a browser that asks beforehand."""

_FOLLOWED = re.compile(r"/boards/\d+/live")


class OpenToAll:
    """Lets pages of other sites read what is for programs, the stream of a board's events among it.

    Args:
        app: what answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a question beforehand, or pass on, and add."""
        if scope["type"] != "http" or not _is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope):
            await Response(status_code=204, headers=PREFLIGHT)(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in OPEN.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, add)


def _is_open(path: str) -> bool:
    return path.endswith(".json") or _FOLLOWED.fullmatch(path) is not None
