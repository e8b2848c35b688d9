"""What keeps others out: headers, cookies, and proof that a form is one of ours.

A form that changes something is taken from pages of this server alone: browsers say in ``Origin`` where a form comes
from (Fetch standard, "Origin header"), and a form of somebody who is signed in bears a token that no other site knows.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing but files of this server, and no script or style within a page (CSP 3)."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}

TOKEN = "token"  # noqa: S105 - the name of a field
"""The field of a form that shows that the page is ours."""


class SafeHeaders:
    """Adds to every answer what browsers are to hold back.

    Args:
        app: what answers.
        secure: whether the server is reached by TLS alone.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        more = {"strict-transport-security": "max-age=31536000"} if secure else {}
        self._headers = [(name.encode(), value.encode()) for name, value in {**HEADERS, **more}.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and add."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in self._headers if each[0] not in given)]
            await send(message)

        await self._app(scope, receive, add if scope["type"] == "http" else send)


class Cookies:
    """The cookie that tells who is signed in.

    Args:
        secure: whether it travels by TLS alone.
    """

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure
        self._name = "__Host-session" if secure else "session"

    def secret(self, request: Request) -> str:
        """What the browser keeps; empty if nothing."""
        return request.cookies.get(self._name, "")

    def keep(self, response: Response, secret: str, seconds: int) -> None:
        """Have the browser keep it."""
        response.set_cookie(
            self._name, secret, max_age=seconds, path="/", secure=self._secure, httponly=True, samesite="lax"
        )

    def drop(self, response: Response) -> None:
        """Have the browser forget it."""
        response.delete_cookie(self._name, path="/", secure=self._secure, httponly=True, samesite="lax")


def token_of(secret: str) -> str:
    """What the forms of a session bear."""
    return hmac.digest(secret.encode(), b"form", "sha256").hex()[:32]


def is_ours(request: Request, token: str, secret: str, own: str) -> bool:
    """Whether a form comes from a page of this server.

    Args:
        request: that brings it.
        token: what the form bears.
        secret: of the session; empty if there is none.
        own: the address that the server is known by.
    """
    if secret and not hmac.compare_digest(token.encode(), token_of(secret).encode()):
        return False
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site", "none") in ("same-origin", "none")
    return urlsplit(origin).netloc in (request.headers.get("host", ""), urlsplit(own).netloc)
